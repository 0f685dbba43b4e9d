"""Tables and figures of the papers, made again: each module returns plain data, and lines that show them."""
