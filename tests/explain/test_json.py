"""Reports as text: read again without a compiler, also those of earlier versions; anything else is refused in words."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from enzyme_magic.errors import ArgumentError
from enzyme_magic.report import SCHEMA, Report

from .programs import RELU3


def test_a_report_of_the_first_schema_is_read(explained) -> None:
    data = json.loads(explained(RELU3, "relu3").to_json())
    data["schema"] = 1
    for later in ("selections",):
        del data[later]
    for later in ("alternatives", "sliders"):
        del data["cache"][later]
    for row in data["cache"]["rows"]:
        del row["because"]
    report = Report.from_json(json.dumps(data))
    assert report.schema == SCHEMA
    assert report.function == "relu3"
    assert report.selections == ()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", '{"schema": 1}', '{"schema": 99}', '{"schema": true}', '{"schema": 1, "source": 3}'],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Report.from_json(text)
    assert caught.value.code == "EM334"
    assert "to_json" in (caught.value.hint or "")


def test_a_report_with_a_changed_character_is_refused(explained) -> None:
    report = explained(RELU3, "relu3")
    text = report.to_json()
    for at in range(0, len(text), max(len(text) // 200, 1)):
        for other in "1x":
            changed = text[:at] + other + text[at + 1 :]
            if changed == text:
                continue
            with pytest.raises(ArgumentError) as caught:
                Report.from_json(changed)
            assert caught.value.code == "EM334"
    assert Report.from_json(json.dumps(json.loads(text), indent=2)) == report  # only what it says counts


def test_reading_needs_no_compiler(explained, tmp_path) -> None:
    path = tmp_path / "report.json"
    path.write_text(explained(RELU3, "relu3").to_json(), encoding="utf-8")
    script = (
        "import sys, pathlib, enzyme_magic as em\n"
        "report = em.Report.from_json(pathlib.Path(sys.argv[1]).read_text(encoding='utf-8'))\n"
        "assert report.function == 'relu3' and report.activity.rows()\n"
        "assert not {'llvmlite', 'numpy', 'IPython', 'ziglang'} & set(sys.modules), 'loaded'\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
