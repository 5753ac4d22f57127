"""The exercises of the notebooks: `em.workshop.check("04.2", answer)` says whether an answer is right, and why.

    em.workshop.question("04.2")         the exercise itself
    em.workshop.check("04.2", answer)    the reason; then a hint, another hint, the solution
    em.workshop.again("04.2")            start afresh
    em.workshop.progress()               how far one is, notebook by notebook
    em.workshop.export("anna.json")      the same as a file, for the teacher
    em.workshop.gather("answers/")       the teacher's table of all such files

Invariant: no expected number is written down. Each is computed by the compiler, or by the function that is meant, when the
answer is checked. The notebooks hold the texts of this room; `python3 dev.py notebooks` puts them there.
"""

from __future__ import annotations

from enzyme_magic.workshop.checking import Answer, again, check, question
from enzyme_magic.workshop.needs import need
from enzyme_magic.workshop.standing import Progress, export, gather, progress

__all__ = ["Answer", "Progress", "again", "check", "export", "gather", "need", "progress", "question"]
