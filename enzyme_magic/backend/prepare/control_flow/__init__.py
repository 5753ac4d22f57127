"""The control flow that the derivative's writer expects: reducible, loops in simplified form, no landing pads."""
