"""Files of a run folder for downloading: its tables, figures and record, and nothing else."""

from __future__ import annotations

from os.path import realpath
from pathlib import Path

from fastapi.responses import FileResponse, Response

from headscope.web.live.refusals import refused
from headscope.web.live.requests import shortened

RECORD = "run.json"
DEPTHS = {"tables": 3, "plots": 2}
"""What is offered, and how many names lead to a file there."""
IMAGES = {".png": "image/png", ".svg": "image/svg+xml"}
TYPES = {
    **IMAGES,
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".tex": "text/plain; charset=utf-8",
}
# A drawing that is opened by itself is a document, and may then run or load nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


def file_of(folder: Path | None, path: str) -> Response:
    """The file at a path of the run folder; images to be shown, all others to be saved."""
    if folder is None:
        return refused(404, "the server shows no run; start it with one: headscope serve RUN")
    file = find_file(folder, path)
    if file is None:
        return refused(
            404,
            f"the run has no file '{shortened(path)}'; it offers {RECORD}, tables/VERB/NAME and plots/NAME",
        )
    return FileResponse(
        file,
        media_type=TYPES.get(file.suffix, "application/octet-stream"),
        filename=file.name,
        content_disposition_type="inline" if file.suffix in IMAGES else "attachment",
        headers={"Content-Security-Policy": POLICY},
    )


def find_file(folder: Path, path: str) -> Path | None:
    """The file of that name if it is offered and really lies in the folder, links followed."""
    names = path.split("/")
    offered = path == RECORD or DEPTHS.get(names[0]) == len(names)
    if not offered or any(name.startswith(".") or "\\" in name for name in names):
        return None
    try:
        file = Path(realpath(folder.joinpath(*names)))
        return file if file.is_file() and file.is_relative_to(realpath(folder)) else None
    except (OSError, ValueError):  # a name that no file can have
        return None
