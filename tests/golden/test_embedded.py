"""The embedded model over the demo text, against the definitions written out as plain loops in float64."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pytest
import torch
import transformers as tf
import xarray as xr

from headscope import survey
from headscope.models.embedded import embedded_folder
from headscope.text import Document, Segment, cut

PIECES, SEGMENTS, REACH = 96, 12, 8


@dataclass
class Sample:
    """Segments with their maps (head, query, key), float64."""

    segments: list[Segment]
    maps: list[np.ndarray]
    tokens: list[list[str]]


@pytest.fixture(scope="module")
def passages() -> list[str]:
    """Passages that give twelve segments."""
    text = (files("headscope.demo") / "passages.txt").read_text(encoding="utf-8")
    return [" ".join(passage.split("\n")) for passage in text.split("\n\n")[:9]]


@pytest.fixture(scope="module")
def sample(passages: list[str]) -> Sample:
    folder = embedded_folder()
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    documents = [Document.from_text(f"#{number}", text) for number, text in enumerate(passages)]
    segments = [one for document in documents for one in cut(document, tokenizer, PIECES, pair=True)]
    maps = []
    for segment in segments:
        with torch.no_grad():
            outputs = model(
                input_ids=torch.tensor(segment.pieces)[None],
                token_type_ids=torch.tensor(segment.types)[None],
                output_attentions=True,
            )
        maps.append(torch.cat([one[0] for one in outputs.attentions]).double().numpy())
    tokens = [tokenizer.convert_ids_to_tokens(segment.pieces.tolist()) for segment in segments]
    return Sample(segments, maps, tokens)


@pytest.fixture(scope="module")
def found(passages: list[str]) -> xr.Dataset:
    return survey("default", passages, pieces=PIECES, batch_size=5, gradients=False).arrays["heads"]


def mean_over_segments(sample: Sample, measure) -> np.ndarray:
    """(head,): measure(map (query, key), tokens) of each segment, None where undefined; equal weights."""
    means = []
    for head in range(len(sample.maps[0])):
        values = [
            measure(maps[head], tokens) for maps, tokens in zip(sample.maps, sample.tokens, strict=True)
        ]
        defined = [value for value in values if value is not None]
        means.append(np.mean(defined) if defined else np.nan)
    return np.array(means)


def row_entropy(row: np.ndarray) -> float:
    positive = row[row > 0]
    return float(-(positive * np.log(positive)).sum())


def entropy(one: np.ndarray, tokens: list[str]) -> float:
    return np.mean([row_entropy(row) for row in one])


def at_offset(offset: int):
    def measure(one: np.ndarray, tokens: list[str]) -> float | None:
        pairs = [one[q, q + offset] for q in range(len(one)) if 0 <= q + offset < len(one)]
        return np.mean(pairs) if pairs else None

    return measure


def share_to(is_kind, from_kind=None):
    """Attention to all keys of a kind, mean over the queries that `from_kind` accepts."""

    def measure(one: np.ndarray, tokens: list[str]) -> float | None:
        keys = [number for number, token in enumerate(tokens) if is_kind(token)]
        rows = [q for q, token in enumerate(tokens) if from_kind is None or from_kind(token)]
        return np.mean([one[q, keys].sum() for q in rows]) if rows else None

    return measure


def is_sep(token: str) -> bool:
    return token == "[SEP]"


def is_cls(token: str) -> bool:
    return token == "[CLS]"


def is_special(token: str) -> bool:
    return token in ("[CLS]", "[SEP]")


def is_stop(token: str) -> bool:
    return token in (".", ",")


def is_punctuation(token: str) -> bool:
    plain = token[2:] if token.startswith("##") and len(token) > 2 else token
    return not is_special(token) and all(unicodedata.category(mark)[0] in "PS" for mark in plain)


def not_(kind):
    return lambda token: not kind(token)


def check(values: xr.DataArray, expected: np.ndarray) -> None:
    assert np.isfinite(expected).all()
    # The logarithm of the compiled sums is good to 3e-7, which shows where a whole entropy is near 0.
    np.testing.assert_allclose(values.values, expected, rtol=1e-4, atol=1e-6)


def test_the_sample_is_what_the_survey_saw(sample: Sample, found: xr.Dataset) -> None:
    assert found.attrs["segments"] == len(sample.segments) >= SEGMENTS
    assert found.attrs["documents"] == 9
    assert len({len(segment) for segment in sample.segments}) > 3, "segments of several lengths"


def test_entropies(sample: Sample, found: xr.Dataset) -> None:
    check(found["entropy"], mean_over_segments(sample, entropy))
    check(found["entropy_first"], mean_over_segments(sample, lambda one, _: row_entropy(one[0])))
    check(found["entropy_last"], mean_over_segments(sample, lambda one, _: row_entropy(one[-1])))


@pytest.mark.parametrize("offset", [-8, -2, -1, 0, 1, 2, 8])
def test_offsets(sample: Sample, found: xr.Dataset, offset: int) -> None:
    check(found["offset"].sel(distance=offset), mean_over_segments(sample, at_offset(offset)))


def test_near_targets(sample: Sample, found: xr.Dataset) -> None:
    for name, offset in (("self", 0), ("previous", -1), ("next", 1)):
        check(found["share"].sel(target=name), mean_over_segments(sample, at_offset(offset)))
    check(found["share"].sel(target="first"), mean_over_segments(sample, lambda one, _: one[:, 0].mean()))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("[CLS]", is_cls), ("[SEP]", is_sep), ("any special", is_special), (". or ,", is_stop),
        ("all punctuation", is_punctuation), ("word", lambda t: not is_special(t) and not is_punctuation(t)),
    ],
)  # fmt: skip
def test_shares_of_kinds(sample: Sample, found: xr.Dataset, name: str, kind) -> None:
    check(found["share"].sel(target=name), mean_over_segments(sample, share_to(kind)))


@pytest.mark.parametrize(
    ("name", "kind"), [("[CLS]", is_cls), ("[SEP]", is_sep), ("any special", is_special)]
)
def test_special_tokens_from_themselves_and_from_others(sample, found, name: str, kind) -> None:
    special = found["special"].sel(kind=name)
    check(special.sel(origin="itself"), mean_over_segments(sample, share_to(kind, kind)))
    check(special.sel(origin="other"), mean_over_segments(sample, share_to(kind, not_(kind))))


def test_the_strongest_share(sample: Sample, found: xr.Dataset) -> None:
    check(found["strongest"], mean_over_segments(sample, lambda one, _: one.max(1).mean()))


def test_even_attention(sample: Sample, found: xr.Dataset) -> None:
    even = Sample(
        sample.segments, [np.full((1, len(s), len(s)), 1 / len(s)) for s in sample.segments], sample.tokens
    )
    heads = found.sizes["head"]
    check(found["entropy_uniform"], mean_over_segments(even, entropy).repeat(heads))
    check(
        found["strongest_uniform"], mean_over_segments(even, lambda one, _: one.max(1).mean()).repeat(heads)
    )
    for name, kind in (("[SEP]", is_sep), (". or ,", is_stop)):
        check(found["share_uniform"].sel(target=name), mean_over_segments(even, share_to(kind)).repeat(heads))
    for offset in (-1, 1, 5):
        expected = mean_over_segments(even, at_offset(offset)).repeat(heads)
        check(found["offset_uniform"].sel(distance=offset), expected)


def test_standard_errors_over_documents(sample: Sample, found: xr.Dataset) -> None:
    documents = sorted({segment.document for segment in sample.segments})
    for head in (0, 17, 71):
        values = np.array([entropy(maps[head], []) for maps in sample.maps])
        mean = values.mean()
        of = np.array([segment.document for segment in sample.segments])
        residuals = [values[of == name].sum() - mean * (of == name).sum() for name in documents]
        count = len(documents)
        expected = np.sqrt(sum(r**2 for r in residuals) * count / (count - 1)) / len(values)
        assert found["entropy_se"].values[head] == pytest.approx(expected, rel=1e-3)


def divergence(first: np.ndarray, second: np.ndarray) -> float:
    """Mean Jensen-Shannon divergence per query."""
    middle = (first + second) / 2
    total = 0.0
    for one in (first, second):
        positive = one > 0
        total += (one[positive] * np.log(one[positive] / middle[positive])).sum() / 2
    return total / len(first)


def test_divergences(sample: Sample, found: xr.Dataset) -> None:
    pairs = [(0, 1), (0, 71), (5, 40), (12, 13), (30, 31), (33, 60), (47, 48), (58, 70), (22, 23), (70, 71)]
    matrix = found["divergence"].values
    for i, j in pairs:
        expected = np.mean([divergence(maps[i], maps[j]) for maps in sample.maps])
        assert matrix[i, j] == pytest.approx(expected, rel=1e-4)
        assert matrix[j, i] == matrix[i, j]


def test_divergences_down_to_the_closest_pair(sample: Sample, found: xr.Dataset) -> None:
    matrix = found["divergence"].values.copy()
    np.fill_diagonal(matrix, np.inf)
    i, j = np.unravel_index(matrix.argmin(), matrix.shape)
    expected = np.mean([divergence(maps[i], maps[j]) for maps in sample.maps])
    assert matrix[i, j] == pytest.approx(expected, rel=1e-4)
