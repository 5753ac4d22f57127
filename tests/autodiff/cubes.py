"""Programs whose `f(x)` is the third power of x, in whatever way: what their derivative is."""

from __future__ import annotations

import math

import enzyme_magic as em

AT = 1.2


def found(source: str, opt: int, mode: str) -> str:
    """right, wrong (with the number), or the code of the refusal."""
    try:
        f = em.compile_c(source, opt=opt)["f"]
        assert math.isclose(f(AT), AT**3)
        derivative = f.grad(AT) if mode == "reverse" else em.jvp(f, (AT,), (1.0,))[1]
    except em.EnzymeError as error:
        return error.code
    return "right" if math.isclose(float(derivative), 3 * AT**2, rel_tol=1e-9) else f"wrong: {derivative}"
