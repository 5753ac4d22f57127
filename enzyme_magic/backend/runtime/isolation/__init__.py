"""Calls in a worker process: memory that both processes see, the worker, and calls of its functions."""
