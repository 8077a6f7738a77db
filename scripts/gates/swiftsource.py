"""Swift source as the gates see it: code with strings and comments blanked, and the comment of each line.

Not a parser: it knows strings (raw, multi-line, with interpolated code), nested comments and brackets, and no more.
Bare regular expression literals (/…/) are read as code.
"""

import re
from bisect import bisect_right


class Source:
    """One file. `code` has the length and line breaks of the text; blanked characters are spaces."""

    def __init__(self, text):
        self.text = text
        code = list(text)
        comments = []
        _blank(text, code, comments)
        self.code = "".join(code)
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.comments = {}
        for start, end in comments:
            for number, piece in enumerate(text[start:end].split("\n"), self.line(start)):
                self.comments[number] = (self.comments.get(number, "") + " " + piece.strip("/* \t")).strip()

    def line(self, offset):
        """The line, from 1, of a character."""
        return bisect_right(self._starts, offset)

    def shown(self, number):
        return self.lines[number - 1].strip()

    def comment(self, number):
        """What is said on the line in comments; empty where nothing is."""
        return self.comments.get(number, "")

    def brackets(self):
        """For each character, the offset of the innermost bracket open there, or -1."""
        open_at, stack = [], [-1]
        for offset, letter in enumerate(self.code):
            if letter in ")]}" and len(stack) > 1:
                stack.pop()
            open_at.append(stack[-1])
            if letter in "([{":
                stack.append(offset)
        return open_at


def _blank(text, code, comments):
    """Overwrites strings and comments in `code` by spaces; notes each comment's range."""

    def erase(start, end):
        for position in range(start, min(end, len(code))):
            if code[position] != "\n":
                code[position] = " "

    # What is being read: ("code", depth of parentheses) or ("string", number signs, is multi-line).
    stack = [["code", 0]]
    at, size = 0, len(text)
    opening = re.compile(r'(#*)("""|")')
    while at < size:
        top = stack[-1]
        if top[0] == "code":
            if text.startswith("//", at):
                end = text.find("\n", at)
                end = size if end < 0 else end
                comments.append((at, end))
                erase(at, end)
                at = end
            elif text.startswith("/*", at):
                depth, end = 1, at + 2
                while end < size and depth:
                    if text.startswith("/*", end):
                        depth, end = depth + 1, end + 2
                    elif text.startswith("*/", end):
                        depth, end = depth - 1, end + 2
                    else:
                        end += 1
                comments.append((at, end))
                erase(at, end)
                at = end
            elif match := opening.match(text, at):
                # The quotes stay, so that what follows a string is seen to follow something.
                stack.append(["string", match[1], match[2] == '"""'])
                at = match.end()
            else:
                if text[at] == "(":
                    top[1] += 1
                elif text[at] == ")":
                    top[1] -= 1
                    if top[1] < 0 and len(stack) > 1:  # the end of an interpolation
                        stack.pop()
                at += 1
        else:
            _, signs, multi_line = top
            quote = '"""' if multi_line else '"'
            escape = "\\" + signs
            if text.startswith(escape + "(", at):
                erase(at, at + len(escape))
                at += len(escape) + 1
                stack.append(["code", 0])
            elif text.startswith(escape, at):
                erase(at, at + len(escape) + 1)
                at += len(escape) + 1
            elif text.startswith(quote + signs, at) or (text[at] == "\n" and not multi_line):
                at += 1 if text[at] == "\n" else len(quote + signs)
                stack.pop()
            else:
                erase(at, at + 1)
                at += 1
