#!/usr/bin/env python3
"""Prints each public declaration without a doc comment, and fails if there is one.

    comments.py FOLDER...

It reads the Swift files of each FOLDER, laid out as `swift format` leaves them: a declaration begins a line.
A member needs no comment if its type conforms to a protocol that has one for it: one of the FOLDERs' or of EXEMPT.
"""
import re
import sys
from pathlib import Path

DECLARATION = re.compile(
    r"(?P<modifiers>(?:(?:public|package|internal|private|fileprivate|open|static|class|final|indirect|mutating"
    r"|nonmutating|nonisolated|distributed|override|required|convenience|lazy|weak|borrowing|consuming"
    r"|isolated|prefix|postfix|infix)(?:\([a-z]+\))?\s+)*)"
    r"(?P<kind>actor|associatedtype|case|class|enum|extension|func|init|let|macro|protocol|struct|subscript"
    r"|typealias|var)\b[?!]?\s*(?P<name>[\w.`]+|[^\s\w(\"]+|)(?:<[^(]*>)?(?:\((?P<label>\w*))?")
TYPES = {"actor", "class", "enum", "extension", "protocol", "struct"}
# The members that a protocol of the standard library asks for, or ArgumentParser's.
EXEMPT = {
    "AsyncIteratorProtocol": {"Element", "Failure", "next"},
    "AsyncSequence": {"AsyncIterator", "Element", "Failure", "Iterator", "makeAsyncIterator"},
    "Clock": {"Instant", "Duration", "now", "minimumResolution", "sleep"},
    "Codable": {"encode", "init(from)"},
    "Comparable": {"<"},
    "CustomStringConvertible": {"description"},
    "Hashable": {"==", "hash"},
    "Identifiable": {"ID", "id"},
    "InstantProtocol": {"<", "+", "advanced", "duration"},
    "LosslessStringConvertible": {"description"},
    "ParsableArguments": {"init()"},
}


def without_literals(line):
    """The line without its strings and its comment, so that only braces of the code are counted."""
    return re.sub(r"//.*", "", re.sub(r'"(?:\\.|[^"\\])*"', '""', line))


class Reader:
    """What the files declare."""

    def __init__(self):
        self.members = []  # Of each, its place, kind, name, the scope around it, and whether it has a comment.
        self.words = {}  # Of each type, the protocols that it conforms to, and other words of its declarations.
        self.public = {}  # Of each type, whether one of its name is public.

    def read(self, path):
        # Of each open brace, the kind and name of its declaration, and whether that is public.
        scopes, pending, header = [], None, None
        commented, text = False, False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.strip()
            if text:
                text = '"""' not in line
                continue
            if line.startswith("//") or not line:
                commented = line.startswith("///") or commented and bool(line)
                continue
            text = line.count('"""') % 2 == 1
            outer = scopes[-1] if scopes else ("file", "", True)
            # An attribute stands between a comment and its declaration, or begins the declaration's line.
            bare = re.sub(r"^(@\w+(\((?:[^()]|\([^()]*\))*\))?\s*)+", "", line)
            found = DECLARATION.match(bare)
            if found and outer[0] in TYPES | {"file"}:
                kind, name = found["kind"], found["name"].strip("`").split(".")[-1]
                name = f"init({found['label'] or ''})" if kind == "init" else name
                levels = re.findall(r"\b(public|open|package|internal|private|fileprivate)\b(?!\()", found["modifiers"])
                implied = outer[2] and (outer[0] in ("protocol", "extension") or kind == "case")
                public = "public" in levels or "open" in levels or (implied and not levels)
                if kind != "extension":
                    if public:
                        self.members.append((f"{path}:{number}", kind, name, outer, commented))
                    if kind in TYPES:
                        self.public[name] = self.public.get(name, False) or public
                pending = (kind, name, public) if kind in TYPES else ("body", "", False)
                header = name if kind in TYPES else None
            if header:
                self.words.setdefault(header, set()).update(
                    re.findall(r"\w+", re.sub(r"<.*?>|\bwhere\b.*|{.*", "", bare)))
            if bare and not line.startswith("#"):
                commented = False
            for brace in re.findall("[{}]", without_literals(line)):
                header = None
                if brace == "{":
                    scopes.append(pending or ("body", "", False))
                    pending = None
                elif scopes:
                    scopes.pop()

    def bare(self):
        """The public members without a comment that need one."""
        asked = {name: set(names) for name, names in EXEMPT.items()}
        for _, _, name, outer, commented in self.members:
            if outer[0] == "protocol" and commented:
                asked.setdefault(outer[1], set()).add(name)
        for place, kind, name, outer, commented in self.members:
            if commented or not self.public.get(outer[1], True):
                continue
            known, new = set(), {outer[1]}
            while new:
                known |= new
                new = set().union(*(self.words.get(each, set()) for each in new)) - known
            if outer[0] == "protocol":
                known.discard(outer[1])
            if not any(name in asked.get(each, ()) for each in known):
                yield f"{place}: {kind} {name} has no comment".replace(" init init", " init")


def main(folders):
    reader = Reader()
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.swift")):
        reader.read(path)
    missing = list(reader.bare())
    print(*missing, sep="\n", end="\n" if missing else "")
    return 1 if missing else 0


sys.exit(main(sys.argv[1:]))
