"""The start page: what was open last, and the gallery of defects."""

from inspector_app.ui.start.page import StartPage

__all__ = ["StartPage"]
