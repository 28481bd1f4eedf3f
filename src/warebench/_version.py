"""The version, apart from the package's face so that the core can record it without importing that."""

__version__ = "0.1.0"
