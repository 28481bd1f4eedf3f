"""Domain dictionary of the synthetic catalogs."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Domain:
    """Words of one business domain."""

    name: str
    feeds: tuple[str, ...]
    """What source systems deliver."""
    entities: tuple[str, ...]
    """What dimensions describe."""
    events: tuple[str, ...]
    """What facts record."""
    metrics: tuple[str, ...]
    """What marts report."""
    staged: tuple[str, ...] = ()
    """Names of staging tables where they do not follow from the feeds."""


def _words(spelled: str) -> tuple[str, ...]:
    return tuple(spelled.split())


def _domain(name: str, feeds: str, entities: str, events: str, metrics: str, staged: str = "") -> Domain:
    return Domain(
        name=name,
        feeds=_words(feeds),
        entities=_words(entities),
        events=_words(events),
        metrics=_words(metrics),
        staged=_words(staged),
    )


DOMAINS: tuple[Domain, ...] = (
    _domain(
        "carrier",
        "carrier_manifests tracking_pings fuel_receipts toll_charges driver_logs dock_slots customs_filings",
        "carrier vehicle driver route depot lane trailer",
        "shipment delivery_stop freight_claim dock_visit fuel_purchase detention",
        "delivery_performance lane_cost fleet_utilisation carrier_scorecard transit_time emissions_summary",
    ),
    _domain(
        "procurement",
        "purchase_orders supplier_catalogs contract_terms goods_receipts supplier_invoices sourcing_bids",
        "supplier commodity buyer contract plant material payment_term",
        "purchase_order goods_receipt supplier_invoice sourcing_event requisition quality_notice",
        "spend_analysis supplier_scorecard savings_tracker contract_coverage price_variance lead_time_trend",
    ),
    _domain(
        "healthcare",
        "patient_intakes lab_results prescriptions bed_census imaging_orders insurance_claims nurse_notes",
        "patient clinician ward diagnosis medication procedure payer",
        "encounter lab_test prescription admission imaging_study claim",
        "readmission_risk treatment_outcomes bed_occupancy claim_denials waiting_times infection_rates",
    ),
    _domain(
        "finance",
        "ledger_entries bank_feeds tax_filings expense_reports fx_rates card_statements accrual_sheets",
        "account cost_center legal_entity currency tax_code bank fiscal_period",
        "journal_entry bank_transfer expense_claim tax_return accrual intercompany_charge",
        "trial_balance cash_flow_statement budget_variance tax_exposure close_calendar margin_bridge",
    ),
    _domain(
        "hr",
        "employee_records department_trees pay_runs time_sheets applicant_forms training_logs",
        "employee department job_role location pay_grade skill benefit_plan",
        "payroll absence job_application training_session performance_review promotion_case",
        "headcount_report attrition_analysis pay_equity hiring_funnel overtime_watch skill_gap",
    ),
    _domain(
        "ecommerce",
        "cart_sessions product_feeds payment_events click_streams return_labels coupon_drops review_posts",
        "shopper product_listing campaign storefront coupon delivery_option brand",
        "web_order payment page_visit product_return coupon_use review",
        "conversion_funnel revenue_dashboard basket_analysis return_rate campaign_roi shopper_lifetime_value",
    ),
    _domain(
        "manufacturing",
        "machine_signals work_order_sheets quality_scans tool_checks scrap_tickets shift_books energy_meters",
        "machine part production_line operator tool mould shift_pattern",
        "work_order quality_inspection downtime scrap_event tool_change batch_run",
        "equipment_effectiveness scrap_pareto yield_trend maintenance_backlog throughput_report",
    ),
    _domain(
        "energy",
        "meter_reads grid_alarms weather_feeds tariff_sheets outage_calls solar_forecasts trade_tickets",
        "meter substation feeder tariff consumer turbine market_zone",
        "consumption outage maintenance_job energy_trade curtailment connection_request",
        "load_profile outage_index tariff_revenue grid_losses renewable_share imbalance_cost",
    ),
)
"""Domains in the order silos take them; the first five are those of DW-Bench, section 3.1."""

RELEASED: tuple[Domain, ...] = (
    _domain(
        "logistics",
        "purchase_orders shipment_tracking supplier_catalog warehouse_inventory freight_invoices",
        "supplier product warehouse carrier",
        "shipment purchase_order",
        "delivery_performance procurement_cost supplier_scorecard inventory_turnover",
        "orders_cleaned shipments_validated suppliers_deduped inventory_snapshot freight_reconciled",
    ),
    _domain(
        "hr",
        "employee_records department_hierarchy compensation_data",
        "employee department",
        "payroll",
        "headcount_report attrition_analysis",
        "employees_cleaned departments_mapped compensation_normalized",
    ),
    _domain(
        "healthcare",
        "patient_intake lab_results prescriptions",
        "patient provider",
        "encounter",
        "readmission_risk treatment_outcomes",
        "patients_validated labs_standardized prescriptions_coded",
    ),
    _domain(
        "ecommerce",
        "cart_sessions product_catalog payment_events",
        "customer product_listing",
        "transaction",
        "conversion_funnel revenue_dashboard",
        "sessions_enriched products_normalized payments_validated",
    ),
    _domain(
        "finance",
        "ledger_entries bank_feeds tax_filings",
        "account cost_center",
        "journal_entry",
        "trial_balance cash_flow_statement",
        "ledger_reconciled bank_matched tax_validated",
    ),
)
"""Table names of DW-Bench's released Syn-Logistics, without their layer prefixes."""

STAGED = ("cleaned", "validated", "deduped", "standardised", "normalised", "enriched")
BETWEEN = ("joined", "conformed", "allocated", "sessionised", "rolled_up", "matched")
DETAILS = ("line", "allocation", "adjustment", "correction")
"""What hangs below a fact."""
LEVELS = ("category", "class", "division", "group", "region")
"""What a dimension rolls up to."""

TOPICS = _words(
    """parking visitor cafeteria badge locker meeting_room shuttle mailroom keycard printer
    software_licence laptop phone_line helpdesk newsletter survey petition donation volunteer
    charity_run alumni mentoring library archive museum_loan greenhouse waste recycling water_quality
    noise_sensor lift escalator fire_drill first_aid lost_property uniform vending gym_class childcare
    pet_policy travel_visa hotel taxi bike_pool car_lease insurance_policy patent trademark grant
    sponsorship trade_fair press_release podcast webinar forum wiki domain_name certificate
    firewall_rule backup incident postmortem"""
)
"""Subjects of small silos."""

# A small silo is a prefix of one of these: (noun, what it attaches to, how).
# "key": the new table references the earlier one; "keyed": the reverse; "from": it derives from it.
SMALL_SHAPES: tuple[tuple[tuple[str, int, str], ...], ...] = (
    (
        ("register", 0, ""),
        ("type", 0, "keyed"),
        ("request", 0, "key"),
        ("approval", 2, "key"),
        ("summary", 2, "from"),
    ),
    (
        ("feed", 0, ""),
        ("checked", 0, "from"),
        ("daily_totals", 1, "from"),
        ("alerts", 1, "from"),
        ("code_list", 1, "keyed"),
    ),
    (
        ("calendar", 0, ""),
        ("booking", 0, "key"),
        ("cancellation", 1, "key"),
        ("usage_report", 1, "from"),
        ("contact", 1, "keyed"),
    ),
    (
        ("ledger", 0, ""),
        ("posting", 0, "key"),
        ("posting_note", 1, "key"),
        ("owner", 0, "keyed"),
        ("year_end", 1, "from"),
    ),
)

LONERS = _words(
    """etl_run_log schema_version dq_exception_log feature_flag holiday_calendar job_heartbeat api_token_audit
    tmp_backfill_keys legacy_contact_dump email_bounce_list app_setting number_sequence postal_code_import
    time_zone_offset reject_bin row_count_check"""
)
"""Tables nothing refers to."""

ROLES = ("primary", "secondary", "origin", "target", "billing", "reporting", "previous", "assigned")
"""How a foreign key column tells what its parent plays."""
