#!/usr/bin/env python3
"""Holds the emulator's verdicts about models against those of an independent draft-7 validator, Python's jsonschema.

    scripts/emulator-differential.py CORPUS [--schemas FOLDER] [--record FILE]

CORPUS has a model a line: type, change that made it, model, and the emulator's text, null when it accepts. `make
emulator-differential` writes one and installs the pinned validator. Exit code 1 when a difference has none of these reasons:

fraction    `5.0` is an integer in draft 7; the service's library goes by the written text and refuses it.
read-only   A required member that only the service can set is excused, since nobody could send it.
equal       1 and 1.0 (or true) are equal elements here and different texts there.

Both sides leave out `pattern` and `format`, whose dialects differ and which have vectors of their own. Members beside a `$ref`
count, as in the service's library; draft 7 ignores them, so they are moved into `allOf` first.

With --record some small models go to FILE with the verdict of jsonschema: tests/vectors/verdicts.jsonl.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDED = 400
LONGEST_RECORDED = 600


# Classes of Java's dialect in the patterns of keys, as Python knows them.
CLASSES = {"M": "\u0300-\u036f", "S": "$+<=>^`|~", "P": "!-/:-@\\[-`{-~", "L": "a-zA-Z\u00c0-\uffff", "N": "0-9", "Z": " ", "Alnum": "a-zA-Z0-9", "Alpha": "a-zA-Z", "Print": " -~", "Graph": "!-~"}


def key_pattern(pattern):
    return re.sub(r"\\p\{(\w+)\}", lambda match: CLASSES[match[1]], pattern)


def common(schema):
    """A schema in the form that both sides read alike."""
    if isinstance(schema, list):
        return [common(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {k: common(v) for k, v in schema.items() if not (k in ("pattern", "format") and isinstance(v, str))}
    if isinstance(kept.get("patternProperties"), dict):
        kept["patternProperties"] = {key_pattern(k): v for k, v in kept["patternProperties"].items()}
    if isinstance(kept.get("$ref"), str) and len(kept) > 1:
        kept["allOf"] = kept.get("allOf", []) + [{"$ref": kept.pop("$ref")}]
    return kept


def steps(pointer):
    return [step for step in pointer.replace(".", "/").split("/") if step][1:]


def is_read_only(schema, place):
    """Whether a place of an instance is on the list; indexes stand for `*`, which may be left out."""
    place = [step for step in place if not isinstance(step, int)]
    return any([step for step in steps(path) if step != "*"] == place for path in schema.get("readOnlyProperties", []))


def leaves(error):
    """The errors below an error of a combination, else the error itself."""
    return [leaf for below in error.context for leaf in leaves(below)] if error.context else [error]


def missing(error):
    """The place of the member that an error of `required` asks for."""
    return list(error.absolute_path) + [next(name for name in error.validator_value if name not in error.instance)]


def has_whole_fraction(value):
    if isinstance(value, float):
        return value.is_integer()
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return any(has_whole_fraction(child) for child in children)


def reason(schema, case, errors):
    """Why the two may differ about a case, None for a difference that nothing explains."""
    if case["text"] is not None and not errors:
        return "fraction" if has_whole_fraction(case["model"]) and "found: Double" in case["text"] else None
    found = [leaf for error in errors for leaf in leaves(error)]
    asks = [error for error in found if error.validator == "required"]
    if asks and all(is_read_only(schema, missing(error)) for error in asks):
        return "read-only"
    if all(error.validator == "uniqueItems" for error in found):
        return "equal"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--schemas", type=pathlib.Path, default=ROOT / "cf-schemas/download/resources")
    parser.add_argument("--record", type=pathlib.Path)
    arguments = parser.parse_args()
    schemas = {}
    for file in sorted(arguments.schemas.glob("*.json")):
        schema = json.loads(file.read_text())
        schemas[schema["typeName"]] = schema
    validators = {}
    counts, reasons, unexplained, agreed = collections.Counter(), collections.Counter(), [], []
    for line in arguments.corpus.read_text().splitlines():
        case = json.loads(line)
        name = case["type"]
        if name not in validators:
            schema = common({k: v for k, v in schemas[name].items() if k != "$schema"})
            validators[name] = jsonschema.Draft7Validator(dict(schema, type="object"))
        errors = list(validators[name].iter_errors(case["model"]))
        counts["accepted" if not errors else "refused"] += 1
        if (case["text"] is None) == (not errors):
            agreed.append((line, case, not errors))
            continue
        why = reason(schemas[name], case, errors)
        reasons[why or "unexplained"] += 1
        if why is None:
            unexplained.append((name, case["change"], case["text"], [error.message[:200] for error in errors][:3]))
    total = sum(counts.values())
    print(f"{total} models of {len(validators)} types: {counts['accepted']} accepted, {counts['refused']} refused by jsonschema "
          f"{jsonschema.__version__ if hasattr(jsonschema, '__version__') else ''}; differences: {dict(reasons) or 'none'}")
    for difference in unexplained[:40]:
        print("unexplained:", *difference, sep="\n  ")
    if arguments.record:
        small = [(case, valid) for line, case, valid in agreed if len(json.dumps(case["model"])) <= LONGEST_RECORDED]
        chosen = small[:: max(1, len(small) // RECORDED)]
        with arguments.record.open("w") as file:
            for case, valid in chosen:
                record = {"type": case["type"], "model": case["model"], "valid": valid}
                file.write(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
