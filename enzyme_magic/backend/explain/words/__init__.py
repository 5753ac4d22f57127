"""Values, addresses and conditions of IR in C's words: expressions with the user's names, never IR's."""
