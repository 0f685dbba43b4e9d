"""What the larger commands do, in modules of the same names as in ``commands/``; they import what they work with."""
