"""`python -m inspector_app` is the `stream-inspector` command."""

import sys

from inspector_app.cli import main

sys.exit(main())
