"""The command line: one command a file, and no logic of its own."""
