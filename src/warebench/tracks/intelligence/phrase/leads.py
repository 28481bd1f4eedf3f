"""First sentences: what a stakeholder would ask, in several paraphrases for each analysis type."""

from collections.abc import Mapping, Sequence

LEADS: Mapping[str, Sequence[str]] = {
    "point_query": (
        "What was the {metric}{scope}?",
        "For a report to the management: how high was the {metric}{scope}?",
        "Please give me the {metric}{scope}.",
        "We need one figure, the {metric}{scope}. What is it?",
    ),
    "point_query.rows": (
        "What was the {metric}{scope} for each {label} of these: {members}?",
        "Please give me the {metric}{scope} by {label}, only for {members}.",
        "Looking at {label} only for {members}: how high was the {metric}{scope} in each?",
    ),
    "trend": (
        "How did the {metric} develop {grain} by {grain}{scope}?",
        "Show me the trend of the {metric} by {grain}{scope}.",
        "Did the {metric} rise or fall by {grain}{scope}, by how much, and when did it peak?",
    ),
    "comparison": (
        "Which had the higher {metric}{scope}: {label} (a) {a} or (b) {b}?",
        "Please compare the {metric}{scope} of {label} (a) {a} with that of (b) {b}.",
        "Between {label} (a) {a} and (b) {b}, where was the {metric}{scope} higher?",
    ),
    "ranking": (
        "By {label}, which {top} groups had the {end} {metric}{scope}?",
        "Please rank each {label} by its {metric}{scope} and list the {top} {end}.",
        "Give me the {top} {end} values of the {metric}{scope} by {label}.",
    ),
    "significance": (
        "Does the {metric}{scope} differ significantly between {one} and {other}?",
        "Is the difference in the {metric}{scope} between {one} and {other} more than chance?",
        "Please test whether {one} and {other} differ in the {metric}{scope}.",
    ),
    "threshold_crossing": (
        "Was the {metric}{scope} above or below {threshold}?",
        "Our mark is {threshold}. On which side of it was the {metric}{scope}?",
        "Did the {metric}{scope} lie above {threshold}, or below?",
    ),
    "counterfactual.parameter": (
        "How would the {metric}{scope} change if {supposition}?",
        "Suppose that {supposition}. What would the {metric}{scope} have been, and what was it really?",
        "By how much would the {metric}{scope} have been different if {supposition}?",
    ),
    "counterfactual.no_rules": (
        "How would the {metric}{scope} change if no rule document of the company were in force?",
        "What would the {metric}{scope} have been without any of the company's rule "
        "documents, and what was it "
        "with them?",
        "By how much do the company's rule documents together move the {metric}{scope}?",
    ),
    "decomposition": (
        "Please break down the {metric}{scope} by {label}.",
        "How does the {metric}{scope} come out for every {label}?",
        "Show the {metric}{scope} for each {label}, so that we see where it comes from.",
    ),
    "knowledge_retrieval": (
        "{ask}",
        "According to the company's documents: {ask}",
        "A colleague wants to know: {ask}",
        "Please look this up in the knowledge base. {ask}",
    ),
}
"""Keys are analysis types, with the variant where that changes the sentence."""

RULED: Sequence[str] = (
    "Apply every rule document of the knowledge base that governs this metric or anything it is made of.",
    "All rule documents of the knowledge base that govern this metric, or what it is made of, apply.",
    (
        "Compute it as the company's rule documents in the knowledge base require, those on the "
        "metric's parts included."
    ),
)
STANDARD: Sequence[str] = (
    "Use the metric's standard definition from the metric catalog as it stands; apply no rule document.",
    "Take the standard definition of the metric catalog as it stands, without any rule document.",
    "Only the standard definition in the metric catalog counts here; rule documents are not to be applied.",
)
