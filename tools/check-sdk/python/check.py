"""usage: check.py FOLDER

Compiles every Python file below FOLDER with all cores and looks for enum members and classes that are defined twice, which
Python notices only on import or not at all. Lists what is wrong and exits with 1 if anything is.
"""

import ast
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


def findings(path):
    """Names what is wrong with one file, in order."""
    source = Path(path).read_text(encoding="utf-8")
    try:
        # The tree is only needed where enums are; compiling from the text is faster.
        tree = ast.parse(source, path) if path.endswith("_enums.py") else None
        compile(tree or source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return [f"{path}: {error}"]
    if tree is None:
        return []
    found = twice(path, tree.body, ast.ClassDef, lambda statement: statement.name)
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            members = twice(path, statement.body, ast.Assign, lambda member: member.targets[0].id)
            found += [f"{finding} in {statement.name}" for finding in members]
    return found


def twice(path, statements, kind, name_of):
    """Names the statements of one kind whose name an earlier one has."""
    seen = {}
    found = []
    for statement in statements:
        if not isinstance(statement, kind):
            continue
        name = name_of(statement)
        if name in seen:
            found.append(f"{path}:{statement.lineno}: {name} is defined already in line {seen[name]}")
        seen.setdefault(name, statement.lineno)
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    paths = sorted(str(path) for path in Path(sys.argv[1]).rglob("*.py"))
    if not paths:
        sys.exit(f"check.py: no Python file below {sys.argv[1]}")
    # The largest files first, so that no worker is left with one at the end.
    paths.sort(key=os.path.getsize, reverse=True)
    with ProcessPoolExecutor() as workers:
        found = sorted(finding for some in workers.map(findings, paths, chunksize=8) for finding in some)
    for finding in found[:20]:
        print(finding, file=sys.stderr)
    if found:
        sys.exit(f"check.py: {len(found)} findings in {len(paths)} files")


if __name__ == "__main__":
    main()
