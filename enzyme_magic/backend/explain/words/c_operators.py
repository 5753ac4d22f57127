"""C's grammar of expressions and how LLVM's opcodes are spelled in it: signs, precedences, comparisons, library names.

Precedences follow the C standard's grammar (6.5), higher binds tighter. Two writers use it: c_text.py, which says values in words
that people read, and gradient_c/expressions.py, whose text means exactly what the IR means.
"""

from __future__ import annotations

import re

Text = tuple[str, int]  # C text and the precedence of its outermost operator

TERNARY, LOGICAL_OR, LOGICAL_AND = 1, 3, 4
BIT_OR, BIT_XOR, BIT_AND, EQUALITY, RELATIONAL, SHIFT, ADDITIVE, MULTIPLICATIVE, UNARY, POSTFIX = range(5, 15)

BINARY = {
    "fadd": ("+", ADDITIVE),
    "fsub": ("-", ADDITIVE),
    "fmul": ("*", MULTIPLICATIVE),
    "fdiv": ("/", MULTIPLICATIVE),
    "add": ("+", ADDITIVE),
    "sub": ("-", ADDITIVE),
    "mul": ("*", MULTIPLICATIVE),
    "sdiv": ("/", MULTIPLICATIVE),
    "udiv": ("/", MULTIPLICATIVE),
    "srem": ("%", MULTIPLICATIVE),
    "urem": ("%", MULTIPLICATIVE),
    "shl": ("<<", SHIFT),
    "lshr": (">>", SHIFT),
    "ashr": (">>", SHIFT),
    "and": ("&", BIT_AND),
    "or": ("|", BIT_OR),
    "xor": ("^", BIT_XOR),
}

SIGNED = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
COMPARES = re.compile(r" ([=!<>]=|<|>) ")
UNSIGNED = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}
ORDERED = {"oeq": "==", "une": "!=", "olt": "<", "ole": "<=", "ogt": ">", "oge": ">="}
UNORDERED = {"ult": ">=", "ule": ">", "ugt": "<=", "uge": "<"}  # they hold with a NaN: not what the sign says
OPPOSITE = {"==": "!=", "!=": "==", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}  # of integers

CONVERSIONS = {
    "float": "float",
    "double": "double",
    "x86_fp80": "long double",
    "i8": "char",
    "i16": "short",
    "i32": "int",
    "i64": "long",
}

# Operations whose name is not C's.
FUNCTIONS = {
    "maxnum": "fmax",
    "minnum": "fmin",
    "maximum": "fmax",
    "minimum": "fmin",
    "powi": "pow",
    "polygamma.0": "digamma",
    "smax": "max",
    "umax": "max",
    "smin": "min",
    "umin": "min",
}


def wrap(text: Text, precedence: int) -> str:
    """The text as an operand of something of this precedence."""
    return text[0] if text[1] >= precedence else f"({text[0]})"


def spaced(sign: str, precedence: int, a: str, b: str) -> str:
    """Both operands and the sign: `x*y`, `x + y`."""
    space = "" if precedence == MULTIPLICATIVE else " "
    return f"{a}{space}{sign}{space}{b}"


def infix(sign: str, precedence: int, a: Text, b: Text) -> Text:
    """An operation of two operands; C groups from the left. A factor with a minus stands first: `-x*c`."""
    if sign == "*" and b[0].startswith("-") and b[1] >= MULTIPLICATIVE and not a[0].startswith("-"):
        a, b = b, a
    return spaced(sign, precedence, wrap(a, precedence), wrap(b, precedence + 1)), precedence


def chosen(test: Text, a: Text, b: Text) -> Text:
    """`test ? a : b`; C groups from the right."""
    return f"{wrap(test, LOGICAL_OR)} ? {wrap(a, TERNARY + 1)} : {wrap(b, TERNARY)}", TERNARY


def asserted(text: Text, holds: bool) -> Text:
    """The text, or its opposite."""
    return text if holds else ("!" + wrap(text, UNARY), UNARY)


def compared(sign: str, a: Text, b: Text) -> Text:
    """A comparison."""
    return infix(sign, EQUALITY if sign in ("==", "!=") else RELATIONAL, a, b)


def compared_floats(predicate: str, a: Text, b: Text, holds: bool) -> Text | None:
    """fcmp, or its opposite; None for what has no sign in C. Only == and != are opposites of each other where there are NaNs."""
    if predicate in ("one", "ueq"):
        left, right = wrap(a, RELATIONAL + 1), wrap(b, RELATIONAL + 1)
        text = f"{left} < {right} || {left} > {right}"  # != is true of a NaN, and `one` is not
        return asserted((text, LOGICAL_OR), (predicate == "one") == holds)
    sign = UNORDERED.get(predicate) or ORDERED.get(predicate)
    if sign is None:
        return None
    plain = holds != (predicate in UNORDERED)
    if not plain and sign in ("==", "!="):
        sign, plain = OPPOSITE[sign], True
    return asserted(compared(sign, a, b), plain)


_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BETWEEN = "(,[?:=<>&|"  # what an operand of an operator that binds looser stands behind; its opposites close it
_BEHIND = "),]?:=<>!&|"


def _level(text: str) -> int:
    """How tight an expression is bound: 2 for one without operators, 1 for a product, 0 for a sum, -1 for others."""
    while text != (bare := _BRACKETS.sub("", text)):
        text = bare
    signs = set(re.findall(r" (\S+)(?= )", text))
    if not signs:
        return 1 if re.search(r"[*/%]", text.lstrip("*")) else 2
    return 0 if signs <= {"+", "-"} else -1


def is_part(text: str, whole: str) -> bool:
    """Whether an expression is one of the operands that another is made of, as C reads it: `half*half` is none of
    `x*half*half`."""
    level, place = _level(text), whole.find(text)
    while place >= 0:
        before, behind = whole[:place].rstrip(), whole[place + len(text) :].lstrip()
        if _binds(level, before[-1:], behind[:1]) and not _joined(text, whole, place):
            return True
        place = whole.find(text, place + 1)
    return False


def _binds(level: int, before: str, behind: str) -> bool:
    """Whether what stands on both sides leaves an expression of that level together."""
    if level < 0:
        return before in ("", "(", ",", "[") and behind in ("", ")", ",", "]")
    left = before in _BETWEEN or (before in "+-" and level > 0) or level > 1
    right = behind in _BEHIND or behind in "+-" or level > 0
    return left and right


def _joined(text: str, whole: str, place: int) -> bool:
    """Whether a name goes on beyond the text: `s` is no part of `sin(x)`."""
    around = whole[max(place - 1, 0) : place] + text[0], text[-1] + whole[place + len(text) : place + len(text) + 1]
    return any(re.fullmatch(r"\w\w", pair) for pair in around)


def stepped(name: str, number: int) -> Text:
    """A variable plus a number."""
    if not number:
        return name, POSTFIX
    return f"{name} {'+' if number > 0 else '-'} {abs(number)}", ADDITIVE


def mentions(text: str, name: str) -> bool:
    """Whether a name stands in a text: what is made of its own earlier value is not said without it."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None
