"""Graph algorithms over a catalog: foreign keys, lineage, silos."""
