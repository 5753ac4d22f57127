"""The parts behind `enzyme_magic.magics`: options, namespace, cards, completion, what a cell shows; and the command `report`.

Only magics.py and `__main__.py` import them. There is no compile logic here.
"""
