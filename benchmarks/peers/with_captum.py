"""Integrated gradients by captum, in its environment."""

from __future__ import annotations

import numpy as np
import torch

from benchmarks.serving import serve

TOGETHER = 64
"""Texts that are run together, as headscope does."""


class Integrals:
    """A classifier and texts that are loaded once, and importances of their pieces."""

    def load(self, folder: str, texts: str) -> None:
        """texts: a file with vectors `start` and `end` (text, piece, width), `mask`, `types` and `labels`."""
        from captum.attr import IntegratedGradients
        from transformers import AutoModelForSequenceClassification

        self.model = AutoModelForSequenceClassification.from_pretrained(folder).eval().requires_grad_(False)
        self.method = IntegratedGradients(self.logits)
        with np.load(texts) as file:
            self.texts = {name: torch.from_numpy(file[name]) for name in file.files}

    def importances(self, points: int) -> list[list[float]]:
        """(text, piece) with so many points of Gauss and Legendre."""
        found = self.method.attribute(
            self.texts["end"], self.texts["start"], target=self.texts["labels"], n_steps=points,
            additional_forward_args=(self.texts["mask"], self.texts["types"]),
            method="gausslegendre", internal_batch_size=TOGETHER,
        )  # fmt: skip
        return found.sum(-1).tolist()

    def logits(self, vectors: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        """(text, label) of texts made of these vectors."""
        outputs = self.model(inputs_embeds=vectors, attention_mask=mask, token_type_ids=types)
        return outputs.logits


if __name__ == "__main__":
    integrals = Integrals()
    serve({"load": integrals.load, "importances": integrals.importances})
