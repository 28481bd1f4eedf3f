"""Questions, their gold and certificates, and question sets on disk."""
