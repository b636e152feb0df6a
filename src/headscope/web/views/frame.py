"""A page as a notebook shows it: a frame of its own, which nothing else in the notebook can disturb."""

from __future__ import annotations

import os
from html import escape

from headscope.results.files import write_text
from headscope.web.page import standalone
from headscope.web.wire import Page


class PageFrame:
    """A page to look at; the last line of a cell shows it.

    It needs no network and no running kernel, so it also works in notebooks that are saved as HTML.
    height: in pixels, until the page knows its own.
    """

    def __init__(self, page: Page, height: int) -> None:
        self._page, self._height = page, height

    @property
    def html(self) -> str:
        """The whole page as one HTML text."""
        return standalone(self._page)

    @property
    def data(self) -> str:
        """The same as `html`, under the name that IPython's HTML objects use."""
        return self.html

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page as one HTML file that works offline."""
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{escape(self._page.title)}" width="100%" height="{self._height}" '
            f'style="border: 0; width: 100%; height: {self._height}px" srcdoc="{escape(self.html)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<PageFrame {self._page.title!r}: .save(path) writes it as HTML>"
