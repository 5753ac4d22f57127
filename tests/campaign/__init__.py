"""Campaigns: thousands of random programs, each judged at every level in both modes, in child processes."""
