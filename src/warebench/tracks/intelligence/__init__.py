"""Business metrics whose answers change with rule documents (DI-Bench, arXiv 2609.05776)."""
