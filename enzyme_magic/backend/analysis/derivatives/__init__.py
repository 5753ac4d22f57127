"""Where derivatives flow: activity with its reasons, demand and presence (which derivatives must be known to be there), the
cache plan (store or recompute, by a minimum cut), and which calls of libm may be computed in vectors.
"""
