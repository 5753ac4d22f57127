"""The derivatives themselves, one family of operations a file."""
