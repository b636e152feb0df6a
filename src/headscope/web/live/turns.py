"""Work for which requests wait in line, one at a time, while the server stays free for others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from fastapi import Request

Answer = TypeVar("Answer")


class Ended(Exception):
    """Raised in work that the server no longer waits for."""


class Turns:
    """A line before one worker thread; whoever goes away leaves it."""

    def __init__(self) -> None:
        self._limiter = anyio.CapacityLimiter(1)
        self._ended = False

    def end(self) -> None:
        """Let no work go on; may be called from a signal's handler."""
        self._ended = True

    def go_on(self) -> None:
        """Called by work now and then: ends it where its client has gone away, or the server ends."""
        anyio.from_thread.check_cancelled()
        if self._ended:
            raise Ended

    async def take(self, request: Request, work: Callable[[], Answer]) -> Answer | None:
        """What the work gives, when its turn comes; None if the client has gone away.

        Work that has begun for a client that is gone ends when it next calls `go_on`; such as never does is
        finished, for a thread cannot be stopped.
        """
        with anyio.CancelScope() as scope:
            watch = asyncio.create_task(_cancel_when_gone(request, scope))
            try:
                return await anyio.to_thread.run_sync(work, limiter=self._limiter)
            except Ended:
                return None
            finally:
                watch.cancel()
        return None


async def _cancel_when_gone(request: Request, scope: anyio.CancelScope) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
