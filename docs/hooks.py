"""What the site takes from outside docs/: pages of the root and the notebooks, as pages of their own.

`mkdocs.yml` names this file. In the repository, pages link to `../CONTRIBUTING.md` and to
`../examples/NAME.ipynb`; in the site, these stand beside them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from nbconvert import MarkdownExporter

ROOT = Path(__file__).parents[1]
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md")
NOTEBOOKS = ROOT / "examples"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of docs/, the root's pages, and every notebook as Markdown with its pictures."""
    for name in PAGES:
        files.append(File.generated(config, name, content=inside((ROOT / name).read_text("utf-8"))))
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        text, resources = MarkdownExporter().from_filename(str(notebook))
        for picture, content in resources["outputs"].items():
            text = text.replace(f"({picture})", f"({notebook.stem}-{picture})")
            files.append(File.generated(config, f"examples/{notebook.stem}-{picture}", content=content))
        files.append(File.generated(config, f"examples/{notebook.stem}.md", content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links out of docs/ as links inside the site."""
    return inside(markdown)


def inside(text: str) -> str:
    """Links as they hold in the site.

    >>> inside("[a](../CONTRIBUTING.md) [b](../examples/survey.ipynb) [c](docs/survey.md)")
    '[a](CONTRIBUTING.md) [b](examples/survey.md) [c](survey.md)'
    """
    text = re.sub(r"\]\(\.\./(examples/[\w-]+)\.ipynb", r"](\1.md", text)
    text = re.sub(r"\]\(\.\./([A-Z]+\.md)", r"](\1", text)
    return re.sub(r"\]\((\.\./)?docs/", r"](\1", text)
