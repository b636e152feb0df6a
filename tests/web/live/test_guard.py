"""Other sites, large bodies and paths out of the run folder are refused."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from headscope.web.live.guard import LARGEST_BODY
from tests.web.live.serving import JSON, POST, message, port_of, serving, tiny_models


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a run's, with links and files that are none of the page's business."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.csv").write_text("hidden words")
    folder = outside / "run"
    for name in ("tables", "tables/survey", "plots", "shards", "plots/deep"):
        (folder / name).mkdir(parents=True)
    contents = {
        "run.json": "{}", "tables/survey/heads.csv": "head\nL0H1\n", "plots/roles.svg": "<svg/>",
        "plots/roles.pdf": "%PDF", "plots/.tmp-1.png": "half", "plots/deep/a.png": "x", "shards/0.csv": "1",
        "report.html": "<p>",
    }  # fmt: skip
    for name, content in contents.items():
        (folder / name).write_text(content)
    (folder / "tables/survey/link.csv").symlink_to(outside / "secret.csv")
    (folder / "tables/survey/circle.csv").symlink_to(folder / "tables/survey/circle.csv")
    (folder / "tables/survey/inner.csv").symlink_to(folder / "tables/survey/heads.csv")
    return folder


@pytest.fixture(scope="module")
def client(run: Path) -> Iterator[httpx.Client]:
    with serving(tiny_models(), run_folder=run) as client:
        yield client


def raw(client: httpx.Client, request: str) -> str:
    """What the server answers to bytes that no well-behaved client would send."""
    with socket.create_connection(("127.0.0.1", port_of(client)), timeout=100) as connection:
        connection.sendall(request.encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def test_the_names_of_this_machine_are_answered(client: httpx.Client) -> None:
    port = port_of(client)
    for host in (
        "localhost",
        "127.0.0.1",
        "[::1]",
        f"localhost:{port}",
        f"LocalHost:{port}",
        f"[::1]:{port}",
    ):
        same = {"Host": host, "Origin": f"http://{host.lower()}", "Sec-Fetch-Site": "same-origin"}
        assert client.get("/api/models", headers=same).status_code == 200
        assert client.get("/api/models", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.org", "localhost.evil.org", "evil.org:80", "localhost:1", "127.0.0.1.", "0.0.0.0", "::1", ""],
)
def test_other_hosts_are_refused(client: httpx.Client, host: str) -> None:
    for path in ("/", "/api/models", "/page.js", "/run/run.json"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 421
        assert f"not to '{host}'" in message(answer)


def test_a_request_without_a_host_is_refused(client: httpx.Client) -> None:
    assert raw(client, "GET / HTTP/1.0\r\n\r\n").startswith("HTTP/1.1 421 ")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.org"},
        {"Origin": "null"},
        {"Origin": "http://localhost"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
def test_pages_of_other_sites_are_refused(client: httpx.Client, headers: dict[str, str]) -> None:
    sent = {name: value.format(port=port_of(client)) for name, value in headers.items()}
    question = {"model": "tiny", "text": "A ship."}
    for answer in (
        client.get("/api/models", headers=sent),
        client.post("/api/look", json=question, headers=sent),
    ):
        assert answer.status_code == 403
        assert "may not ask this server" in message(answer)


def test_a_link_on_this_machine_may_lead_here(client: httpx.Client) -> None:
    headers = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_forms_are_refused(client: httpx.Client, kind: str) -> None:
    answer = client.post("/api/look", content=b"{}", headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert message(answer) == f"the content type is '{kind}'; send the question as application/json"


def test_a_large_body_is_refused_before_it_is_read(client: httpx.Client) -> None:
    answer = raw(client, f"{POST}Content-Length: {LARGEST_BODY + 1}\r\n\r\n")
    assert answer.startswith("HTTP/1.1 413 ") and "larger than 1 MB" in answer
    at_limit = client.post("/api/look", content=b" " * LARGEST_BODY, headers=JSON)
    assert at_limit.status_code == 422


def test_a_large_body_in_chunks_is_refused_while_it_comes(client: httpx.Client) -> None:
    answer = client.post("/api/look", content=iter([b" " * 50_000] * 40), headers=JSON)
    assert answer.status_code == 413
    assert "larger than 1 MB" in message(answer)
    assert client.get("/api/models").status_code == 200


def test_a_body_without_end_is_cut_off(client: httpx.Client) -> None:
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", port_of(client)), timeout=100) as connection:
        connection.sendall(f"{POST}Transfer-Encoding: chunked\r\n\r\n".encode())
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            for _ in range(100_000):
                connection.sendall(chunk)


def test_files_of_the_run_are_given(client: httpx.Client) -> None:
    expected = {
        "run.json": ("application/json", "attachment", "{}"),
        "tables/survey/heads.csv": ("text/csv; charset=utf-8", "attachment", "head\nL0H1\n"),
        "tables/survey/inner.csv": ("text/csv; charset=utf-8", "attachment", "head\nL0H1\n"),
        "plots/roles.svg": ("image/svg+xml", "inline", "<svg/>"),
        "plots/roles.pdf": ("application/pdf", "attachment", "%PDF"),
    }
    for path, (kind, disposition, content) in expected.items():
        answer = client.get(f"/run/{path}")
        assert (answer.status_code, answer.text) == (200, content)
        assert answer.headers["content-type"] == kind
        assert answer.headers["content-disposition"].startswith(f'{disposition}; filename="')
        assert answer.headers["content-security-policy"].endswith("sandbox")


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv", "tables/../../secret.csv", "tables/survey/../../../secret.csv", "%2e%2e/secret.csv",
        "tables/%2e%2e/%2e%2e/secret.csv",
        "tables%2f..%2f..%2fsecret.csv", "..%5csecret.csv", "tables/..%5c..%5csecret.csv", "/etc/passwd",
        "%2fetc%2fpasswd", "//etc/passwd", "tables/survey/link.csv", "tables/heads.csv", "tables", "tables/",
        "plots/deep/a.png",
        "plots/deep", "plots/.tmp-1.png", "shards/0.csv", "report.html", "tables/survey/heads.csv%00.png",
        "tables/survey/none.csv", "tables/survey/circle.csv", "", ".", "tables/" + "a" * 5000,
        "C:%5cboot.ini",
    ],
)  # fmt: skip
def test_nothing_else_is_given(client: httpx.Client, path: str) -> None:
    answer = raw(client, f"GET /run/{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.startswith("HTTP/1.1 404 ")
    assert '{"message":"the run has no file ' in answer and "hidden words" not in answer
