"""An open session: who listens to a model and what edits it, while it is attached."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn

from headscope.attention.blocks import RowBlocks
from headscope.attention.edit import Edit, OutputEdit, WeightEdit
from headscope.attention.listen import Heard, Listener, mix_values
from headscope.attention.site import Call, Site, SiteMap
from headscope.errors import ModelError


class Session:
    """The listeners and edits of one attached model; nested attachments share it.

    kernel is the attention implementation that the model used before. While `counting` is a list,
    calls are only noted down, to number the sites.
    """

    def __init__(self, sites: SiteMap | None, kernel: str, blocks: RowBlocks | None) -> None:
        self._sites = sites
        self.kernel = kernel
        self._blocks = blocks
        self.listeners: list[Listener] = []
        self.edits: list[Edit] = []
        self.gradients = False
        self.counting: list[Call] | None = None if sites is not None else []
        self._verified: set[Site] = set()

    @property
    def sites(self) -> SiteMap:
        assert self._sites is not None, "the sites are counted before anything listens"
        return self._sites

    @property
    def blocks(self) -> RowBlocks:
        assert self._blocks is not None, "only a block-wise session asks for its blocks"
        return self._blocks

    @property
    def blockwise(self) -> bool:
        return self._blocks is not None

    def count(self, module: nn.Module, weights: torch.Tensor) -> None:
        """Note a call while the sites are being numbered."""
        assert self.counting is not None
        self.counting.append(Call(module, weights.detach()))

    def add(self, listeners: Iterable[Listener], edits: Iterable[Edit], gradients: bool) -> None:
        """Take in what an attachment brings, after checking that it fits the way of listening."""
        listeners, edits = list(listeners), list(edits)
        if self.blockwise and (edits or gradients or any(one.needs == "map" for one in listeners)):
            raise ModelError("edits, gradients and whole-map listeners need whole maps, not blocks of rows")
        self.listeners += listeners
        self.edits += edits
        self.gradients = self.gradients or gradients

    def remove(self, listeners: Iterable[Listener], edits: Iterable[Edit]) -> None:
        """Undo `add`."""
        for listener in listeners:
            self.listeners.remove(listener)
        for edit in edits:
            self.edits.remove(edit)

    def wants(self, site: Site) -> bool:
        """Whether anybody listens at a site."""
        return bool(self.listeners)

    def tell(self, heard: Heard) -> None:
        """Let every listener hear."""
        for listener in self.listeners:
            listener.hear(heard)

    def pass_on(
        self, heard: Heard, output: torch.Tensor, dropout: float
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Edit the weights, let listeners hear what the model will use, then make the output.

        Without edits, dropout and gradients the family's own output is handed on untouched.
        """
        weight_edits = [e for e in self.edits if isinstance(e, WeightEdit) and e.at(heard.site)]
        output_edits = [e for e in self.edits if isinstance(e, OutputEdit) and e.at(heard.site)]
        if weight_edits:
            self._verify(heard, output)
        for edit in weight_edits:
            heard = edit.apply(heard)
        if self.gradients and not heard.weights.requires_grad:
            heard.weights.requires_grad_()
        self.tell(heard)
        if weight_edits or dropout or self.gradients:
            assert heard.value is not None
            kept = nn.functional.dropout(heard.weights, dropout) if dropout else heard.weights
            output = mix_values(kept, heard.value)
        for change in output_edits:
            output = change.apply(output, heard.site)
        return output, heard.weights

    def _verify(self, heard: Heard, output: torch.Tensor) -> None:
        """Refuse to edit weights where a family's output is not simply weights times values."""
        if heard.site in self._verified:
            return
        if not torch.allclose(heard.outputs.to(output.dtype), output, rtol=1e-2, atol=1e-3):
            raise ModelError(
                f"{heard.site}: this family's attention output is more than weights times values, "
                "so edited weights would not reach it; ablate or scale the head instead"
            )
        self._verified.add(heard.site)
