"""140 question templates: seven subcategories, two each, for ten databases. Data, not code."""
