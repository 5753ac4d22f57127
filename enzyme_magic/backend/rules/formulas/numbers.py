"""The irrational constants of the derivative formulas, with more digits than the widest format of the machine (fp128 has 34)."""

from __future__ import annotations

from fractions import Fraction

Number = int | float | Fraction

PI = Fraction("3.14159265358979323846264338327950288419716939937511")
LN2 = Fraction("0.69314718055994530941723212145817656807550013436026")
LN10 = Fraction("2.30258509299404568401799145468436420760110148862877")
TWO_OVER_SQRT_PI = Fraction("1.12837916709551257389615890312154517168810125865800")
