#!/usr/bin/env python3
"""Compares what the generator makes with reference facts about the published provider. `make parity` runs it.

usage: parity.py GENERATOR FACTS [SNAPSHOT]
  GENERATOR  the pulumi-gen-aws-native binary
  FACTS      folder with tools/compare-package.py and reference/{schema-facts,metadata-facts}.json.gz and
             reference/published-1.84.0.tsv.gz
  SNAPSHOT   folder of the schemas that the published provider was generated from; its digests are compared too

Exit status 0 only when every difference stands in codegen/compat/ with its reason and every entry there has an effect.
"""
import csv
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

COMPAT = pathlib.Path(__file__).resolve().parent.parent / "codegen/compat"


def export(generator, what, file, *options):
    subprocess.run([generator, "export", what, "-o", file, *options], check=True)
    return file


def compare(facts, ours, reference):
    """Runs the comparison of documents; true when nothing differs but what is allowed."""
    tool = facts / "tools/compare-package.py"
    allowed = COMPAT / "differences.tsv"
    command = [sys.executable, tool, ours, "--facts", facts / "reference" / reference, "--allow", allowed]
    return subprocess.run(command).returncode == 0


def allowances(file):
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, _, reason = line.partition("\t")
            if not reason.strip() or re.search(pattern, "resources/any:thing:At/all"):
                sys.exit(f"{file.name}: without a reason, or matches everything: {line}")
            yield re.compile(pattern)


def absent(schema, published):
    """Paths of published tokens and properties that the package schema does not have."""
    parts = {
        "resource": ("resources", ["inputProperties"], ["properties"]),
        "function": ("functions", ["inputs", "properties"], ["outputs", "properties"]),
    }
    for row in csv.DictReader(gzip.open(published, "rt"), delimiter="\t"):
        if row["token"].count(":") < 2:
            continue  # The provider itself.
        section, *lists = parts[row["kind"]]
        ours = schema[section].get(row["token"])
        if ours is None:
            yield f"{section}/{row['token']}"
            continue
        for side, keys in zip(("inputs", "outputs"), lists):
            names = ours
            for key in keys:
                names = names.get(key, {})
            for name in filter(None, row[side].split(",")):
                if name not in names:
                    yield f"{section}/{row['token']}/{side}/{name}"


def check_published(schema, published):
    """True when everything published is there, or listed with its reason."""
    entries = list(allowances(COMPAT / "unpublished.tsv"))
    paths = list(absent(schema, published))
    unlisted = [path for path in paths if not any(entry.search(path) for entry in entries)]
    idle = [entry.pattern for entry in entries if not any(entry.search(path) for path in paths)]
    print(f"published SDK: {len(paths)} tokens and properties absent, {len(unlisted)} of them without a listed reason")
    for path in unlisted:
        print(f"  absent: {path}")
    for pattern in idle:
        print(f"  entry of unpublished.tsv without effect: {pattern}")
    return not unlisted and not idle


def check_snapshot(generator, snapshot, folder):
    """True when the digests of the snapshot are the known ones."""
    options = ["--source", snapshot, "--supported", COMPAT / "snapshot-types.txt", "--without-lock"]
    found = export(generator, "digests", folder / "digests.tsv", *options).read_text().splitlines()
    known = (COMPAT / "snapshot-digests.tsv").read_text().splitlines()
    differ = sorted(set(found) ^ set(known))
    print(f"snapshot: {len(known)} digests known, {len(differ)} differ")
    for row in differ:
        print(f"  {'ours' if row in found else 'known'}: {row}")
    return not differ


def main():
    generator, facts, *snapshot = sys.argv[1:]
    facts = pathlib.Path(facts).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        schema = export(generator, "schema", folder / "schema.json")
        metadata = export(generator, "metadata", folder / "metadata.json")
        results = [
            compare(facts, schema, "schema-facts.json.gz"),
            compare(facts, metadata, "metadata-facts.json.gz"),
            check_published(json.loads(schema.read_text()), facts / "reference/published-1.84.0.tsv.gz"),
        ]
        results += [check_snapshot(generator, pathlib.Path(source), folder) for source in snapshot]
    sys.exit(0 if all(results) else "parity: not everything agrees")


if __name__ == "__main__":
    main()
