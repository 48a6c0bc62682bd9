"""Small windows beside the window; none of them holds it up."""
