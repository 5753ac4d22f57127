"""Several sweeps in one: `lane_flow.py` decides what differs between them, `lane_writer.py` writes that N times."""
