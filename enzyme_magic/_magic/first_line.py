"""A first line that is nearly `%%enzyme_c`: under a comment, with one sign, behind a space. IPython would read the cell as Python
and complain about the C text; here it says what is wrong."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

MAGIC = "%%enzyme_c"
_COMMENTS = ("#", "//", "/*", "*")


class FirstLine:
    """An input transformation that changes nothing and raises SyntaxError where the magic is not the beginning of the cell."""

    def __call__(self, lines: list[str]) -> list[str]:
        written = [line.rstrip() for line in lines if line.strip()]
        if trouble := _trouble(written):
            raise SyntaxError(trouble)
        return lines

    def install(self, shell: InteractiveShell) -> None:
        shell.input_transformers_cleanup.append(self)

    def remove(self, shell: InteractiveShell) -> None:
        if self in shell.input_transformers_cleanup:
            shell.input_transformers_cleanup.remove(self)


def _trouble(lines: list[str]) -> str:
    """What is wrong with where the magic stands; empty where nothing is."""
    words = [line.split()[0] for line in lines]
    at = words.index(MAGIC) if MAGIC in words else 0
    if at and all(line.strip().startswith(_COMMENTS) for line in lines[:at]):
        return f"{MAGIC} must be the first line of its cell: move the comment below it, as /* ... */"
    if words[:1] == [MAGIC] and lines[0] != lines[0].lstrip():
        return f"{MAGIC} must be the first word of its cell: remove the space before it"
    if words[:1] == [MAGIC[1:]] and len(lines) > 1:
        return f"a cell of C begins with two signs: {MAGIC}"
    return ""
