"""From skeletons and facts to tasks: drafts, gold by two methods, texts, review, quotas."""
