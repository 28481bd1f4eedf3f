"""Nine analysis types: what is asked, from which figures, and how those make an answer."""
