"""Model providers of our own: deterministic policies and a real local model."""
