"""`headscope serve [RUN]`"""

from __future__ import annotations

import errno
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headscope.cli.options import Adapter, Device, Dtype, Precision, Revision
from headscope.errors import HeadscopeError, OptionError

if TYPE_CHECKING:
    from fastapi import FastAPI

ADDRESS = "127.0.0.1"
TRIED = 100
LAST_PORT = 65535
SECONDS_TO_END = 3


def serve(
    run: Annotated[
        Path | None,
        typer.Argument(metavar="RUN", help="Run folder, whose report is shown as well."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="Folder, hub name, .gguf file, or `default`; repeat it to offer several."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=LAST_PORT, help="Port to listen at; 0 takes any.")] = 8765,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
    adapter: Adapter = None,
    device: Device = "cpu",
    dtype: Dtype = Precision.float32,
    revision: Revision = None,
) -> None:
    """The page, live: type a sentence and look at any head, switch heads off, compare two models.

    It answers this machine alone, at http://127.0.0.1:8765. Without --model it runs the model of RUN, or the
    embedded default. Ctrl-C ends it.

    Example: `headscope serve runs/demo --open`
    """
    _check_installed()
    listening = listen(port)
    port = listening.getsockname()[1]
    with listening:
        app = _application(run, model or [], port, adapter, device, dtype, revision)
        _tell(f"http://{ADDRESS}:{port}", open)
        _run(app, listening)


def _application(
    run: Path | None, named: list[str], port: int,
    adapter: Path | None, device: str, dtype: str, revision: str | None,
) -> FastAPI:  # fmt: skip
    """The server of the chosen models and the run's report."""
    from headscope.cli.screen import console
    from headscope.cli.served_models import choose_models
    from headscope.results.run import open as open_run

    opened = None if run is None else open_run(run)
    chosen = choose_models(named, opened, revision)
    console.print(chosen.why, soft_wrap=True, markup=False)
    from headscope.jobs.explore import Models
    from headscope.models.places import locate
    from headscope.web.report import report_of
    from headscope.web.server import application

    for place in chosen.places.values():
        locate(place, chosen.revision)  # a folder that is not there is told now, not on the page
    models = Models(chosen.places, adapter=adapter, device=device, dtype=dtype, revision=chosen.revision)
    report = None if opened is None else report_of(opened)
    return application(models, report=report, run_folder=run, port=port)


def _check_installed() -> None:
    for package in ("fastapi", "uvicorn"):
        if find_spec(package) is None:
            raise HeadscopeError(
                f"the live page needs the package {package}; run pip install fastapi uvicorn"
            )


def listen(port: int) -> socket.socket:
    """A socket that this machine alone can reach; a taken port is told with the next free one."""
    try:
        return _bound(port)
    except OSError as error:
        if error.errno == errno.EACCES:
            raise OptionError(f"--port {port} needs a privileged user; take one from 1024 on") from None
        if error.errno != errno.EADDRINUSE:
            raise
    raise OptionError(f"port {port} is taken by another program; try --port {_next_free(port)}")


def _bound(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((ADDRESS, port))
        made.listen()
    except OSError:
        made.close()
        raise
    return made


def _next_free(port: int) -> int:
    """The next port that can be taken, 0 (any) if none is near."""
    for other in range(port + 1, min(port + TRIED, LAST_PORT) + 1):
        try:
            _bound(other).close()
        except OSError:
            continue
        return other
    return 0


def _tell(address: str, open: bool) -> None:
    from headscope.cli.screen import console

    console.print(f"\n{address}\n\nCtrl-C ends it.", soft_wrap=True)
    if open:
        import webbrowser

        # The socket listens already, so the browser waits until the server answers.
        webbrowser.open(address)


def _run(app: FastAPI, listening: socket.socket) -> None:
    """Answer until Ctrl-C."""
    import uvicorn

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", ws="none", server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )  # fmt: skip
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        # The server has ended in order and only then passes the interruption on.
        return
