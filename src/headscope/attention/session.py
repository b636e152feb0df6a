"""An open session: who listens to a model and what edits it, while it is attached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import nn

from headscope.attention.blocks import RowBlocks
from headscope.attention.calls import Counted
from headscope.attention.edit import Edit, OutputEdit, WeightEdit
from headscope.attention.listen import Heard, Listener, Rows, mix_values
from headscope.attention.site import Site, SiteMap
from headscope.attention.steps import Steps
from headscope.errors import ModelError


@dataclass(eq=False)
class Session:
    """The listeners and edits of one attached model; nested attachments share it.

    kernel is the attention implementation that the model used before; with `blocks`, listeners hear blocks
    of query rows. Without `sites`, calls are only counted, to number the sites.
    """

    sites: SiteMap | None
    kernel: str = "eager"
    blocks: RowBlocks | None = None
    calls: list[Counted] = field(default_factory=list)
    listeners: list[Listener] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    gradients: bool = False
    steps: dict[nn.Module, Steps] = field(default_factory=dict)

    @contextmanager
    def joined(self, listeners: list[Listener], edits: list[Edit], gradients: bool) -> Iterator[None]:
        """Take in what an attachment brings, after checking that it fits the way of listening."""
        if self.blocks is not None and (edits or gradients or any(each.needs == "map" for each in listeners)):
            raise ModelError("edits, gradients and whole-map listeners need whole maps, not blocks of rows")
        before = self.gradients
        self.listeners += listeners
        self.edits += edits
        self.gradients = before or gradients
        try:
            yield
        finally:
            for listener in listeners:
                self.listeners.remove(listener)
            for edit in edits:
                self.edits.remove(edit)
            self.gradients = before

    def tell(self, heard: Heard) -> None:
        """Let every listener hear."""
        for listener in self.listeners:
            listener.hear(heard)

    def site_of(self, module: nn.Module, rows: Rows | None) -> Site:
        """The site of a call; all steps of a map are at one site, where the first has begun to join them."""
        assert self.sites is not None
        if rows is None or rows.first == 0:
            site = self.sites.next_site(module)
            if rows is not None:
                self.steps[module] = Steps(site, rows.of, self.gradients)
            return site
        return self.steps[module].site

    def pass_on(
        self, heard: Heard, output: torch.Tensor, dropout: float, steps: Steps | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Edit the weights, let listeners hear what the model will use, then make the output.

        Without edits, dropout and gradients the family's own output is handed on untouched. steps: of a call
        that is one of several; listeners hear all of them as one, after the last.
        """
        edits = [edit for edit in self.edits if edit.at(heard.site)]
        weight_edits = [edit for edit in edits if isinstance(edit, WeightEdit)]
        output_edits = [edit for edit in edits if isinstance(edit, OutputEdit)]
        rows = None if steps is None else steps.rows_of(heard)
        for edit in weight_edits:
            heard = edit.apply(heard, rows)
        if steps is not None:
            heard, joined = steps.join(heard)
        else:
            if self.gradients and not heard.weights.requires_grad:
                heard.weights.requires_grad_()
            joined = heard
        if joined is not None:
            self.tell(joined)
        if weight_edits or dropout or self.gradients:
            assert heard.value is not None
            weights = nn.functional.dropout(heard.weights, dropout) if dropout else heard.weights
            output = mix_values(weights, heard.value)
        for change in output_edits:
            output = change.apply(output, heard.site, rows)
        return output, heard.weights
