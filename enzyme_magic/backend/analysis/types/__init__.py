"""What the bytes of values and of memory hold: evidence, how it spreads, and the answers. `inference.py` is the door."""
