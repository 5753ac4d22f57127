"""The exercises of the course, notebook by notebook."""

from __future__ import annotations

from enzyme_magic.workshop.course import activity, afterwards, cache, first, modes, optimize
from enzyme_magic.workshop.exercises import Exercise

EXERCISES: tuple[Exercise, ...] = (
    *first.EXERCISES,
    *modes.EXERCISES,
    *activity.EXERCISES,
    *cache.EXERCISES,
    *optimize.EXERCISES,
    *afterwards.EXERCISES,
)
