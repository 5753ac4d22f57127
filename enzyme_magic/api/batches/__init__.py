"""`em.vmap`: axes of arrays, the arguments of all examples, functions and their derivatives over them."""
