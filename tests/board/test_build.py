"""What is installed is what the source makes."""

from __future__ import annotations

import json
from pathlib import Path

from taskpilot.settings import Settings
from taskpilot.surfaces.rest.application import build_rest
from taskpilot.surfaces.web.board import BUILD
from tests.board.node import WEB, build, install, run


def read(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_building_it_again_makes_the_same_to_the_byte(tmp_path):
    build(tmp_path / "build")
    made, kept = read(tmp_path / "build"), read(BUILD)
    assert sorted(made) == sorted(kept), "Run `npm run build` in web/, and commit what it makes."
    assert [name for name in made if made[name] != kept[name]] == []


def test_the_page_knows_the_api_as_it_is(tmp_path):
    described, made = tmp_path / "openapi.json", tmp_path / "schema.d.ts"
    described.write_text(json.dumps(build_rest(None, None, Settings(auth="required")).openapi()))  # type: ignore[arg-type]
    install()
    run("node_modules/openapi-typescript/bin/cli.js", str(described), "--output", str(made))
    kept = WEB / "src" / "api" / "schema.d.ts"
    assert made.read_text() == kept.read_text(), "Run `npm run types` in web/, and commit what it makes."
