"""Clang as a child process: which one, its command line, its limits, and what it says when it fails."""
