"""The outside world, both ways: file formats, the terminal, the command line."""
