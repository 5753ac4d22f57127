"""Where derivatives flow: activity with its reasons, demand, and the cache plan (store or recompute, by a minimum cut)."""
