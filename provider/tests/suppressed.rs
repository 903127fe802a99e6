//! What the published provider takes for equal by property transforms, in recorded requests, held against our rules.
//!
//! The recording is no part of this repository: `FACTS=FOLDER` names the folder with `reference/recorded.jsonl.gz`. Without
//! it this test says that it was skipped.
#![cfg(feature = "embedded")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a failure here is the test's failure"
)]
#![allow(clippy::print_stdout, reason = "the counts, and that nothing was done, are worth a line")]
#![allow(missing_docs, reason = "tests are named by what they show")]

use std::collections::BTreeSet;

use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use provider::baseline::refresh::refresh;
use provider::checkpoint;
use serde_json::Value as Json;
use value::Map;

#[path = "support/recording.rs"]
mod recording;
use recording::records;

const CONSTANT: &str = "the rule is a constant, which neither value is";
const HIDDEN: &str = "the schema calls it write-only, and yet it is returned";
const MEANINGLESS: &str = "both values come to one meaningless text";
const SIBLINGS: &str = "the rule's result does not depend on the value";
const KIND: &str = "a value of another kind than the schema says";
const CASE: &str = "a pattern that finds a value anywhere, and another letter case";

/// What the published provider takes for equal and this one does not.
const NOT_EXPLAINED: [(&str, &str); 27] = [
    ("cognito:UserPool/transform-schema.*.name", KIND),
    ("directconnect:Connection/transform-location", CONSTANT),
    ("directconnect:Lag/transform-location", CONSTANT),
    ("dms:Endpoint/transform-extraConnectionAttributes", CASE),
    ("ec2:Eip/transform-domain", CONSTANT),
    ("ec2:SecurityGroupEgress/transform-fromPort", SIBLINGS),
    ("ec2:SecurityGroupEgress/transform-toPort", SIBLINGS),
    ("ec2:SecurityGroupIngress/transform-fromPort", SIBLINGS),
    ("ec2:SecurityGroupIngress/transform-toPort", SIBLINGS),
    ("ec2:SubnetCidrBlock/transform-ipv6CidrBlock", MEANINGLESS),
    ("efs:FileSystem/transform-kmsKeyId", CONSTANT),
    (
        "kinesisanalyticsv2:Application/transform-applicationConfiguration.applicationEncryptionConfiguration.keyId",
        CONSTANT,
    ),
    ("mediaconnect:RouterInput/transform-maintenanceConfiguration.preferredDayTime.time", MEANINGLESS),
    ("mediaconnect:RouterOutputResource/transform-maintenanceConfiguration.preferredDayTime.time", MEANINGLESS),
    ("neptune:DbCluster/transform-snapshotIdentifier", HIDDEN),
    ("neptune:DbCluster/transform-sourceDbClusterIdentifier", HIDDEN),
    ("neptune:DbInstance/transform-dbSnapshotIdentifier", HIDDEN),
    ("rds:DbCluster/transform-enableHttpEndpoint", SIBLINGS),
    ("rds:DbCluster/transform-snapshotIdentifier", HIDDEN),
    ("rds:DbCluster/transform-sourceDbClusterIdentifier", HIDDEN),
    ("rds:DbInstance/transform-dbSnapshotIdentifier", HIDDEN),
    ("rds:DbInstance/transform-sourceDbInstanceAutomatedBackupsArn", HIDDEN),
    ("rds:DbInstance/transform-sourceDbInstanceIdentifier", HIDDEN),
    ("rds:Integration/transform-kmsKeyId", MEANINGLESS),
    ("redshift:Integration/transform-kmsKeyId", MEANINGLESS),
    ("route53:RecordSet/transform-aliasTarget.dnsName", MEANINGLESS),
    ("s3files:FileSystem/transform-kmsKeyId", CONSTANT),
];

#[test]
fn what_the_published_provider_suppresses_is_explained() {
    let Some(records) = records("{\"id\":\"diff/") else { return };
    let (mut explained, mut left, mut used) = (0, Vec::new(), BTreeSet::new());
    for record in records.filter(|record| record["id"].as_str().unwrap().contains("/transform-")) {
        let (id, request) = (record["id"].as_str().unwrap(), &record["req"]);
        let Some(resource) = generated::resource(id.split('/').nth(1).unwrap()) else { continue };
        if record["res"]["ok"]["changes"] != "DIFF_NONE" {
            continue;
        }
        let (inputs, mut live) = (decoded(&request["old_inputs"]), decoded(&request["olds"]));
        live.remove(checkpoint::INPUTS);
        if refresh(resource, &inputs, &live, &live).inputs == inputs {
            explained += 1;
            continue;
        }
        let path = id.rsplit_once('-').unwrap().0.trim_start_matches("diff/aws-native:");
        match NOT_EXPLAINED.iter().find(|(known, _)| *known == path) {
            Some((known, _)) => drop(used.insert(*known)),
            None => left.push(id.to_owned()),
        }
    }
    println!("{explained} explained");
    assert!(left.is_empty(), "{left:#?}");
    assert!(explained >= 233, "{explained}");
    assert_eq!(used.len(), NOT_EXPLAINED.len(), "what is listed and explained after all");
}

/// A recorded structure, its marks read as marks.
fn decoded(json: &Json) -> Map {
    let members = value::json::from_json(json).as_object().cloned().unwrap_or_default();
    decode(&encode(&members, EncodeOptions::KEEP), DecodeOptions::KEEP).unwrap()
}
