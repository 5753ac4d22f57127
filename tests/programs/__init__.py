"""Whole programs as C people write them: their gradients, and what they do to memory."""
