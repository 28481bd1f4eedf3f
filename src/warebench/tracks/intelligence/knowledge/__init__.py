"""What a company knows beside its data: metrics, dimensions, and documents with rules that change metrics."""
