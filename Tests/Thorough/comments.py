#!/usr/bin/env python3
"""Prints each public declaration without a doc comment, and fails if there is one.

    comments.py FOLDER...

It reads the Swift files of each FOLDER, laid out as `swift format` leaves them: a declaration begins a line.
What the language or a protocol of the standard library asks for needs no comment, nor does a member of an
extension that has the name of a commented requirement of a protocol.
"""
import re
import sys
from pathlib import Path

DECLARATION = re.compile(
    r"(?P<modifiers>(?:(?:public|package|internal|private|fileprivate|open|static|class|final|indirect|mutating"
    r"|nonmutating|nonisolated|distributed|override|required|convenience|lazy|weak|borrowing|consuming"
    r"|isolated|prefix|postfix|infix)(?:\([a-z]+\))?\s+)*)"
    r"(?P<kind>actor|associatedtype|case|class|enum|extension|func|init|let|macro|protocol|struct|subscript"
    r"|typealias|var)\b\s*(?P<name>`?[\w.]+`?|[^\s\w(<\"]+)?")
EXEMPT = {
    "description", "debugDescription", "errorDescription", "==", "<", "hash", "encode", "next", "makeAsyncIterator",
    "Element", "Failure", "AsyncIterator", "Iterator", "makeIterator", "ID", "id", "rawValue", "allCases",
    "CodingKeys",
}
# The witnesses of ArgumentParser's protocols.
EXEMPT |= {"configuration", "validate"}
TYPES = {"actor", "class", "enum", "extension", "protocol", "struct"}


def without_literals(line):
    """The line without its strings and its comment, so that only braces of the code are counted."""
    return re.sub(r"//.*", "", re.sub(r'"(?:\\.|[^"\\])*"', '""', line))


def declarations(path):
    """The line, kind, name, and enclosing protocol of each public declaration, and whether it has a comment."""
    # Each open brace: what it belongs to, and whether its members are public and its declaration is.
    scopes, commented, pending, in_text = [], False, None, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.strip()
        if line.count('"""') % 2:
            in_text = not in_text
            if in_text:
                commented = False
            continue
        if in_text:
            continue
        if text.startswith("///"):
            commented = True
            continue
        if not text or text.startswith("//"):
            commented = commented and bool(text)
            continue
        outer = scopes[-1] if scopes else ("file", None, False)
        # An attribute stands between a comment and its declaration, or begins the declaration's line.
        bare = re.sub(r"^(@\w+(\((?:[^()]|\([^()]*\))*\))?\s*)+", "", text)
        found = DECLARATION.match(bare)
        if found and (outer[0] == "file" or outer[0] in TYPES):
            kind, name = found["kind"], (found["name"] or "").strip("`")
            modifiers = found["modifiers"]
            own = re.search(r"\b(public|open)\b(?!\()", modifiers) is not None
            hidden = re.search(r"\b(package|internal|private|fileprivate)\b(?!\()", modifiers) is not None
            implied = outer[2] and (outer[0] in ("protocol", "extension") or kind == "case")
            public = own or (implied and not hidden)
            if kind == "extension":
                pending = (kind, name, own)
            else:
                if kind == "init" and re.search(r"init\(from \w+: (any|some|inout)? ?Decoder", bare):
                    name = "encode"
                if public:
                    yield number, kind, name, outer[0], commented
                pending = (kind if kind in TYPES else "body", name, public and kind in TYPES)
        if not (text.startswith("@") and not bare) and not text.startswith("#"):
            commented = False
        for brace in re.findall("[{}]", without_literals(text)):
            if brace == "{":
                scopes.append(pending or ("body", None, False))
                pending = None
            elif scopes:
                scopes.pop()


def main(folders):
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.swift"))
    found = [(path, *each) for path in files for each in declarations(path)]
    requirements = {name for _, _, _, name, outer, commented in found if outer == "protocol" and commented}
    missing = [
        f"{path}:{number}: {kind} {name} has no comment".replace(" init  ", " init ")
        for path, number, kind, name, outer, commented in found
        if not commented and name not in EXEMPT and not (outer != "protocol" and name in requirements)
    ]
    print(*missing, sep="\n", end="\n" if missing else "")
    return 1 if missing else 0


sys.exit(main(sys.argv[1:]))
