#!/usr/bin/env python3
"""Holds the Swift that the articles show against Tests/Consumer, which compiles and runs it: word for word, but for spaces."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```swift\n(.*?)^```", re.MULTILINE | re.DOTALL)


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def main():
    sources = [lines(path.read_text()) for path in sorted((ROOT / "Tests/Consumer/Sources").rglob("*.swift"))]
    shown, missing = 0, 0
    for article in sorted((ROOT / "Sources/Daedalus/Daedalus.docc").glob("*.md")):
        text = article.read_text()
        for match in BLOCK.finditer(text):
            block = lines(match[1])
            shown += 1
            size = len(block)
            if not any(block == source[at : at + size] for source in sources for at in range(len(source) - size + 1)):
                missing += 1
                line = text.count("\n", 0, match.start()) + 1
                print(f"{article.relative_to(ROOT)}:{line}: this code is in no file of Tests/Consumer", file=sys.stderr)
    print(f"{shown} pieces of code in the articles, {missing} of them in no file of Tests/Consumer")
    return 1 if missing or not shown else 0


if __name__ == "__main__":
    sys.exit(main())
