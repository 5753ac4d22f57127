"""What calls do to memory and to the world: of functions of the program (a fixpoint over the call graph) and of declared ones."""
