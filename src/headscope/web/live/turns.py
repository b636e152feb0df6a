"""Work for which requests wait in line, one at a time, while the server stays free for others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread
from fastapi import Request

Answer = TypeVar("Answer")


class Turns:
    """A line before one worker thread; whoever goes away leaves it."""

    def __init__(self) -> None:
        self._limiter = anyio.CapacityLimiter(1)

    async def take(self, request: Request, work: Callable[[], Answer]) -> Answer | None:
        """What the work gives, when its turn comes; None if the client has gone away.

        Work that has begun is finished even for a client that is gone: a thread cannot be stopped.
        """
        with anyio.CancelScope() as scope:
            watch = asyncio.create_task(_cancel_when_gone(request, scope))
            try:
                return await anyio.to_thread.run_sync(work, limiter=self._limiter)
            finally:
                watch.cancel()
        return None


async def _cancel_when_gone(request: Request, scope: anyio.CancelScope) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
