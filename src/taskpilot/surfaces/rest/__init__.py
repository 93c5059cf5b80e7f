"""The REST API: everything under `/api`."""
