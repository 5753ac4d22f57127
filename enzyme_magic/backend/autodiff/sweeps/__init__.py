"""The sweeps of a derivative: tangents forward, adjoints in reverse, and the copy of the primal that they stand beside."""
