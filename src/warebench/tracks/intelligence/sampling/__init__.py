"""Connected subgraphs of the artifact linkage graph, scored and selected: what questions are about."""
