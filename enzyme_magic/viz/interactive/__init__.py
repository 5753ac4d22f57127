"""Pictures that answer: one report as a page or a widget with tabs, in which a click shows the chain of reasons.

Invariant: the front end (`static/`, plain JavaScript and CSS) draws a `Report` and the pictures of this room's parent, and infers
nothing; what needs the compiler goes through a function that the caller hands in.
"""
