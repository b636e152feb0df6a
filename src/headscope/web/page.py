"""A page as one HTML file: the built client and the data it shows, with nothing to fetch."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files

from headscope.web.packing import as_json
from headscope.web.wire import Page

_SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="headscope {version}">
<title>{title}</title>
{style}
</head>
<body>
<div id="app"></div>
<noscript>This page draws with JavaScript; it loads nothing from elsewhere.</noscript>
<script type="application/json" id="page">{data}</script>
{script}
</body>
</html>
"""


def standalone(page: Page) -> str:
    """The page as one file that works offline."""
    style = f"<style>{asset('page.css')}</style>"
    # Inside a script element only an end tag could end it early.
    script = asset("page.js").replace("</script", "<\\/script")
    return _filled(page, style, f"<script>{script}</script>")


def served(page: Page) -> str:
    """The page as a server gives it, with the client beside it."""
    return _filled(page, '<link rel="stylesheet" href="/page.css">', '<script src="/page.js"></script>')


@cache
def asset(name: str) -> str:
    """A file of the built client."""
    return (files("headscope.web") / "built" / name).read_text("utf-8")


def _filled(page: Page, style: str, script: str) -> str:
    return _SHELL.format(
        version=escape(page.version), title=escape(page.title), style=style, data=as_json(page), script=script
    )
