"""The nine tables as the published files have them, misspelt column names included."""

from warebench.engine.synthetic.schema import describe, table

CUSTOMERS = table(
    "customers",
    key="customer_id",
    columns="""
    customer_id: VARCHAR
    customer_unique_id: VARCHAR
    customer_zip_code_prefix: VARCHAR
    customer_city: VARCHAR
    customer_state: VARCHAR
    """,
)
SELLERS = table(
    "sellers",
    key="seller_id",
    columns="""
    seller_id: VARCHAR
    seller_zip_code_prefix: VARCHAR
    seller_city: VARCHAR
    seller_state: VARCHAR
    """,
)
TRANSLATION = table(
    "product_category_name_translation",
    key="product_category_name",
    columns="""
    product_category_name: VARCHAR
    product_category_name_english: VARCHAR
    """,
)
PRODUCTS = table(
    "products",
    key="product_id",
    columns="""
    product_id: VARCHAR
    product_category_name: VARCHAR?
    product_name_lenght: INTEGER?
    product_description_lenght: INTEGER?
    product_photos_qty: INTEGER?
    product_weight_g: INTEGER?
    product_length_cm: INTEGER?
    product_height_cm: INTEGER?
    product_width_cm: INTEGER?
    """,
)
ORDERS = table(
    "orders",
    key="order_id",
    columns="""
    order_id: VARCHAR
    customer_id: VARCHAR
    order_status: VARCHAR
    order_purchase_timestamp: TIMESTAMP
    order_approved_at: TIMESTAMP?
    order_delivered_carrier_date: TIMESTAMP?
    order_delivered_customer_date: TIMESTAMP?
    order_estimated_delivery_date: TIMESTAMP
    """,
)
ITEMS = table(
    "order_items",
    key="order_id, order_item_id",
    columns="""
    order_id: VARCHAR
    order_item_id: INTEGER
    product_id: VARCHAR
    seller_id: VARCHAR
    shipping_limit_date: TIMESTAMP
    price: DOUBLE
    freight_value: DOUBLE
    """,
)
PAYMENTS = table(
    "order_payments",
    key="order_id, payment_sequential",
    columns="""
    order_id: VARCHAR
    payment_sequential: INTEGER
    payment_type: VARCHAR
    payment_installments: INTEGER
    payment_value: DOUBLE
    """,
)
REVIEWS = table(
    "order_reviews",
    key="review_id, order_id",
    columns="""
    review_id: VARCHAR
    order_id: VARCHAR
    review_score: INTEGER
    review_comment_title: VARCHAR?
    review_comment_message: VARCHAR?
    review_creation_date: TIMESTAMP
    review_answer_timestamp: TIMESTAMP
    """,
)
GEOLOCATION = table(
    "geolocation",
    key="",
    columns="""
    geolocation_zip_code_prefix: VARCHAR
    geolocation_lat: DOUBLE
    geolocation_lng: DOUBLE
    geolocation_city: VARCHAR
    geolocation_state: VARCHAR
    """,
)

ECOMMERCE = describe(
    "ecommerce",
    (CUSTOMERS, SELLERS, TRANSLATION, PRODUCTS, ORDERS, ITEMS, PAYMENTS, REVIEWS, GEOLOCATION),
    (
        "products(product_category_name) -> product_category_name_translation(product_category_name)",
        "orders(customer_id) -> customers(customer_id)",
        "order_items(order_id) -> orders(order_id)",
        "order_items(product_id) -> products(product_id)",
        "order_items(seller_id) -> sellers(seller_id)",
        "order_payments(order_id) -> orders(order_id)",
        "order_reviews(order_id) -> orders(order_id)",
    ),
    "synthetic twin of the Olist marketplace",
)
"""The catalog of the twin and of the real data."""
