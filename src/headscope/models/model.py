"""A loaded model: the module, its tokenizer, and what headscope found out about both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from torch import nn

from headscope.attention import Edit, Listener, RowBlocks, Site, Sites, attach, in_eval_mode
from headscope.attention.bypass import BypassSites
from headscope.attention.unchanged import unchanged
from headscope.heads import STACKS, Head, Named, Stack
from headscope.models.devices import AUTO
from headscope.models.fingerprint import Fingerprints
from headscope.models.limits import longest_input
from headscope.models.places import quiet
from headscope.text import Batch, KindTable, Segment, batches

Shape = Literal["encoder", "decoder", "encoder-decoder"]


class Recipe(NamedTuple):
    """What `load` was given, with places that hold from any working folder, and the seed of a random twin."""

    model: str
    adapter: str | None
    device: str
    dtype: str
    revision: str | None
    twin: int | None = None


@dataclass(repr=False)
class Model:
    """A Hugging Face model on the core.

    name: what the user called it. origin: folder, hub name or "memory". notes: what a reader must know
    about how it was loaded, such as weights that the checkpoint did not hold. recipe: how the same
    model is made elsewhere; None where it cannot. sees_padding: whether padding changes its outputs.
    """

    module: Any
    tokenizer: Any
    sites: Sites
    name: str
    origin: str = "memory"
    revision: str | None = None
    notes: list[str] = field(default_factory=list)
    recipe: Recipe | None = None
    sees_padding: bool = False

    def __repr__(self) -> str:
        stacks = ", ".join(f"{stack}: {len(self.sites_of(stack))} layers" for stack in self.stacks())
        return f"Model({self.name!r}, {type(self.module).__name__}, {stacks}, {len(self.heads())} heads)"

    @property
    def device(self) -> torch.device:
        device: torch.device = next(self.module.parameters()).device
        return device

    @property
    def asked_device(self) -> str:
        """Where it is; `auto` stays so, since it is another device on each machine of a cluster."""
        return AUTO if self.recipe and self.recipe.device == AUTO else str(self.device)

    @property
    def backbone(self) -> nn.Module:
        """The model below its task head: attention is all there, and logits cost time."""
        base: nn.Module = getattr(self.module, "base_model", self.module)
        return base

    @cached_property
    def shape(self) -> Shape:
        """Encoder, decoder or encoder-decoder."""
        stacks = {site.stack for site in self.sites.sites}
        writes = not stacks and getattr(self.module.config, "is_encoder_decoder", False)
        if "cross" in stacks or {"encoder", "decoder"} <= stacks or writes:
            return "encoder-decoder"
        return "decoder" if stacks <= {"decoder", "sees_earlier"} else "encoder"

    @property
    def reads_pairs(self) -> bool:
        """Whether it is made for two texts at once, or at least takes them."""
        return self.shape == "encoder" and getattr(self.module.config, "texts", 2) == 2

    @property
    def shared_function(self) -> bool:
        """Whether the family computes attention through the shared function."""
        return not isinstance(self.sites, BypassSites)

    @property
    def why_no_edits(self) -> str | None:
        """Why heads cannot be ablated, scaled or masked, in all layers or some; None where they can."""
        return self.sites.facts.why_no_edits(type(self.backbone).__name__, self.sites.sites)

    @property
    def why_no_weight_edits(self) -> str | None:
        """Why weights cannot be edited, in all layers or some; None where they can."""
        return self.sites.facts.why_no_weight_edits(type(self.backbone).__name__, self.sites.sites)

    @cached_property
    def kinds(self) -> KindTable:
        """Kinds of pieces: special tokens, stops, punctuation, words."""
        return KindTable(self.tokenizer)

    @cached_property
    def longest(self) -> int | None:
        """The most pieces the model takes; None where nothing limits it."""
        return longest_input(self.module, self.tokenizer)

    @cached_property
    def fingerprints(self) -> Fingerprints:
        """By which it is told from other models; taken once, as all weights are read for it."""
        return Fingerprints.of(self.module, self.tokenizer)

    def save(self, folder: str | Path) -> None:
        """Write weights and tokenizer into an empty folder, which `load` takes."""
        from headscope.models.task_heads import save_model  # which is about models, and so knows this class

        save_model(self, Path(folder))

    def forget_fingerprints(self) -> None:
        """Take them anew when they are next asked for, since the weights may have changed."""
        vars(self).pop("fingerprints", None)

    def stacks(self) -> list[Stack]:
        """The stacks the model has, in a fixed order."""
        present = {site.stack for site in self.sites.sites}
        return [stack for stack in STACKS if stack in present]

    def sites_of(self, stack: Stack, layers: Sequence[int] | None = None) -> list[Site]:
        """The sites of a stack, all or of some layers."""
        sites = [site for site in self.sites.sites if site.stack == stack]
        return [site for site in sites if layers is None or site.layer in layers]

    def heads(self) -> list[Head]:
        """Every head, by stack, layer and index."""
        return [head for stack in self.stacks() for site in self.sites_of(stack) for head in site]

    def batches(self, segments: Iterable[Segment], size: int) -> Iterator[Batch]:
        """Segments in batches of at most so many, of one length where padding would change what comes out."""
        return batches(segments, self.tokenizer, size, self.device, equal=self.sees_padding)

    @contextmanager
    def attached(
        self,
        listeners: Sequence[Listener] = (),
        edits: Sequence[Edit] = (),
        *,
        blocks: RowBlocks | None = None,
        gradients: bool = False,
        whole: bool = False,
    ) -> Iterator[Any]:
        """Listen and edit inside a `with`, which gives the module to call.

        That is the backbone, or with `whole` the model with its task head; in evaluation mode meanwhile,
        also where it is being trained.
        """
        called = self.module if whole else self.backbone
        with (
            self._kept_as_it_is(called),
            in_eval_mode(called),
            attach(called, self.sites, listeners, edits, blocks=blocks, gradients=gradients),
        ):
            yield called

    @contextmanager
    def unheard(self, *, whole: bool = False) -> Iterator[Any]:
        """The backbone, or with `whole` the model with its task head, to call inside a `with`, in evaluation
        mode, with its own kernel: nobody listens."""
        called = self.module if whole else self.backbone
        with self._kept_as_it_is(called), in_eval_mode(called):
            yield called

    @contextmanager
    def _kept_as_it_is(self, called: nn.Module) -> Iterator[None]:
        """Let a module that changes itself when it runs be as it was afterwards, without a word on it."""
        if not self.sites.facts.restless:
            yield
            return
        with quiet(), unchanged(called):
            yield

    def head(self, head: Named) -> Head:
        """A head by its name; without a stack, of the first one."""
        return Head.of(head, self.stacks()[0])

    def label(self, head: Head) -> str:
        """The head's name; with its stack where the model has several."""
        return str(head) if len(self.stacks()) == 1 else f"{head.stack}:{head}"
