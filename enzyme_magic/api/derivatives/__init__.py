"""Gradients and their kin as the user holds them: what is differentiated with respect to what, and what comes back."""
