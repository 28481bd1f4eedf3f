"""All Inspect AI glue: data set, methods' loops, sandbox, models, scorers, logs."""
