/* not available as C because values are kept for the reverse sweep in memory of this package's runtime (of a called function, or of a size that is known in the call only) */
