"""What is explained: one number of a model's output, of each of some answers to a batch of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np
import torch

from headscope.attention import Edit, Listener
from headscope.explainers.hearing import Hearing, frozen
from headscope.explainers.last import last_gate
from headscope.explainers.projecting import known_norms
from headscope.models import Model, Side, Sides

TARGET = "decoder_"
"""How the inputs begin that the decoder of an encoder-decoder reads."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Answers of a model to the texts of a batch, each of which is to be explained.

    texts: (answer,) the text that an answer is to. places: (answer,) the piece at which the model gives it
    (of the target, for an encoder-decoder), -1 where it is of the whole text. entries: (answer,) the label
    or piece that is asked for. Where the model has a decoder of its own, the pieces that it reads stand
    behind those of the source: `piece` is an axis over both.
    """

    model: Model
    sides: Sides
    texts: torch.Tensor
    places: torch.Tensor
    entries: torch.Tensor

    @property
    def inputs(self) -> dict[str, torch.Tensor]:
        return self.sides.inputs

    @property
    def by_sides(self) -> list[Side]:
        """Source, and target where there is one."""
        return [self.sides.source, *([] if self.sides.target is None else [self.sides.target])]

    @cached_property
    def sizes(self) -> list[int]:
        """Pieces of the source, and of the target where there is one."""
        return [side.ids.shape[1] for side in self.by_sides]

    @cached_property
    def ids(self) -> torch.Tensor:
        """(text, piece)."""
        return torch.cat([torch.from_numpy(side.ids) for side in self.by_sides], 1).to(self.texts.device)

    @cached_property
    def seen(self) -> torch.Tensor:
        """(answer, piece) bool: no padding, and nothing behind the place where a decoder answers."""
        real = [torch.from_numpy(side.real).to(self.texts.device)[self.texts] for side in self.by_sides]
        if self.model.shape != "encoder":
            behind = torch.arange(self.sizes[-1], device=self.texts.device) > self.places[:, None]
            real[-1] = real[-1] & ~(behind & (self.places >= 0)[:, None])
        return torch.cat(real, 1)

    @cached_property
    def reach(self) -> torch.Tensor:
        """(text,) so many pieces of a source have to be read: nothing behind the last answer of a decoder."""
        lengths = torch.from_numpy(self.sides.source.lengths).to(self.texts.device)
        if self.model.shape != "decoder" or bool((self.places < 0).any()):
            return lengths
        last = torch.zeros_like(lengths).scatter_reduce(0, self.texts, (self.places + 1).to(lengths), "amax")
        return torch.where(last > 0, last, lengths)

    @cached_property
    def special(self) -> torch.Tensor:
        """(text, piece) bool: pieces that the tokenizer adds, but not a mask or an unknown word."""
        tokenizer = self.model.tokenizer
        added = {*tokenizer.all_special_ids} - {tokenizer.unk_token_id, tokenizer.mask_token_id}
        found = torch.isin(self.ids, torch.tensor(sorted(added), device=self.ids.device, dtype=torch.long))
        if len(self.sizes) > 1:
            found[:, self.sizes[0]] = True  # what a decoder starts with
        return found

    @cached_property
    def own(self) -> torch.Tensor:
        """(answer,) the piece at whose place the model answers, among all pieces; -1 for none."""
        shift = self.sizes[0] if len(self.sizes) > 1 else 0
        return torch.where(self.places >= 0, self.places + shift, -1)

    def attached(
        self, listeners: Sequence[Listener] = (), edits: Sequence[Edit] = (), *, gradients: bool = False
    ) -> AbstractContextManager[Any]:
        """The model with its task head."""
        return self.model.attached(listeners, edits, gradients=gradients, whole=True)

    def run(self, module: Any, inputs: Mapping[str, torch.Tensor] | None = None) -> torch.Tensor:
        """Logits (text, entry), or (text, place, entry), of these texts or other inputs of the same kind."""
        options = {} if self.model.shape == "encoder" else {"use_cache": False}
        outputs = module(**(self.inputs if inputs is None else inputs), **options)
        logits: torch.Tensor = outputs.logits if "logits" in outputs else outputs.prediction_logits
        return logits

    def answers(self, logits: torch.Tensor) -> torch.Tensor:
        """The row of each answer in the logits, (answer, entry)."""
        return logits[self.texts] if logits.ndim == 2 else logits[self.texts, self.places]

    def values(self, logits: torch.Tensor) -> torch.Tensor:
        """The logit of each answer, (answer,)."""
        return self.answers(logits).gather(1, self.entries[:, None])[:, 0]

    @cached_property
    def hearing(self) -> Hearing:
        """One pass over the texts, heard once for all who need it."""
        hearing = Hearing()
        hearing.gate = last_gate(self.model) if bool((self.places < 0).any()) else None
        edits = [] if hearing.gate is None else [hearing.gate]
        with (
            self.attached([hearing], edits) as module,
            hearing.noting(known_norms(self.model)),
            torch.no_grad() if hearing.gate is None else frozen(module),
        ):
            hearing.graph = self.run(module)
        hearing.logits = hearing.graph.detach()
        return hearing

    @property
    def answers_to_a_text(self) -> float:
        """Mean number of answers that share a text."""
        return len(self.texts) / len({*self.texts.tolist()})

    def apart(self) -> Asked:
        """The same answers, each to a text of its own: gradients of answers to one text would mix."""
        texts = torch.arange(len(self.texts), device=self.texts.device)
        if torch.equal(texts, self.texts) and len(texts) == len(self.ids):
            return self
        return replace(self, sides=chosen(self.sides, self.texts), texts=texts)

    def some(self, rows: torch.Tensor) -> Asked:
        """Some answers of those that stand apart, in any order and number."""
        texts = torch.arange(len(rows), device=rows.device)
        sides = chosen(self.sides, rows)
        return replace(self, sides=sides, texts=texts, places=self.places[rows], entries=self.entries[rows])


Found = TypeVar("Found")


def kept(find: Callable[[Asked], Found]) -> Callable[[Asked], Found]:
    """What is found of answers, found once and kept with them."""
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def finding(asked: Asked) -> Found:
        if name not in vars(asked):
            vars(asked)[name] = find(asked)
        found: Found = vars(asked)[name]
        return found

    return finding


def chosen(sides: Sides, rows: torch.Tensor) -> Sides:
    """Some texts of a batch, in any order and number."""
    numbers = rows.cpu().numpy()

    def of(side: Side | None) -> Side | None:
        return None if side is None else Side(side.ids[numbers], side.lengths[numbers], side.kinds[numbers])

    source = of(sides.source)
    assert source is not None
    return replace(
        sides,
        inputs={name: tensor[rows] for name, tensor in sides.inputs.items()},
        labels=None if sides.labels is None else sides.labels[rows],
        source=source,
        target=of(sides.target),
        texts=of(sides.texts),
        sentences=of(sides.sentences),
        segments=[sides.segments[number] for number in numbers] if sides.segments else (),
    )


def ask(
    model: Model,
    sides: Sides,
    texts: np.ndarray | None = None,
    places: np.ndarray | None = None,
    entries: np.ndarray | None = None,
) -> Asked:
    """Answers to a prepared batch; by default one of the whole of each text, and what the model answers.

    texts, places, entries: (answer,), see `Asked`.
    """
    device = sides.inputs["input_ids"].device
    numbers = np.arange(len(sides.source.ids)) if texts is None else texts
    missing = np.full(len(numbers), -1)
    asked = Asked(
        model,
        sides,
        *(
            torch.as_tensor(missing if array is None else array, device=device).long()
            for array in (numbers, places, entries)
        ),
    )
    if entries is not None:
        return asked
    answered = replace(asked, entries=asked.answers(asked.hearing.logits).argmax(-1))
    # What was heard does not depend on what is asked.
    vars(answered)["hearing"] = asked.hearing
    return answered
