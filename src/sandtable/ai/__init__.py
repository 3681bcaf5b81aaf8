"""Players: who chooses actions. They see what their seat sees, and nothing else."""
