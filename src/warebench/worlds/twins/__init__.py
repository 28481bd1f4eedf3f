"""What draws the rows of each synthetic database; `data/twins` declares its tables and words."""
