#!/usr/bin/env python3
"""Writes the `arns` sections of emulator/data/services from the pinned documentation package.

    scripts/emulator-arns.py [--check] [ARCHIVE]

ARCHIVE is cf-schemas/download/documentation.tgz unless named: npm @aws-cdk/aws-service-spec, Apache-2.0. It carries the ARN of
a resource type as the service authorization reference prints it. A file that does not exist yet is made. With --check nothing
is written; the names of files that differ are printed and the exit code is 1.
"""

import gzip
import json
import pathlib
import re
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVICES = ROOT / "emulator/data/services"
HEAD = "arns: # the service authorization reference\n"
SCOPE = {"Partition": "partition", "Region": "region", "Account": "account"}


def templates(archive):
    """The templates by namespace and last part of the type name."""
    with tarfile.open(archive) as tar:
        database = json.loads(gzip.decompress(tar.extractfile("package/db.json.gz").read()))
    by_namespace = {}
    for entity in database["schema"]["resource"]["entities"]:
        template = entity.get("arnTemplate")
        parts = entity["cloudFormationType"].split("::")
        if template and len(parts) == 3:
            # Some pages print the usual partition instead of its placeholder.
            template = re.sub(r"^arn:aws:", "arn:${Partition}:", template)
            text = re.sub(r"\$\{(\w+)\}", lambda match: "{" + SCOPE.get(match[1], match[1]) + "}", template)
            by_namespace.setdefault(parts[1], {})[parts[2]] = text
    return by_namespace


def with_section(text, arns):
    """The text of a file with another `arns` section, which stands before `types`."""
    section = HEAD + "".join(f'  {kind}: "{arn}"\n' for kind, arn in sorted(arns.items()))
    without = re.sub(r"(?m)^arns:.*\n(?:  .*\n)*", "", text)
    before, types, after = without.partition("\ntypes:\n")
    return before.rstrip("\n") + "\n" + section + (types.lstrip("\n") + after if types else "")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    is_check = "--check" in sys.argv
    archive = arguments[0] if arguments else ROOT / "cf-schemas/download/documentation.tgz"
    stale = []
    for namespace, arns in sorted(templates(archive).items()):
        file = SERVICES / f"{namespace}.yaml"
        before = file.read_text() if file.exists() else f"namespace: {namespace}\n"
        after = with_section(before, arns)
        if not file.exists() or after != before:
            stale.append(file.name)
            if not is_check:
                file.write_text(after)
    print("\n".join(stale))
    sys.exit(1 if is_check and stale else 0)


if __name__ == "__main__":
    main()
