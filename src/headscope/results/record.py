"""run.json: which verbs wrote into a run folder, what each was asked, and whether it has finished."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from headscope.errors import RunError, located
from headscope.results.declaration import Declaration
from headscope.results.files import write_json
from headscope.results.plain import plain
from headscope.results.provenance import now, stamp, version
from headscope.results.result import Finding, check_name

NAME = "run.json"
FORMAT = 2

_ABSENT = object()


@dataclass
class Entry:
    """What run.json keeps of one verb; the names say what lies in arrays.zarr, tables/ and plots/.

    tables: what each says about itself. findings: what was found, in sentences. roles: the table that gives
    heads roles. captions: what each plot shows. checksums: of what is read back, by its path within the
    folder.
    """

    asked: dict[str, Any]
    started: str
    finished: bool = False
    ended: str = ""
    notes: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    tables: dict[str, Declaration] = field(default_factory=dict)
    plots: list[str] = field(default_factory=list)
    roles: str | None = None
    findings: list[Finding] = field(default_factory=list)
    captions: dict[str, str] = field(default_factory=dict)
    checksums: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, asked: dict[str, Any]) -> Entry:
        """An unfinished entry that starts now."""
        return cls(plain(asked), stamp(now()))

    def plain(self) -> dict[str, Any]:
        """As run.json holds it."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        tables = {name: table.plain() for name, table in self.tables.items()}
        return values | {"tables": tables, "findings": [_plain(finding) for finding in self.findings]}

    @property
    def subjects(self) -> list[dict[str, Any]]:
        """What names model and data: the verb's identity, or those of the runs that a comparison read."""
        own = self.asked["identity"]
        runs = own.get("runs")
        return [run for run in runs if isinstance(run, dict)] if isinstance(runs, list) else [own]


@dataclass
class Record:
    """The content of run.json."""

    verbs: dict[str, Entry] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Record:
        """Read a folder's run.json; say what is wrong with one that cannot be read."""
        path = folder / NAME
        content = _expect(path, "it", _parse(path), dict)
        made = content.get("format")
        if isinstance(made, int) and made > FORMAT:
            raise _broken(path, f"has format {made}, newer than the {FORMAT} known here; update headscope")
        if isinstance(made, int) and 0 < made < FORMAT:
            raise RunError(
                f"{path.parent} was written by an older version of headscope, which this one cannot read; "
                "ask again with another --out"
            )
        if made != FORMAT:
            raise _broken(path, f"has format {made!r}, expected {FORMAT}")
        verbs = _expect(path, "verbs", content.get("verbs"), dict)
        return cls({check_name("verb", verb): _entry(path, verb, verbs[verb]) for verb in verbs})

    def write(self, folder: Path) -> None:
        """Write run.json in one step."""
        verbs = {verb: entry.plain() for verb, entry in self.verbs.items()}
        write_json(folder / NAME, {"format": FORMAT, "headscope": version(), "verbs": verbs})


def difference(old: Any, new: Any, name: str = "") -> tuple[str, str, str] | None:
    """The first option that differs between two plain values: its name, the old value, the new value.

    >>> difference({"seed": 1, "data": {"limit": 5}}, {"seed": 1, "data": {"limit": 9}})
    ('data.limit', '5', '9')
    >>> difference({"seed": 1}, {"seed": 1}) is None
    True
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            inner = f"{name}.{key}" if name else key
            first = difference(old.get(key, _ABSENT), new.get(key, _ABSENT), inner)
            if first is not None:
                return first
        return None
    # 1 and 1.0 are the same option; True and 1 are not.
    if old == new and isinstance(old, bool) == isinstance(new, bool):
        return None
    return name, _show(old), _show(new)


def _show(value: Any) -> str:
    return "not given" if value is _ABSENT else json.dumps(value, ensure_ascii=False)


def _parse(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise RunError(f"{path.parent} is not a run folder: it has no {NAME}") from None
    except OSError as error:
        raise RunError(located(path, None, f"cannot be read ({error.strerror})")) from error
    except json.JSONDecodeError as error:
        raise _broken(path, f"is not JSON ({error.msg})", error.lineno) from error
    except UnicodeDecodeError as error:
        raise _broken(path, f"is not UTF-8 (byte {error.start})") from error


def _entry(path: Path, verb: str, content: Any) -> Entry:
    where = f"verbs.{verb}"
    fields = _expect(path, where, content, dict)
    kinds = {"asked": dict, "finished": bool, "started": str, "ended": str}
    kinds |= dict.fromkeys(("notes", "arrays", "plots", "findings"), list)
    kinds |= dict.fromkeys(("tables", "captions", "checksums"), dict)
    values = {key: _expect(path, f"{where}.{key}", fields.get(key), kind) for key, kind in kinds.items()}
    _expect(path, f"{where}.asked.identity", values["asked"].get("identity"), dict)
    for key in ("notes", "arrays", "tables", "plots"):
        for item in values[key]:
            _expect(path, f"{where}.{key}", item, str)
            if key != "notes":
                check_name(key[:-1], item)
    values["tables"] = {
        name: _declaration(path, where, name, says) for name, says in values["tables"].items()
    }
    for key in ("captions", "checksums"):
        for name, text in values[key].items():
            _expect(path, f"{where}.{key}.{name}", text, str)
    values["findings"] = _findings(path, where, values["findings"])
    roles = fields.get("roles")
    return Entry(**values, roles=None if roles is None else _expect(path, f"{where}.roles", roles, str))


def _plain(finding: Finding) -> dict[str, Any]:
    return {name: value for name, value in asdict(finding).items() if name != "read"}


def _findings(path: Path, where: str, contents: list[Any]) -> list[Finding]:
    try:
        return [Finding(**content | {"columns": tuple(content.get("columns", ()))}) for content in contents]
    except TypeError as error:
        raise _broken(path, f"{where}.findings: {error}") from error


def _declaration(path: Path, where: str, name: str, content: Any) -> Declaration:
    try:
        return Declaration.from_plain(content)
    except RunError as error:
        raise _broken(path, f"{where}.tables.{name}: {error}") from error


def _expect(path: Path, what: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise _broken(path, f"{what} should be a {kind.__name__}, found {type(value).__name__}")
    return value


def _broken(path: Path, what: str, line: int | None = None) -> RunError:
    return RunError(located(path, line, f"{what}; restore the file, or choose another folder with --out"))
