"""The drawer below a timeline that stands alone: the numbers of the range, or of what is in sight."""
