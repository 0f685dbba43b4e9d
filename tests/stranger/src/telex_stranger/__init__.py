"""What a package needs to extend Telex: one of each, with all that it imports from ``telex``."""
