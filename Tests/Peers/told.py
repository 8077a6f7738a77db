"""How the peers' programs answer: a line of JSON for each file, in the files' order."""

import json
import os
import sys


def tell(look, paths):
    # A peer's own chatter must not stand between the lines.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for path in paths:
        try:
            answer = look(path)
        except Exception as error:  # whatever it is, it is what the peer says of the file
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)
    sys.stdout.flush()
