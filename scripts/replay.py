#!/usr/bin/env python3
"""Sends recorded requests to the provider and compares its answers with the published provider's. `make replay` runs it.

usage: replay.py PROVIDER FACTS [--group NAME]... [--list N]
  PROVIDER  the plugin
  FACTS     folder with tools/record.py, tools/replay.py and reference/recorded.jsonl.gz
  --group   only these groups, the first parts of the ids (default: check tags naming crud diff config)
  --list    print the first N differences that are not allowed (default 40)

Differences are allowed by provider/compat/differences.tsv: a regular expression, searched in the line
"ID: KIND: PATH: THEIRS => OURS", and the reason. What no expression can say is shown by provider/tests/recorded.rs.
Prints the counts by group and by kind. Exit status 0 only when every difference is allowed, nothing crashed and every
entry for these groups has an effect.
"""
import argparse
import collections
import gzip
import json
import pathlib
import re
import sys

GROUPS = ["check", "tags", "naming", "crud", "diff", "config"]
ALLOWED = pathlib.Path(__file__).resolve().parent.parent / "provider/compat/differences.tsv"


def plain(record, message):
    """As record.plain, which cannot print repeated messages in the details of a status."""
    form = {}
    for field, value in message.ListFields():
        kind = field.message_type
        if kind and kind.full_name == "google.protobuf.Struct":
            form[field.name] = record.from_struct(value)
        elif kind and kind.GetOptions().map_entry:
            form[field.name] = {key: plain(record, value[key]) for key in sorted(value)}
        elif field.enum_type:
            form[field.name] = field.enum_type.values_by_number[value].name
        elif field.name == "failures":
            form[field.name] = sorted([failure.property, failure.reason] for failure in value)
        elif kind:
            form[field.name] = [plain(record, one) for one in value] if hasattr(value, "extend") else plain(record, value)
        else:
            form[field.name] = list(value) if hasattr(value, "extend") else value
    return {"changes": "DIFF_UNKNOWN", **form} if isinstance(message, record.P.DiffResponse) else form


def allowances():
    for line in ALLOWED.read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, _, reason = line.partition("\t")
            if not reason.strip():
                sys.exit(f"{ALLOWED.name}: an entry without a reason: {pattern}")
            yield re.compile(pattern)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("provider")
    parser.add_argument("facts", type=pathlib.Path)
    parser.add_argument("--group", action="append", choices=GROUPS + ["invoke", "list"])
    parser.add_argument("--list", type=int, default=40)
    options = parser.parse_args()
    sys.path.insert(0, str(options.facts / "tools"))
    import record
    import replay

    record.plain = lambda message: plain(record, message)
    wanted, rules = options.group or GROUPS, list(allowances())
    verdicts, kinds, used, left = collections.defaultdict(collections.Counter), collections.Counter(), set(), []
    with gzip.open(options.facts / "reference/recorded.jsonl.gz", "rt", encoding="utf-8") as corpus:
        runner = record.Runner(options.provider, json.loads(next(corpus))["configs"])
        try:
            for line in corpus:
                group = line[len('{"id":"'):].split("/", 1)[0]
                if group not in wanted:
                    continue
                recorded = json.loads(line)
                try:
                    got = runner.send(recorded)
                except SystemExit as refused:
                    # The configuration that the record needs was refused.
                    runner.drop(recorded["conf"])
                    verdicts[group]["not run"] += 1
                    left.append(f"{recorded['id']}: {refused}")
                    continue
                verdict = "identical"
                for kind, path, theirs, ours in replay.compare(recorded, got):
                    text = f"{recorded['id']}: {kind}: {path}: {replay.short(theirs)} => {replay.short(ours)}"
                    rule = next((rule for rule in rules if rule.search(text)), None)
                    used.add(rule)
                    kinds[group, kind, "allowed" if rule else "not allowed"] += 1
                    if rule is None:
                        left.append(text)
                        verdict = "differs"
                    elif verdict == "identical":
                        verdict = "differs as allowed"
                verdicts[group][verdict] += 1
        finally:
            runner.close()
    for group, counts in verdicts.items():
        print(f"{group}: {', '.join(f'{verdict} {count}' for verdict, count in sorted(counts.items()))}")
    for (group, kind, verdict), count in sorted(kinds.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"  {group}: {kind}, {verdict}: {count}")
    for text in left[: options.list]:
        print(f"  {text[:600]}")
    # An entry can only be judged when everything that it may be for was sent.
    idle = [rule.pattern for rule in rules if rule not in used] if set(wanted) >= set(GROUPS) else []
    for pattern in idle:
        print(f"without effect: {pattern}")
    sys.exit(bool(left or idle or not verdicts))


if __name__ == "__main__":
    main()
