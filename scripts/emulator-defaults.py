#!/usr/bin/env python3
"""Writes emulator/data/documented-defaults.tsv: what services fill in, as the pinned documentation states it.

Two kinds of statements are taken: the documentation's own field, and sentences that name one default and no condition.
Needs what `make generate` leaves in cf-schemas/download. A value that the schema of its property refuses is left out, and
so is what the hand-written rules in emulator/data/forms/ say already. A test holds every line against the schemas.
"""

import glob
import gzip
import io
import json
import re
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOWNLOAD = ROOT / "cf-schemas/download"
TABLE = ROOT / "emulator/data/documented-defaults.tsv"

# Stated without a condition that holds all the same.
LEFT_OUT = {
    ("AWS::EC2::VPNConnection", "LocalIpv4NetworkCidr"): "for tunnels over IPv4 only",
    ("AWS::EC2::VPNConnection", "LocalIpv6NetworkCidr"): "for tunnels over IPv6 only",
    ("AWS::EC2::VPNConnection", "RemoteIpv4NetworkCidr"): "for tunnels over IPv4 only",
    ("AWS::EC2::VPNConnection", "RemoteIpv6NetworkCidr"): "for tunnels over IPv6 only",
    ("AWS::ElasticLoadBalancingV2::LoadBalancer", "EnablePrefixForIpv6SourceNat"): "for network load balancers only",
    ("AWS::ElasticLoadBalancingV2::LoadBalancer", "EnforceSecurityGroupInboundRulesOnPrivateLinkTraffic"): "for network load balancers only",
    ("AWS::IVS::IngestConfiguration", "StageArn"): "an empty text, which the schema refuses",
    ("AWS::RDS::DBInstance", "DBSystemId"): "for custom Oracle engines only",
}

SENTENCE = re.compile(
    r"(?:The default(?: value)?(?: for this (?:property|parameter|setting))? is|Default(?: value)?(?: is|:)|[Dd]efaults to)"
    r"\s*`+([A-Za-z0-9_./:-]+?)`+\s*(?=[.]|$|;|\))"
)
CONDITION = re.compile(r"\b(if|for|when|unless|otherwise|depends|except|only)\b", re.IGNORECASE)


def documented():
    """The types of the documentation by name."""
    with tarfile.open(DOWNLOAD / "documentation.tgz") as archive:
        packed = archive.extractfile("package/db.json.gz").read()
    types = json.load(gzip.open(io.BytesIO(packed)))["schema"]["resource"]["entities"]
    return {kind["cloudFormationType"]: kind["properties"] for kind in types}


def resolved(schema, node):
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rsplit("/", 1)[-1]]
    return node


def fits(node, value):
    """Whether a property can have a value, as far as type, enum and bounds tell."""
    kinds = {"boolean": bool, "integer": int, "number": (int, float), "string": str}
    kind = node.get("type")
    if kind not in kinds or not isinstance(value, kinds[kind]) or (kind != "boolean" and isinstance(value, bool)):
        return False
    if "enum" in node and value not in node["enum"]:
        return False
    if isinstance(value, str):
        return node.get("minLength", 0) <= len(value) and re.search(node.get("pattern", ""), value) is not None
    return isinstance(value, bool) or node.get("minimum", value) <= value <= node.get("maximum", value)


def stated(text, node):
    """The default that a description states, if it states one and no condition."""
    text = " ".join(text.split())
    if len(re.findall("[Dd]efault", text)) != 1:
        return None
    found = SENTENCE.search(text)
    sentence = next((part for part in re.split(r"(?<=[.])\s", text) if found and found[0] in part), "")
    if not found or CONDITION.search(sentence.split("efault")[-1]):
        return None
    word, kind = found[1], node.get("type")
    if kind == "boolean":
        return {"true": True, "false": False}.get(word.lower())
    if kind in ("integer", "number"):
        return json.loads(word) if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", word) else None
    return word


def by_hand():
    """Types and properties about which a file in emulator/data/forms/ says something."""
    known = set()
    for name in glob.glob(str(ROOT / "emulator/data/forms/*.yaml")):
        kind = None
        for line in Path(name).read_text().splitlines():
            if head := re.fullmatch(r"  (\w+):", line):
                kind = f"AWS::{Path(name).stem}::{head[1]}"
            elif rule := re.match(r"      - \{ path: /properties/(\w+), value:", line):
                known.add((kind, rule[1]))
    return known


def main():
    documentation, known, lines = documented(), by_hand(), []
    for name in glob.glob(str(DOWNLOAD / "resources/*.json")):
        schema = json.loads(Path(name).read_text())
        kind = schema["typeName"]
        if "handlers" not in schema:
            continue
        hidden = schema.get("readOnlyProperties", []) + schema.get("writeOnlyProperties", []) + schema.get("primaryIdentifier", [])
        hidden = {pointer.split("/")[2] for pointer in hidden if pointer.count("/") == 2}
        for prop, own in schema["properties"].items():
            place = (kind, prop)
            about = documentation.get(kind, {}).get(prop, {})
            if prop in hidden or "default" in own or place in known or place in LEFT_OUT:
                continue
            node = resolved(schema, own)
            if "defaultValue" in about:
                value, source = json.loads(about["defaultValue"]), "field"
            else:
                value, source = stated(about.get("documentation") or own.get("description") or "", node), "sentence"
            if value is not None and fits(node, value):
                lines.append(f"{kind}\t{prop}\t{json.dumps(value)}\t{source}")
    head = "# CloudFormation type, property, default as JSON, where it is stated; written by scripts/emulator-defaults.py from npm\n"
    head += "# @aws-cdk/aws-service-spec 0.1.216 (Apache-2.0), the pinned documentation\n"
    TABLE.write_text(head + "".join(line + "\n" for line in sorted(lines)))
    print(f"{len(lines)} defaults of {len({line.split(chr(9))[0] for line in lines})} types")


main()
