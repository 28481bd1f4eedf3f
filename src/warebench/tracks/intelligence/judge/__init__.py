"""Stage 2 of validation, and questions phrased by a model. Every text passes a guard that is no model.

`guard` and `drafts` are plain; `score`, `phrase` and `review` ask a model through Inspect. No judge ever
touches gold: it admits texts or does not.
"""
