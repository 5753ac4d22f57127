"""The C texts that notebooks and exercises share, and what is asked of the compiler about them."""

from __future__ import annotations

from collections.abc import Iterable

from enzyme_magic.api.function import CFunction
from enzyme_magic.workshop.c_task import compiled

RELU3 = """\
double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}"""
PAPER = """\
double paper(double x, double y) {
    double a = x * y;
    double b = sin(x);
    return a + b;
}"""
PARCEL = """\
double parcel(double weight, double *log) {
    double price = 2.0 * weight;
    int stamps = (int)weight;
    log[0] = 1.5 * weight;
    return price + 0.5 * stamps;
}"""
TARIFF = """\
double tariff(double hours, double rate, double *log) {
    double pay = hours * rate;
    double tax = 0.2 * pay;
    int whole = (int)hours;
    log[0] = 3.0 * pay;
    double bonus = whole * 10.0;
    return pay - tax + bonus;
}"""
LIMITED = """\
double limited(double x, double limit) {
    if (x > limit)
        return limit;
    return x;
}"""
WHOLE = """\
double whole(double x) {
    return (int)x * 2.0;
}"""
SMOOTH = """\
double smooth(double *a, const double *w, int n) {
    double s = 0;
    for (int i = 1; i < n; i++) {
        a[i] = a[i] * a[i-1] + w[i];
        if (a[i] > 1.0)
            s += a[i] * a[i];
    }
    return s;
}"""
SETTLE = """\
double settle(double x, double h, long steps) {
    double y = x;
    for (long i = 0; i < steps; i++)
        y += h * (1 - y * y);
    return y;
}"""
REMEMBER = """\
double before;

double remember(double x, double h, int steps) {
    double y = x;
    before = x;
    for (int i = 0; i < steps; i++) {
        double next = y + h * (1 - y * before);
        before = y;
        y = next;
    }
    return y;
}"""
SQUARES = """\
void squares(double *out, const double *x, int n) {
    for (int i = 0; i < n; i++)
        out[i] = x[i] * x[i];
}

void __enzyme_autodiff(void *, ...);
void d_squares(double *o, double *d_o, const double *x, double *d_x, int n) {
    __enzyme_autodiff((void *)squares, o, d_o, x, d_x, n);
}"""
POWER = """\
double power(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        x[i] = x[i] * x[i];
        s += x[i];
    }
    return s;
}"""
NORMALIZE = """\
static double mag(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}
void normalize(double *restrict out, const double *restrict x, int n) {
    for (int i = 0; i < n; i++)
        out[i] = x[i] / mag(x, n);
}"""


def of(text: str, name: str) -> CFunction:
    """The compiled function of one of these texts."""
    return compiled(text, name)


def line_of(text: str, part: str) -> int:
    """The number of the first line of a C text that holds `part`."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def listed(numbers: Iterable[int]) -> str:
    """ "2, 3 and 7"."""
    *most, last = map(str, sorted(numbers))
    return f"{', '.join(most)} and {last}" if most else last


def active_lines(function: CFunction) -> frozenset[int]:
    """Lines with an active instruction."""
    return frozenset(line.number for line in function.report.source if line.mark in ("active", "mixed", "cached"))


def useless_lines(function: CFunction) -> frozenset[int]:
    """Lines that compute a floating value which depends on an active parameter and does not reach the result."""
    rows = [row for row in function.report.activity.rows() if row.opcode.startswith("f") and row.line]
    useless = {row.line for row in rows if row.verdict.varies and not row.verdict.matters}
    return frozenset(line for line in useless if line is not None)


def stored_bytes(function: CFunction, caching: str = "minimum-cut", **sizes: int) -> float:
    """What one gradient stores: the report's formula at these sizes."""
    return value(function.make_report(caching=caching).cache.total, **sizes)


def value(formula: str, **sizes: int) -> float:
    """A formula of a report in numbers."""
    return float(eval(formula, {"__builtins__": {}}, {"max": max, "min": min, **sizes}))


def most_runs(function: CFunction, opt: int, **sizes: int) -> float:
    """How often the busiest block of the function runs when it is optimized at level `opt` before it is differentiated."""
    from enzyme_magic.api.compilation import compile_c

    text = function.program.sources[0].text
    report = compile_c(text, name=f"{function.name}.c", opt=opt)[function.name].report
    counts = [block.runs.removeprefix("runs ").removesuffix(" times") for block in report.activity.blocks if block.runs]
    return max((value(count, **sizes) for count in counts), default=1.0)
