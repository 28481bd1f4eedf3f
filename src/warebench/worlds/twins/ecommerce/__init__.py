"""Brazilian e-commerce: orders, items, payments and reviews of a marketplace; the Olist schema."""
