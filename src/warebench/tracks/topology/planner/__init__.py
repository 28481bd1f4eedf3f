"""The planner: a policy that reasons perfectly over what a method shows, and over nothing else."""
