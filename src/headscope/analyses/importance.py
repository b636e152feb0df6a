"""How sensitive a task's loss is to each head, and how sure a head is of where it looks.

Importance is that of Michel et al. 2019, section 4.1: a head's output is multiplied by a gate of 1, and the
loss is differentiated with respect to it. The paper's formula takes the magnitude for each example
(`example`); the published code takes it for each token and divides by the number of tokens, in the last layer
of a classifier, where the first token alone counts, by the number of examples (`token`). Its first version
also multiplied sums where it meant a scalar product; that is not repeated here. Confidence is that of Voita
et al. 2019, section 4: the mean over tokens of the largest weight on a token that is not special.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Ablate, Gate, Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.heads import Head
from headscope.models import Sides
from headscope.tallies import ClusterMeans, Tally
from headscope.tasks.choice import in_one_pass
from headscope.tasks.task import Task

POOLED = ("classification", "pairs")
"""Tasks that read the last layer at one token."""

_MEASURES = ("example", "tokens_sum", "tokens", "confidence")


class Importance:
    """The analysis, for a task, where some heads may be removed already."""

    name = "importance"

    def __init__(self, task: Task, removed: Sequence[Head] = ()) -> None:
        self.task, self.removed = in_one_pass(task), tuple(removed)

    def work(self, setting: Setting) -> ImportanceWork:
        return ImportanceWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `head`: `example`, `token` and `confidence`, and with `block` their `sums` and `counts`."""
        tally = tallies["importance"]
        assert isinstance(tally, ClusterMeans)
        tally.close()
        scores = importance_of(tally.total.sum(0), tally.count.sum(0), self.pooled(setting))
        return xr.Dataset(
            {
                **{name: ("head", values) for name, values in scores.items()},
                "sums": (("block", "head", "measure"), tally.total),
                "counts": (("block", "head", "measure"), tally.count),
                "pooled": ("head", self.pooled(setting)),
            },
            coords={**setting.coordinates(), "measure": list(_MEASURES)},
            attrs={"documents": int(tally.documents)},
        )

    def pooled(self, setting: Setting) -> np.ndarray:
        """Whether a head is in a layer of which the task reads one token, (head,)."""
        stacks = setting.model.stacks()
        # An encoder before a decoder is read by that, at all tokens.
        read = [stack for stack in stacks if stack != "encoder" or len(stacks) == 1]
        last = {stack: len(setting.model.sites_of(stack)) - 1 for stack in read}
        reads = self.task.name in POOLED and "pool" not in stacks
        return np.array([reads and head.layer == last.get(head.stack) for head in setting.chosen()])


def importance_of(sums: np.ndarray, counts: np.ndarray, pooled: np.ndarray) -> dict[str, np.ndarray]:
    """Scores (..., head) from sums and counts (..., head, measure)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        example, tokens_sum, tokens, confidence = np.moveaxis(sums / counts, -1, 0)
        token = np.where(pooled, tokens_sum, tokens_sum / tokens)
    return {"example": example, "token": token, "confidence": confidence}


def layer_normalised(scores: np.ndarray, layers: Sequence[tuple[str, int]]) -> np.ndarray:
    """Scores (..., head) divided by the length of their layer's vector, as the published code does.

    >>> layer_normalised(np.array([3.0, 4.0, 5.0]), [("encoder", 0), ("encoder", 0), ("encoder", 1)]).tolist()
    [0.6, 0.8, 1.0]
    """
    result = np.array(scores, np.float64)
    for place in dict.fromkeys(layers):
        members = np.array([layer == place for layer in layers])
        length = np.sqrt((result[..., members] ** 2).sum(-1, keepdims=True))
        result[..., members] = result[..., members] / (length + 1e-20)
    return result


class ImportanceWork:
    """Runs each batch forwards and backwards once, and hears its maps meanwhile."""

    needs: Need = "map"

    def __init__(self, setting: Setting, analysis: Importance) -> None:
        self.setting, self.analysis = setting, analysis
        self.tally = ClusterMeans(len(setting.chosen()), len(_MEASURES))
        self.tallies: Tallies = {"importance": self.tally}

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self.sides = self.analysis.task.prepare(sides)
        self._confidence: dict[Site, np.ndarray] = {}

    def hear(self, heard: Heard) -> None:
        query, key = self._ordinary(heard)
        weights = self.setting.weights_of(heard).detach()
        highest = weights.masked_fill(~key[:, None, None, :], 0.0).amax(-1)
        asked = (query & heard.visible[:, 0].any(-1) if heard.site.masked else query)[:, None, :]
        self._confidence[heard.site] = ((highest * asked).sum(-1) / asked.sum(-1)).double().cpu().numpy()

    def _ordinary(self, heard: Heard) -> list[torch.Tensor]:
        """Which queries and keys are real pieces and no special ones, twice (batch, piece)."""
        special = self.setting.model.tokenizer.all_special_ids
        ordinary = [side.real & ~np.isin(side.ids, special) for side in self.sides.of(heard.site.stack)]
        return [torch.as_tensor(pieces, device=heard.weights.device) for pieces in ordinary]

    def end(self, documents: Sequence[str]) -> None:
        model, setting = self.setting.model, self.setting
        gate = Gate(setting.chosen())
        edits = [gate, Ablate(self.analysis.removed)]
        with torch.enable_grad(), model.attached([self], edits, whole=True) as module:
            total = self.analysis.task.score(module, self.sides).loss.sum()
        sites = setting.sites()
        gates = [gate.gates[site] for site in sites]
        # A layer that the loss does not reach has no gradient: a true zero.
        gradients = torch.autograd.grad(total, gates, allow_unused=True, materialize_grads=True)
        values = [self._values(*pair) for pair in zip(sites, gradients, strict=True)]
        by_head = np.concatenate(values, axis=1)
        self.tally.update(documents, by_head, np.isfinite(by_head))

    def _values(self, site: Site, gradient: torch.Tensor) -> np.ndarray:
        """(batch, head, measure) of gradients (batch, query, head)."""
        query, _ = self.sides.of(site.stack)
        slopes = gradient.double() * torch.as_tensor(query.real, device=gradient.device)[..., None]
        example, tokens_sum = (sums.cpu().numpy() for sums in (slopes.sum(1).abs(), slopes.abs().sum(1)))
        tokens = np.broadcast_to(query.lengths[:, None], example.shape)
        confidence = self._confidence.get(site, np.full_like(example, np.nan))
        return np.stack([example, tokens_sum, tokens, confidence], -1)
