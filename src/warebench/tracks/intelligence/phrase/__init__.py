"""The texts: questions with their semantics and answer format, and the pages of the metric catalog."""
