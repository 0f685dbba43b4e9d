"""Which features of many are worth having."""
