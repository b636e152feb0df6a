"""The compiled sums agree with the plain definitions, and their logarithm is good enough."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from numba import njit

from headscope.measures import compiled, information
from headscope.measures.surface import Lengths, SurfaceSums, surface_sums


@njit
def _each(x: np.ndarray, out: np.ndarray) -> None:
    for number in range(len(x)):
        out[number] = compiled._times_log2(x[number])


def test_the_logarithm_over_all_mantissas() -> None:
    x = (np.arange(2**23, dtype=np.int32) | np.int32(0x3F800000)).view(np.float32)
    out = np.empty_like(x)
    _each(x, out)
    wide = x.astype(np.float64)
    assert np.abs(out / wide - np.log2(wide)).max() < 1e-6


def test_the_logarithm_over_all_exponents() -> None:
    exponents = np.arange(-126, 100, dtype=np.float32)
    x = np.float32(2.0) ** exponents
    out = np.empty_like(x)
    _each(x, out)
    assert np.array_equal(out, x * exponents)


def test_zero_counts_nothing() -> None:
    out = np.ones(1, dtype=np.float32)
    _each(np.zeros(1, dtype=np.float32), out)
    assert out[0] == 0


def random_maps(*shape: int, seed: int = 0, sharpness: float = 4.0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.softmax(torch.randn(*shape, generator=generator) * sharpness, -1)


def random_lengths(batch: int, queries: int, keys: int, same: bool) -> Lengths:
    generator = np.random.default_rng(batch)
    query = generator.integers(1, queries + 1, batch)
    query[0] = queries
    key = query.copy() if same else generator.integers(1, keys + 1, batch)
    kinds = 5
    query_kinds = generator.integers(0, kinds, (batch, queries))
    key_kinds = query_kinds if same else generator.integers(0, kinds, (batch, keys))
    return Lengths(query, key, query_kinds, key_kinds, kinds)


def padded(maps: torch.Tensor, lengths: Lengths) -> torch.Tensor:
    """Maps whose rows sum to 1 over the real keys, with nothing on padding."""
    real = torch.arange(maps.shape[-1]) < torch.as_tensor(lengths.key)[:, None]
    maps = maps * real[:, None, None]
    return maps / maps.sum(-1, keepdim=True).clamp_min(1e-30)


def check_same(first: SurfaceSums, second: SurfaceSums, tolerance: float = 2e-6) -> None:
    for field in fields(SurfaceSums):
        one, two = getattr(first, field.name), getattr(second, field.name)
        assert one.shape == two.shape and one.dtype == two.dtype == np.float64
        assert np.allclose(one, two, rtol=tolerance, atol=tolerance * 20), field.name


@pytest.mark.parametrize(
    ("batch", "queries", "keys"), [(1, 1, 1), (1, 3, 3), (3, 12, 12), (4, 40, 40), (2, 6, 17), (3, 21, 9)]
)
def test_surface_sums(batch: int, queries: int, keys: int) -> None:
    lengths = random_lengths(batch, queries, keys, same=queries == keys)
    maps = padded(random_maps(batch, 5, queries, keys), lengths)
    rows = torch.arange(queries)
    plain = surface_sums(maps, rows, lengths)
    fast = compiled.surface_sums(maps.numpy(), rows.numpy(), lengths)
    check_same(fast, plain)


@pytest.mark.parametrize("cuts", [[0, 1, 2, 20], [0, 7, 13, 20]])
def test_blocks_of_rows_add_up(cuts: list[int]) -> None:
    lengths = random_lengths(3, 20, 20, same=True)
    maps = padded(random_maps(3, 4, 20, 20), lengths)
    whole = surface_sums(maps, torch.arange(20), lengths)
    for function in (surface_sums, lambda w, r, n: compiled.surface_sums(w.numpy(), r.numpy(), n)):
        total = SurfaceSums.zeros(3, 4, 5)
        for start, stop in pairwise(cuts):
            total += function(maps[:, :, start:stop], torch.arange(start, stop), lengths)
        check_same(total, whole)


def test_sampled_rows() -> None:
    lengths = random_lengths(2, 15, 15, same=True)
    maps = padded(random_maps(2, 3, 15, 15), lengths)
    rows = torch.tensor([0, 4, 5, 14])
    some = maps[:, :, rows]
    check_same(compiled.surface_sums(some.numpy(), rows.numpy(), lengths), surface_sums(some, rows, lengths))


@pytest.mark.parametrize(
    ("heads", "queries", "keys"), [(2, 1, 1), (4, 9, 9), (12, 40, 40), (3, 5, 70), (150, 6, 6)]
)
def test_divergences(heads: int, queries: int, keys: int) -> None:
    maps = random_maps(heads, queries, keys, seed=heads)
    found = compiled.divergences(maps.numpy())
    wide = maps.double()
    expected = information.jensen_shannon(wide[:, None], wide[None]).sum(-1).numpy()
    assert np.allclose(found, expected, rtol=1e-5, atol=queries * 1e-6)
    assert np.array_equal(found, found.T) and not found.diagonal().any()


@pytest.mark.parametrize("threads", [2, 3])
def test_sums_do_not_depend_on_the_threads(threads: int) -> None:
    maps = random_maps(24, 60, 60).numpy()
    alone = compiled.divergences(maps).tobytes()
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    shared = compiled.divergences(maps).tobytes()
    torch.set_num_threads(before)
    assert shared == alone


def test_divergences_of_equal_heads_are_next_to_nothing() -> None:
    maps = random_maps(1, 30, 30).expand(3, 30, 30).contiguous()
    assert compiled.divergences(maps.numpy()).max() < 30 * 1e-6


def test_what_was_just_compiled_rounds_as_what_is_read_from_disk(tmp_path: Path) -> None:
    """A run that was stopped goes on in a process that finds compiled code, and must end in the same bits."""
    program = (
        "import numpy as np\n"
        "from headscope.measures.compiled import divergences\n"
        "draw = np.random.default_rng(0).random((8, 40, 40), np.float32)\n"
        "for keys in range(17, 33):\n"
        "    maps = np.ascontiguousarray(draw[:, :keys, :keys])\n"
        "    print(divergences(maps / maps.sum(-1, keepdims=True)).tobytes().hex())"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    made, read = (subprocess.check_output(command, env=environment, timeout=600) for _ in range(2))
    assert made and made == read
