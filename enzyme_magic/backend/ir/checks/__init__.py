"""The verifier: what must hold of a module before anybody computes with it."""
