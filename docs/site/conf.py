"""Sphinx's settings; `docs/site/build.py` puts this file beside the pages."""

from __future__ import annotations

import enzyme_magic

project = "enzyme_magic"
author = "The enzyme_magic authors"
copyright = "the enzyme_magic authors"
version = release = enzyme_magic.__version__
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"enzyme_magic {release}"
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
html_show_sphinx = False
html_static_path: list[str] = []
pygments_style = "friendly"
pygments_dark_style = "monokai"
smartquotes = False  # texts quote C and Python
