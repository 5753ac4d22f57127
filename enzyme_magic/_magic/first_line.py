"""A comment above `%%enzyme_c`: IPython would read the cell as Python and complain about the C text; here it says what is wrong."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

MAGIC = "%%enzyme_c"


class FirstLine:
    """An input transformation that changes nothing and raises SyntaxError where only comments stand above the magic."""

    def __call__(self, lines: list[str]) -> list[str]:
        above = [line.strip() for line in lines]
        at = next((number for number, line in enumerate(above) if line.split(" ")[0] == MAGIC), 0)
        above = [line for line in above[:at] if line]
        if above and all(line.startswith(("#", "//", "/*", "*")) for line in above):
            raise SyntaxError(f"{MAGIC} must be the first line of its cell: move the comment below it, as /* ... */")
        return lines

    def install(self, shell: InteractiveShell) -> None:
        shell.input_transformers_cleanup.append(self)

    def remove(self, shell: InteractiveShell) -> None:
        if self in shell.input_transformers_cleanup:
            shell.input_transformers_cleanup.remove(self)
