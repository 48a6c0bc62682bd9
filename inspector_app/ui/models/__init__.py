"""What the tables of the window show, row by row."""
