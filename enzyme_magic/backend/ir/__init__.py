"""Our model of LLVM IR: text in, text out, and what one asks about the graph between.

values, types, attributes, metadata, instructions, module: the nodes, plain data with identity.
lexer, parser (parse_*): text → Module. names, printer (print_*): Module → text. Law: parse(print(m)) == m.
constants, builder, clone: making values. cfg, dominators, def_use, layout, locations: questions. verify: the rules.

It knows nothing about derivatives, and nothing about llvmlite.
"""
