"""Loops whose iterations are run again from checkpoints, so that the tape holds a few iterations and not all of them."""
