"""Boosting: committees of weak rules, each of which sees to what those before it got wrong."""
