"""The program in the form that is analysed and differentiated.

Rewrites of the primal that keep its meaning, before any analysis: pointers become direct calls and address arithmetic, loops
get one preheader and a counter each, functions one return. What is prepared is what analyses and writers agree on
(`prepared.py`). Nothing here knows of derivatives.
"""
