"""IR as LLVM's text: lexer, parser, printer. Invariant: parse(print(m)) = m."""
