"""An emulator for a test: started on a free port, stopped at the end. The command is the variable EMULATOR."""

import json
import os
import subprocess


class LocalCloud:
    """A running emulator. `url` is its address."""

    def __init__(self, *flags):
        command = [os.environ["EMULATOR"], "--port", "0", "--json", *flags]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CLOUDCONTROL_EMULATOR_")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def stop(self):
        self.process.terminate()
        code = self.process.wait(timeout=10)
        self.process.stdout.close()
        assert code == 0, f"the emulator ended with code {code}"
