"""What is bundled, as data: databases made from a seed, and questions written for them."""
