"""Records one stream and prints after each read how many bytes of the body are recorded: `URL FILE`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from inspector_app.core.kit import load_kit
from inspector_app.live.capture import Conditions, Read
from inspector_app.live.recorder import Recorder, create
from inspector_app.live.request import Outgoing
from inspector_app.live.running import Running

if __name__ == "__main__":
    request = Outgoing("POST", sys.argv[1], (), b"{}")
    _, file = create(Path(sys.argv[2]))
    recorder = Recorder(file, request.record())
    running = Running(request, load_kit(), Conditions(), recorder)
    running.start()
    taken = 0
    while running.wait(60):
        for item in running.take():
            if isinstance(item, Read):
                taken += len(item.data)
                os.write(1, b"%d\n" % taken)
