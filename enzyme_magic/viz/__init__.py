"""A report as a picture, as text and as a page that answers clicks. What a picture says is decided in `cards`, how it is drawn
in `drawing`; `plots` draws measured points, `interactive` is the page. Nothing here computes a fact: all of them stand in
the report.
"""
