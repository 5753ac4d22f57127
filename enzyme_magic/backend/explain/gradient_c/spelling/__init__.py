"""C text of single values and places: expressions, names, types, assignments. Nothing here knows of statements."""
