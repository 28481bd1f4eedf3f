-- Metrics of the marketplace under all their rules, as an analyst wrote them who had only catalogue and documents.
-- Nothing here was made from truth.yaml: where the two differ, a document is unclear or its truth is wrong.

CREATE VIEW judged AS
SELECT
    *,
    order_status = 'delivered' AS done,
    order_purchase_timestamp >= '2017-04-01' AS counted,                                             -- BR-08
    customer_state = 'SP' AND order_purchase_timestamp >= '2017-10-01' AS hub,                       -- BR-12
    order_delivered_customer_date::DATE - order_purchase_timestamp::DATE AS took,
    coalesce(took > 60 AND order_purchase_timestamp >= '2017-01-01', false) AS outlier,              -- BR-01
    done AND order_delivered_customer_date IS NOT NULL AND NOT outlier AS received,
    CASE
        WHEN order_purchase_timestamp >= '2018-06-01' THEN 2                                         -- BR-03
        WHEN order_purchase_timestamp >= '2018-01-01' THEN 1                                         -- BR-02
        WHEN order_purchase_timestamp >= '2017-11-20' THEN 3                                         -- BR-04
        ELSE 0
    END AS grace,
    order_delivered_customer_date::DATE - order_estimated_delivery_date::DATE > grace AS late,
    order_purchase_timestamp::DATE BETWEEN '2017-11-20' AND '2017-12-31' AS peak                     -- BR-04
FROM orders JOIN customers USING (customer_id);

CREATE VIEW lines AS
SELECT
    j.*, i.order_item_id, i.seller_id, i.price, i.freight_value,
    i.freight_value * CASE WHEN j.hub THEN 0.5 ELSE 1 END AS freight,                                -- BR-12
    j.order_delivered_carrier_date::DATE - i.shipping_limit_date::DATE AS overdue,
    i.price < 15 AS sample,                                                                          -- BR-09
    coalesce(
        t.product_category_name_english
            IN ('office_furniture', 'furniture_decor', 'furniture_living_room', 'furniture_bedroom')
        AND p.product_weight_g > 5000 AND j.order_purchase_timestamp >= '2017-06-01',
        false
    ) AS bulky                                                                                       -- BR-13
FROM order_items i
JOIN judged j USING (order_id)
JOIN products p USING (product_id)
LEFT JOIN product_category_name_translation t USING (product_category_name);

CREATE VIEW paid AS
SELECT y.* FROM order_payments y JOIN judged USING (order_id)
WHERE counted AND (order_purchase_timestamp < '2017-06-01' OR payment_type NOT IN ('voucher', 'not_defined')); -- BR-11

CREATE VIEW active AS                                                                                -- BR-14
SELECT seller_id, sum(price) FILTER (WHERE done) AS revenue
FROM lines WHERE counted GROUP BY seller_id
HAVING count(DISTINCT order_id) FILTER (WHERE done) >= 3
AND count(*) FILTER (WHERE done AND overdue > 0) <= 0.25 * count(*) FILTER (WHERE done);

CREATE VIEW plain AS
SELECT 'MV-DEL-001' AS metric, avg(CASE WHEN hub
    THEN order_delivered_customer_date::DATE - order_approved_at::DATE ELSE took END) AS value FROM judged WHERE received
UNION ALL SELECT 'MV-DEL-002', 100 * avg(late::INT) FROM judged WHERE received
UNION ALL SELECT 'MV-DEL-003', avg(order_delivered_customer_date::DATE - order_delivered_carrier_date::DATE)
    FROM judged WHERE received
UNION ALL SELECT 'MV-DEL-004', 100 * avg((overdue <= CASE WHEN peak THEN 2 ELSE 0 END)::INT) FROM lines WHERE counted
UNION ALL SELECT 'MV-DEL-005', 100 * avg((NOT late)::INT) FROM lines WHERE received
UNION ALL SELECT 'MV-ORD-001', count(*) FROM judged WHERE counted
UNION ALL SELECT 'MV-ORD-002', 100 * avg((order_status IN ('canceled', 'unavailable'))::INT) FROM judged WHERE counted
UNION ALL SELECT 'MV-ORD-003', count(*) / count(DISTINCT order_id) FROM lines WHERE counted AND done AND NOT sample
UNION ALL SELECT 'MV-ORD-004', 100 * avg((order_status = 'canceled' OR (done AND coalesce(late, false)))::INT)
    FROM judged WHERE order_id IN (SELECT order_id FROM order_items)
UNION ALL SELECT 'MV-REV-001', sum(price) FROM lines WHERE counted AND done
UNION ALL SELECT 'MV-REV-002', sum(price + freight) / count(DISTINCT order_id) FROM lines WHERE counted AND done
UNION ALL SELECT 'MV-REV-003', 100 * sum(freight) / sum(price)
    FROM lines WHERE counted AND done AND NOT sample AND NOT bulky
UNION ALL SELECT 'MV-REV-004', avg(price) FROM lines WHERE counted AND done AND NOT sample AND NOT bulky
UNION ALL SELECT 'MV-REV-005', 100 * (sum(price) FILTER (WHERE year(order_purchase_timestamp) = 2018)
    / sum(price) FILTER (WHERE year(order_purchase_timestamp) = 2017) - 1)
    FROM lines WHERE done AND NOT sample AND month(order_purchase_timestamp) <= 6
UNION ALL SELECT 'MV-PAY-001', 100 * sum(payment_value) FILTER (WHERE payment_type = 'credit_card') / sum(payment_value)
    FROM paid
UNION ALL SELECT 'MV-PAY-002', avg(payment_installments) FROM paid
UNION ALL SELECT 'MV-PAY-003', avg(payment_value) FROM paid
UNION ALL SELECT 'MV-CUS-001', count(DISTINCT customer_unique_id) FROM judged WHERE counted
UNION ALL SELECT 'MV-CUS-002', 100 * avg((n > 1)::INT)
    FROM (SELECT count(*) AS n FROM judged WHERE counted GROUP BY customer_unique_id)
UNION ALL SELECT 'MV-CUS-004', count(*) / count(DISTINCT customer_unique_id) FROM judged WHERE counted
UNION ALL SELECT 'MV-CUS-005', sum(price) / count(DISTINCT customer_unique_id) FROM lines WHERE counted AND done
UNION ALL SELECT 'MV-SAT-001', 100 * avg((review_score > 3)::INT) FROM order_reviews JOIN judged USING (order_id)
    WHERE done AND NOT (review_score = 3 AND order_purchase_timestamp >= '2017-07-01')               -- BR-05, BR-06
UNION ALL SELECT 'MV-SAT-002', avg(review_score) FROM order_reviews JOIN judged USING (order_id) WHERE done
UNION ALL SELECT 'MV-SEL-001', count(*) FROM active
UNION ALL SELECT 'MV-SEL-002', sum((100 * revenue / total) ** 2)
    FROM active, (SELECT sum(revenue) AS total FROM active);

CREATE VIEW wide AS PIVOT plain ON metric IN (
    'MV-DEL-002', 'MV-DEL-004', 'MV-DEL-005', 'MV-ORD-002', 'MV-ORD-004', 'MV-REV-002', 'MV-CUS-004', 'MV-SAT-001'
) USING any_value(value);

CREATE VIEW by_hand AS
FROM plain
UNION ALL SELECT 'MV-CUS-003', "MV-REV-002" * "MV-CUS-004" * 2 * 0.18 FROM wide                      -- BR-15
UNION ALL SELECT 'MV-SAT-003', 0.45 * "MV-SAT-001" + 0.55 * (100 - "MV-DEL-002") FROM wide           -- BR-17
UNION ALL SELECT 'MV-SAT-004', 0.5 * (0.45 * "MV-SAT-001" + 0.55 * (100 - "MV-DEL-002")) + 0.5 * (100 - "MV-ORD-002")
    FROM wide
UNION ALL SELECT 'MV-SEL-003', 0.3 * "MV-DEL-004" + 0.25 * "MV-DEL-005" + 0.45 * (100 - "MV-ORD-004") FROM wide;
