"""How values of the forward sweep reach the reverse sweep: at hand, on the tape, or computed again, as the cache plan says."""
