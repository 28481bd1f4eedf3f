"""What synthetic databases are made with: seeds, skewed draws, invented names, columns of declared types."""
