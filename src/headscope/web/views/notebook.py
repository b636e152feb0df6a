"""Views for notebooks: heads and whole models from maps that are already there, and reports of runs.

The arguments of `head_view` and `model_view` are those that users of other attention viewers know.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Any, Literal

from headscope.errors import OptionError, choose_from
from headscope.results.look import LookView
from headscope.results.run import Run
from headscope.web.views.frame import PageFrame
from headscope.web.views.given_looks import Tokens, ViewInputs, only
from headscope.web.views.view import view_page

ACTIONS = ("view", "return")
MODES = ("light", "dark")
_CONTROLS, _ROW, _THUMBNAIL = 200, 22, 76
_LOWEST, _HIGHEST = 320, 900
_REPORT = 900


def head_view(
    attention: Any = None,
    tokens: Tokens = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Tokens = None,
    decoder_tokens: Tokens = None,
    include_layers: Collection[int] | None = None,
    html_action: Literal["view", "return"] = "view",
) -> PageFrame:
    """Lines between tokens for the heads of a layer, with other layers and heads to choose.

    attention: layers of (1, head, query, key), as `outputs.attentions` holds them; a model's whole output;
    what generate() returned; the maps of `headscope.maps`, or a look, which bring their tokens. For
    encoder-decoders give encoder_attention, decoder_attention and cross_attention with encoder_tokens and
    decoder_tokens. sentence_b_start: the first token of a second text. prettify_tokens: join ##, Ġ and ▁
    pieces into words. layer and heads: shown first. html_action: "view" and "return" give the same object,
    which shows itself as the last line of a cell; its `data` is the HTML.
    """
    inputs = ViewInputs(
        attention, tokens, sentence_b_start, prettify_tokens,
        encoder_attention, decoder_attention, cross_attention, encoder_tokens, decoder_tokens,
    )  # fmt: skip
    _check("html_action", html_action, ACTIONS)
    look = only(inputs.look(), include_layers, None)
    page = view_page(
        LookView(look=look, layer=layer, heads=heads, title="Attention heads", special=inputs.special)
    )
    longest = max(len(axis.pieces) for stack in look.stacks for axis in (stack.query, stack.key))
    return PageFrame(page, _height(_ROW * longest))


def model_view(
    attention: Any = None,
    tokens: Tokens = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    display_mode: Literal["light", "dark"] = "light",
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Tokens = None,
    decoder_tokens: Tokens = None,
    include_layers: Collection[int] | None = None,
    include_heads: Collection[int] | None = None,
    html_action: Literal["view", "return"] = "view",
) -> PageFrame:
    """All heads of all layers as small pictures, each opens large; for the arguments see `head_view`.

    display_mode: "light" or "dark". include_heads: only these heads of each layer.
    """
    inputs = ViewInputs(
        attention, tokens, sentence_b_start, prettify_tokens,
        encoder_attention, decoder_attention, cross_attention, encoder_tokens, decoder_tokens,
    )  # fmt: skip
    _check("html_action", html_action, ACTIONS)
    _check("display_mode", display_mode, MODES)
    look = only(inputs.look(), include_layers, include_heads)
    title = "Attention of the whole model"
    view = LookView(
        look=look, layout="model", dark=display_mode == "dark", title=title, special=inputs.special
    )
    page = view_page(view)
    return PageFrame(page, _height(_THUMBNAIL * max(len(stack.sheets) for stack in look.stacks)))


def report_view(run: Run | str | os.PathLike[str]) -> PageFrame:
    """The report of a run folder, inside the notebook."""
    from headscope.web.report.pages import report_page

    return PageFrame(report_page(run if isinstance(run, Run) else Run(run)), _REPORT)


def _check(option: str, word: str, words: Sequence[str]) -> None:
    if word not in words:
        raise OptionError(choose_from(option, word, words))


def _height(content: int) -> int:
    return min(max(_CONTROLS + content, _LOWEST), _HIGHEST)
