-- Metrics of the bank under all their rules, as an analyst wrote them who had only catalogue and documents.
-- Nothing here was made from truth.yaml: where the two differ, a document is unclear or its truth is wrong.

CREATE VIEW ledger AS
SELECT
    t.*, a.frequency,
    t.type IN ('VYDAJ', 'VYBER') AS debit,
    t.date = a.date AS opening,                                                                      -- CZ-01
    t.date < 930701 AS converted,                                                                    -- CZ-11
    t.date >= 950101 AND a.frequency <> 'POPLATEK MESICNE' AS business,                              -- CZ-14
    coalesce(t.k_symbol, '') IN ('UROK', 'SLUZBY', 'SANKC. UROK') AS own,                            -- CZ-16
    coalesce(t.bank, '') IN ('ST', 'YZ') AND t.date >= 960701 AS sister,                             -- CZ-06
    t.date BETWEEN 970527 AND 980331 AS crisis,                                                      -- CZ-12
    t.amount * CASE WHEN t.date >= 980101 THEN 0.72 WHEN t.date >= 960101 THEN 0.85 ELSE 1 END AS fee -- CZ-05, CZ-04
FROM trans t JOIN account a USING (account_id);

CREATE VIEW debts AS
SELECT
    l.*, d.A11 * CASE WHEN d.A3 = 'Prague' THEN 0.8 ELSE 1 END AS salary,                            -- CZ-13
    l.date <= CASE WHEN l.duration = 12 THEN 980630 ELSE 971231 END AS mature,                       -- CZ-08
    l.status IN ('C', 'D') AS running,                                                               -- CZ-09
    l.status = 'B' OR (l.status = 'D' AND NOT (l.date BETWEEN 970527 AND 980331 AND l.duration > 12)) AS bad, -- CZ-12
    l.duration = 12 AND l.amount < 50000 AS bridging                                                 -- CZ-15
FROM loan l JOIN account a USING (account_id) JOIN district d ON d.A1 = a.district_id;

CREATE VIEW valid_orders AS                                                                          -- CZ-07
SELECT * FROM "order"
WHERE amount BETWEEN 100 AND 12000 AND NOT (k_symbol IS NULL AND amount < 500);

CREATE VIEW holders AS
SELECT p.disp_id, k.type AS card, coalesce(k.issued[1:6] <= '980630', false) AS has_card             -- CZ-11
FROM disp p JOIN client c USING (client_id) LEFT JOIN card k USING (disp_id)
WHERE p.type = 'OWNER' AND c.birth_number < 780000 AND (k.type IS NULL OR k.type <> 'junior');       -- CZ-10

CREATE VIEW swings AS                                                                                -- CZ-17
SELECT stddev_samp(balance) / avg(balance) AS cv FROM ledger WHERE NOT opening GROUP BY account_id
HAVING count(*) >= 12 AND avg(balance) >= 2000 AND min(balance) >= 0;

CREATE VIEW covered AS                                                                               -- CZ-17
SELECT sum(t.amount) FILTER (WHERE t.type = 'PRIJEM')
    / (count(DISTINCT t.date // 100) * any_value(l.payments)) AS coverage
FROM ledger t JOIN debts l USING (account_id)
WHERE NOT t.opening AND l.mature AND l.running
GROUP BY account_id
HAVING count(DISTINCT t.date // 100) >= 6 AND count(*) FILTER (WHERE t.type = 'PRIJEM') > 0;

CREATE VIEW sinners AS
SELECT account_id, bool_or(balance < CASE WHEN crisis AND frequency = 'POPLATEK MESICNE' THEN -5000 ELSE 0 END) AS sinned
FROM ledger GROUP BY account_id;

-- The third column is how many units stand behind the figure, where CZ-02 asks for 20.
CREATE VIEW plain AS
SELECT 'MV-TRX-001' AS metric, count(*)::DOUBLE AS value, 99 AS units
    FROM ledger WHERE NOT opening AND NOT converted AND NOT own
UNION ALL SELECT 'MV-TRX-002', avg(amount), 99 FROM ledger WHERE NOT (opening OR converted OR own OR business)
UNION ALL SELECT 'MV-TRX-003', sum(amount) / 1e6, 99 FROM ledger WHERE NOT (opening OR own OR business OR sister)
UNION ALL SELECT 'MV-TRX-004', sum(amount) FILTER (WHERE NOT debit) / sum(amount) FILTER (WHERE debit), 99
    FROM ledger WHERE NOT (opening OR own OR sister)
UNION ALL SELECT 'MV-TRX-005', 100 * sum(amount) FILTER (WHERE operation LIKE 'VYBER%') / sum(amount), 99
    FROM ledger WHERE debit AND NOT (converted OR own)
UNION ALL SELECT 'MV-TRX-006', 100 * avg((bank IS NOT NULL AND NOT sister)::INT), 99 FROM ledger WHERE NOT (converted OR own)
UNION ALL SELECT 'MV-TRX-007', count(*) / count(DISTINCT account_id), 99
    FROM ledger WHERE NOT (opening OR converted OR own OR business)
UNION ALL SELECT 'MV-FEE-001', sum(fee) / 1000, 99 FROM ledger WHERE k_symbol = 'SLUZBY' AND NOT (converted OR business)
UNION ALL SELECT 'MV-FEE-002', sum(fee) / count(DISTINCT account_id), 99
    FROM ledger WHERE k_symbol = 'SLUZBY' AND NOT (converted OR business)
UNION ALL SELECT 'MV-FEE-003', 100 * sum(amount) FILTER (WHERE k_symbol <> 'SLUZBY')
    / sum(CASE WHEN k_symbol = 'SLUZBY' THEN fee ELSE amount END), 99
    FROM ledger WHERE k_symbol = 'SLUZBY' OR (k_symbol = 'SANKC. UROK' AND NOT crisis)
UNION ALL SELECT 'MV-BAL-001', avg(balance), 99 FROM ledger WHERE NOT (opening OR converted OR business)
UNION ALL SELECT 'MV-BAL-002', 100 * avg(cv), count(*) FROM swings
UNION ALL SELECT 'MV-BAL-003', 100 * avg(sinned::INT), count(*) FROM sinners
UNION ALL SELECT 'MV-LOA-001', avg(amount), count(*) FROM debts WHERE NOT bridging
UNION ALL SELECT 'MV-LOA-002', 100 * coalesce(sum(amount) FILTER (WHERE bad), 0) / sum(amount), count(*)
    FROM debts WHERE mature AND running
UNION ALL SELECT 'MV-LOA-003', 100 * avg(bad::INT), count(*) FROM debts WHERE mature
UNION ALL SELECT 'MV-LOA-004', 100 * sum(payments) / sum(salary), count(*) FROM debts WHERE running AND NOT bridging
UNION ALL SELECT 'MV-LOA-005', avg(coverage), count(*) FROM covered
UNION ALL SELECT 'MV-ORD-001', avg(amount), count(*) FROM valid_orders
UNION ALL SELECT 'MV-ORD-002', 100 * sum(amount) FILTER (WHERE k_symbol = 'SIPO') / sum(amount), count(*) FROM valid_orders
UNION ALL SELECT 'MV-ORD-003', count(*) / count(DISTINCT account_id), count(*) FROM valid_orders
UNION ALL SELECT 'MV-CRD-001', 100 * avg(has_card::INT), count(*) FROM holders
UNION ALL SELECT 'MV-CRD-002', 100 * avg((type = 'gold')::INT), count(*)
    FROM card WHERE type <> 'junior' AND issued[1:6] <= '980630'
UNION ALL SELECT 'MV-ACC-001', 100 * count(*) FILTER (WHERE NOT l.bridging) / count(*), count(*)
    FROM account LEFT JOIN debts l USING (account_id);

CREATE VIEW shown AS SELECT metric, value FROM plain WHERE units >= 20;

CREATE MACRO part(name) AS (SELECT value FROM shown WHERE metric = name);

CREATE VIEW by_hand AS
WITH score AS (                                                                                      -- CZ-03
    SELECT 0.4 * part('MV-LOA-002') + 0.35 * part('MV-BAL-003') + 0.25 * part('MV-BAL-002') AS risk
)
FROM shown
UNION ALL SELECT 'MV-RSK-001', risk FROM score
UNION ALL SELECT 'MV-RSK-002', 0.55 * part('MV-TRX-005') + 0.45 * (100 - part('MV-TRX-006'))
UNION ALL SELECT 'MV-RSK-003', 0.75 * (100 - risk) + 0.25 * (100 - part('MV-LOA-003')) FROM score
UNION ALL SELECT 'MV-RSK-004', 0.65 * part('MV-CRD-001') + 0.35 * part('MV-ACC-001')
UNION ALL SELECT 'MV-RSK-005',                                                                       -- CZ-17
    part('MV-LOA-003') / 100 * part('MV-LOA-001') * 0.55 + 0.01 * part('MV-LOA-001');
