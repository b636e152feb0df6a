"""The documents behind a batch."""

from __future__ import annotations

from headscope.models import Sides
from headscope.text import Document


def documents_of(sides: Sides) -> list[Document]:
    """The document of each example; the task's cutter has put it into the segment."""
    documents = [segment.part for segment in sides.segments]
    assert all(documents), "segments without their document: they were not cut by the task's cutter"
    return [document for document in documents if document is not None]
