"""Numbers that the program handles as bits, and addresses that it handles as integers, as the operations they are."""
