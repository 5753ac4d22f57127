"""From a card to a picture: Graphviz text, layout in a child process, SVG and PNG. They know tables and links, not compilers."""
