"""The code of the larger commands, in modules named as in ``commands/``; here heavy imports are allowed."""
