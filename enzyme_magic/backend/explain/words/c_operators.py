"""C's operators and how LLVM's opcodes spell them: signs, precedences, comparisons, library names. Data.

Precedences follow the C standard's grammar (6.5), higher binds tighter.
"""

from __future__ import annotations

TERNARY, LOGICAL_OR, LOGICAL_AND = 1, 3, 4
BIT_OR, BIT_XOR, BIT_AND, SHIFT, ADDITIVE, MULTIPLICATIVE, UNARY, POSTFIX = 5, 6, 7, 10, 11, 12, 13, 14

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

COMPARISONS = {
    "eq": "==",
    "ne": "!=",
    "slt": "<",
    "sle": "<=",
    "sgt": ">",
    "sge": ">=",
    "ult": "<",
    "ule": "<=",
    "ugt": ">",
    "uge": ">=",
    "oeq": "==",
    "une": "!=",
    "olt": "<",
    "ole": "<=",
    "ogt": ">",
    "oge": ">=",
}
# Comparisons that hold with a NaN are the opposites of those that do not.
NEGATED_ORDER = {"ult": ">=", "ule": ">", "ugt": "<=", "uge": "<"}

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
