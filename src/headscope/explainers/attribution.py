"""Which heads made a token: what each part of a causal model adds to a logit, and the loss without a head.

The last norm reads the sum of the embedding and of what every layer adds: its heads, each through its part
of the output projection, the bias of that, and the rest (its perceptron). The norm may centre that sum,
scales each number of it by its gain, and divides all by one number that depends on the whole sum; that
number is held as it is, so that every part of the sum has a part of the logit (direct logit attribution).
They add up to the logit, together with what the biases of norm and unembedding give. Another sum would be
divided by another number: the parts say how the logit is made up, not what it would be without one of them.
That is told by removal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from headscope.attention import Ablate, Heard, Site, attach
from headscope.attention.listen import Need
from headscope.attention.replay import Replay, block_of
from headscope.attention.site import SiteMap
from headscope.explainers.projecting import Projecting, why_no_vectors
from headscope.heads import Head, Named
from headscope.models import Model
from headscope.models.unembedding import Unembedding, why_no_unembedding


@dataclass(frozen=True)
class Attribution:
    """Parts of the logits of some answers, float64.

    heads: (answer, head), those of the model in order. biases, rest: (answer, layer), of output projections,
    and all else that a layer adds. embedding: (answer,), with what stands between the layers and the last
    norm. bias: (answer,), of norm and unembedding. logit: (answer,), the model's own, but before any cap or
    scale on it. loss: (answer,), in nats. removed: (answer, head), what the loss is more without a head; NaN
    where that was not asked.
    """

    heads: torch.Tensor
    biases: torch.Tensor
    rest: torch.Tensor
    embedding: torch.Tensor
    bias: torch.Tensor
    logit: torch.Tensor
    loss: torch.Tensor
    removed: torch.Tensor

    @property
    def sum(self) -> torch.Tensor:
        """All parts together, (answer,); what it is off the logit is rounding."""
        return self.heads.sum(1) + self.biases.sum(1) + self.rest.sum(1) + self.embedding + self.bias


def why_no_attribution(model: Model) -> str | None:
    """Why the parts of a logit cannot be told; None where they can."""
    if model.shape != "decoder":
        return "it does not write the next piece of a text"
    reason = why_no_unembedding(model) or why_no_vectors(model)
    if reason is not None:
        return reason
    projecting = Projecting.of(model)
    around = list(projecting.surroundings.values())
    if len(around) < len(projecting.projections) or any(each.inside for each in around):
        return "what its heads hand on is not added up as it is, up to the last norm"
    if any(each.between is not None for each in around):
        return "a norm reads what its heads hand on before that is added"
    return None


def attribute(
    model: Model,
    inputs: dict[str, torch.Tensor],
    places: torch.Tensor,
    entries: torch.Tensor,
    off: Sequence[Named] = (),
    removal: bool = True,
) -> Attribution:
    """Parts of the logit of each entry (answer,) at its place (answer,) in one text, inputs (1, piece).

    off: heads that the model is run without; they add nothing, and nothing is lost with them. removal:
    whether to run the model without each head; else `removed` is NaN.
    """
    without = Ablate(off)
    watch, run = _Watch(model, places, without), _Losses(model, inputs, places, entries)
    with torch.no_grad(), model.attached(edits=[without] if off else [], whole=True) as module:
        with watch.watching(module), attach(module, model.sites, [watch]):
            loss = run.recorded(module)
        heads = model.heads()
        losses = [run.without(module, head) if removal else loss * torch.nan for head in heads]
    parts = watch.parts(entries, loss, torch.stack(losses, 1) - loss[:, None])
    return replace(parts, logit=run.logit) if watch.unembedding.plain else parts


class _Losses:
    """The losses of answers to one text, with and without a head; layers below it are not computed again."""

    def __init__(
        self, model: Model, inputs: dict[str, torch.Tensor], places: torch.Tensor, entries: torch.Tensor
    ) -> None:
        self.model, self.inputs, self.places, self.entries = model, inputs, places, entries
        self.replay: Replay | None = Replay(model.module, model.sites)
        self.logit = torch.empty(0)

    def recorded(self, module: Any) -> torch.Tensor:
        """As the model is; what its layers give is kept, if handing it out again gives the same."""
        assert self.replay is not None
        with self.replay.recording():
            loss = self._of(module)
        try:
            with self.replay.below([self.model.heads()[-1]]):
                again = self._of(module)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            again = loss + 1
        if not torch.equal(loss, again):
            self.replay = None
        return loss

    def without(self, module: Any, head: Head) -> torch.Tensor:
        """(answer,)"""
        replayed = nullcontext() if self.replay is None else self.replay.below([head])
        with replayed, attach(module, self.model.sites, edits=[Ablate([head])]):
            return self._of(module)

    def _of(self, module: Any) -> torch.Tensor:
        logits = module(**self.inputs, use_cache=False).logits[0, self.places].double()
        if not len(self.logit):
            self.logit = logits.gather(1, self.entries.to(logits.device)[:, None])[:, 0]
        return torch.nn.functional.cross_entropy(logits, self.entries.to(logits.device), reduction="none")


class _Watch:
    """Keeps, at the places of answers, what heads hand on, what layers give, and what the last norm reads."""

    needs: Need = "map"

    def __init__(self, model: Model, places: torch.Tensor, without: Ablate) -> None:
        self.model, self.places, self.without = model, places, without
        self.unembedding, self.projecting = Unembedding.of(model), Projecting.of(model)
        self.outputs: dict[Site, torch.Tensor] = {}
        self.streams: list[torch.Tensor] = []  # before the first layer, then behind each, (answer, width)
        self.total = torch.empty(0)

    def hear(self, heard: Heard) -> None:
        # A pass that is replayed does not come here for the layers that it leaves out.
        # What is heard is what heads make, before any is taken away.
        handed_on = self.without.apply(heard.outputs, heard.site)
        self.outputs.setdefault(heard.site, handed_on[0, self.places])

    @contextmanager
    def watching(self, module: nn.Module) -> Iterator[None]:
        sites = self.model.sites
        assert isinstance(sites, SiteMap)
        blocks = [block_of(module, inner) for inner in sites.modules()]
        with ExitStack() as hooks:
            for number, block in enumerate(blocks):
                assert block is not None
                if not number:
                    hooks.callback(block.register_forward_pre_hook(self._begun, with_kwargs=True).remove)
                hooks.callback(block.register_forward_hook(self._done).remove)
            hooks.callback(self.unembedding.norm.register_forward_pre_hook(self._summed).remove)
            yield

    def _begun(self, block: nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        if not self.streams:
            self.streams.append(self._at_places(given[0] if given else named["hidden_states"]))

    def _done(self, block: nn.Module, given: tuple[Any, ...], made: Any) -> None:
        if len(self.streams) <= len(self.model.sites.sites):
            self.streams.append(self._at_places(made[0] if isinstance(made, tuple) else made))

    def _summed(self, norm: nn.Module, given: tuple[Any, ...]) -> None:
        if not len(self.total):
            self.total = self._at_places(given[0])

    def _at_places(self, stream: torch.Tensor) -> torch.Tensor:
        return stream[0, self.places].detach().double()

    def parts(self, entries: torch.Tensor, loss: torch.Tensor, removed: torch.Tensor) -> Attribution:
        spread = self.unembedding.spread(self.total)  # (answer, 1)
        towards = self.unembedding.rows(entries).double()  # (answer, width)

        def logits(vectors: torch.Tensor) -> torch.Tensor:
            """What vectors (answer, ..., width) give, (answer, ...)."""
            laid = self.unembedding.scaled(vectors.double())
            return torch.einsum("a...w,aw->a...", laid, towards / spread)

        heads, biases, rest = [], [], []
        for number, site in enumerate(self.model.sites.sites):
            matrices = self.projecting.matrices(site).double()
            each = torch.einsum("ahd,hdw->ahw", self.outputs[site].double(), matrices)
            own = self.projecting.projections[self.projecting.module_of(site)].output
            bias = getattr(own, "bias", None)
            bias = (
                torch.zeros_like(each[:, 0]) if bias is None else bias.detach().double().expand_as(each[:, 0])
            )
            added = self.streams[number + 1] - self.streams[number]
            heads.append(logits(each))
            biases.append(logits(bias))
            rest.append(logits(added - each.sum(1) - bias))
        first = self.streams[0] + self.total - self.streams[-1]
        beside = self.unembedding.bias(entries).double()
        logit = logits(self.total) + beside
        return Attribution(
            torch.cat(heads, 1), torch.stack(biases, 1), torch.stack(rest, 1), logits(first), beside, logit,
            loss, removed,
        )  # fmt: skip
