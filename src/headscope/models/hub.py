"""Whether a hub knows a model, asked once."""

from __future__ import annotations

from difflib import get_close_matches

from huggingface_hub import get_hf_file_metadata, hf_hub_url, is_offline_mode, try_to_load_from_cache
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HFValidationError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from headscope.errors import HeadscopeError, ModelError

SECONDS = 10
"""How long to wait for its answer."""
CONFIG = "config.json"


def ask_hub(model: str, revision: str | None) -> None:
    """Refuse a name that is neither kept here nor known to the hub.

    Loading asks for each of many files, again and again, so that a mistyped folder would cost minutes.
    """
    try:
        if isinstance(try_to_load_from_cache(model, CONFIG, revision=revision), str):
            return
        if is_offline_mode():
            raise ModelError(
                _missing(model, "no such model in the cache; HF_HUB_OFFLINE keeps from asking the hub")
            )
        get_hf_file_metadata(hf_hub_url(model, CONFIG, revision=revision), timeout=SECONDS)
    except EntryNotFoundError:
        return  # it has no configuration: loading says what that means
    except HeadscopeError:
        raise
    except Exception as error:  # of the network, of any kind
        raise ModelError(_missing(model, _reason(error, revision))) from error


def _missing(model: str, reason: str) -> str:
    meant = "; did you mean 'default'?" if get_close_matches(model, ["default"], cutoff=0.8) else ""
    return f"there is no folder {model} here, and {reason}{meant}"


def _reason(error: Exception, revision: str | None) -> str:
    if isinstance(error, HFValidationError):
        return "it is no name that a hub could know"
    if isinstance(error, GatedRepoError):
        return "the hub gives it only to who has asked for it there"
    if isinstance(error, RepositoryNotFoundError):
        return "the hub knows no model of this name (a private one needs a login)"
    if isinstance(error, RevisionNotFoundError):
        return f"the hub knows no revision {revision} of it"
    return f"the hub does not answer: {error}"
