"""Shadow memory: for every pointer to active memory, where its derivatives lie; blocks that are made, moved and freed."""
