"""Labels and tags as tables, JSON lines and data sets write them."""

from __future__ import annotations

import re

from headscope.text.lines import Place

# As tables write numbers that Python has as floats; a version such as 1.2.3 is a name.
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)")


def label_text(name: str, value: object, place: Place) -> str:
    """The label in a column as text: a text, a whole number or a truth value; 1.0 is the whole number 1.

    >>> label_text("label", 1.0, Place("a.csv", 2)), label_text("label", " 1.0", Place("a.csv", 2))
    ('1', '1')
    """
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is None or (isinstance(value, str) and not value.strip()):
        raise place.error(f"'{name}' is empty; every row needs a label")
    if not isinstance(value, (str, int)):
        raise place.error(
            f"'{name}' holds a label, which is a text, a whole number or true or false, but here it is "
            f"{type(value).__name__}: {str(value)[:60]}; if this is the name of a class, put a letter to it"
        )
    return str(value).strip()
