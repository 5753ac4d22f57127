"""`python -m enzyme_magic demo [FILE]`, `report FILE -o OUT` and `doctor [CODE]`: without a notebook.

The demo is the main job through the public API: compile the talk's function as its slide prints it, call it,
differentiate it, say why, and write the page.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

RELU3 = """\
double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
"""


def demo(target: Path) -> int:
    """Prints source, values, gradients and the first screen; writes the page that answers clicks to `target`."""
    import enzyme_magic as em
    from enzyme_magic._magic.screen import say
    from enzyme_magic.viz.views import view

    relu3 = em.compile_c(RELU3, name="relu3.c").relu3
    say(RELU3)
    for x in (2.0, -1.0):
        say(f"relu3({x}) = {relu3(x)}    relu3.grad({x}) = {relu3.grad(x)}")
    points = [-2.0, -1.0, 0.0, 1.0, 2.0]
    say(f"relu3.grad.map({points}) = {relu3.grad.map(points).tolist()}")
    say("\n" + view(relu3.report).text)
    say(f"\nwhy is line 4 active?\n{relu3.why('line 4')}")
    target.parent.mkdir(parents=True, exist_ok=True)
    written = relu3.export(target)
    say(f"\n{target} answers clicks; open it in a browser:\n{written.as_uri()}")
    return 0


def doctor(codes: list[str]) -> int:
    """0 when everything works; 1 otherwise."""
    from enzyme_magic import doctor
    from enzyme_magic._magic.screen import say

    if codes:
        say("\n\n".join(map(doctor.explain, codes)))
        return 0
    findings = doctor.examine()
    say(doctor.text(findings))
    return 0 if all(finding.ok for finding in findings) else 1


def main(arguments: list[str]) -> int:
    """The exit status."""
    from enzyme_magic._magic import report_command

    parser = argparse.ArgumentParser(prog="python -m enzyme_magic", description="Gradients of C functions.")
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("demo", help="compile and differentiate a function, and draw what happened")
    first.add_argument("file", nargs="?", type=Path, default=Path("relu3.html"), help="the HTML page to write")
    second = commands.add_parser("doctor", help="does everything work here?")
    second.add_argument("codes", nargs="*", metavar="CODE", help="explain this error code instead")
    report_command.add(commands)
    found = parser.parse_args(arguments)
    if found.command == "report":
        return report_command.run(found)
    return demo(found.file) if found.command == "demo" else doctor(found.codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
