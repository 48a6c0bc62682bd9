"""Reports about a reading, for people who were not there."""
