"""Addresses as Python callables: functions, gradients, several sweeps at once, functions over arrays, handlers of rules."""
