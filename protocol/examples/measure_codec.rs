//! Prints what reading and writing property values costs: `cargo run --release -p protocol --example measure_codec`.
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]
#![allow(clippy::expect_used, reason = "the input is made here")]

use std::hint::black_box;
use std::time::Instant;

use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use value::{Map, Value};

/// The recorded outputs of a storage bucket, as an example of a resource of usual size.
fn bucket() -> Map {
    let tag = |number: u32| {
        Value::object([
            ("key", Value::from(format!("cost-center-{number}"))),
            ("value", Value::from("platform-engineering")),
        ])
    };
    let rule = |number: u32| {
        Value::object([
            ("id", Value::from(format!("expire-{number}"))),
            ("status", "Enabled".into()),
            ("expirationInDays", number.into()),
            (
                "transitions",
                vec![Value::object([("storageClass", "GLACIER".into()), ("transitionInDays", number.into())])].into(),
            ),
        ])
    };
    let inputs = Value::object([
        ("bucketName", Value::from("assets-7f3a9c1")),
        ("tags", (1..6).map(tag).collect()),
        ("lifecycleConfiguration", Value::object([("rules", (1..6).map(rule).collect::<Value>())])),
        (
            "publicAccessBlockConfiguration",
            Value::object([("blockPublicAcls", true), ("ignorePublicAcls", true)].map(|(k, v)| (k, v.into()))),
        ),
    ]);
    let Value::Object(mut outputs) = inputs.clone() else { return Map::new() };
    for name in ["arn", "domainName", "dualStackDomainName", "regionalDomainName", "websiteUrl"] {
        outputs.insert(name.into(), format!("arn:aws:s3:::assets-7f3a9c1/{name}").into());
    }
    outputs.insert("__inputs".into(), Value::secret(inputs));
    outputs
}

/// The time of one call in nanoseconds: the best of some runs, since whatever else the machine does only adds.
fn best_of(mut run: impl FnMut()) -> f64 {
    const CALLS: u32 = 2000;
    let round = |_| {
        let started = Instant::now();
        (0..CALLS).for_each(|_| run());
        started.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    (0..20).map(round).fold(f64::INFINITY, f64::min)
}

fn main() {
    let outputs = bucket();
    let bytes = encode(&outputs, EncodeOptions::KEEP);
    let kilobytes = bytes.len() as f64 / 1000.0;
    let print = |what: &str, nanoseconds: f64| {
        println!("{what:<34}{nanoseconds:>8.0} ns  {:>6.0} ns/KB", nanoseconds / kilobytes);
    };
    println!("a struct of {} bytes", bytes.len());
    print("decode, everything kept", best_of(|| drop(decode(black_box(&bytes), DecodeOptions::KEEP).expect("valid"))));
    print("decode, plain", best_of(|| drop(decode(black_box(&bytes), DecodeOptions::PLAIN).expect("valid"))));
    print("encode", best_of(|| drop(encode(black_box(&outputs), EncodeOptions::KEEP))));
    print("clone, for comparison", best_of(|| drop(black_box(&outputs).clone())));
    let generated = || <prost_types::Struct as prost::Message>::decode(black_box(&bytes[..])).expect("valid");
    print("generated decode, for comparison", best_of(|| drop(generated())));
}
