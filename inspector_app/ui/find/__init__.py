"""Find in the recording in view: the bar, what is found, and its marks in panes, scroll bars and timeline."""
