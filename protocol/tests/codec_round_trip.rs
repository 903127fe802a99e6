//! What is written reads back, by our codec and by generated code.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use proptest::prelude::*;
use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use value::{Archive, ArchiveMember, Asset, Map, Unknown, Value, equality};

fn any_asset() -> impl Strategy<Value = Asset> {
    (prop_oneof![".{0,8}".prop_map(Asset::text), ".{1,8}".prop_map(Asset::path)], proptest::option::of("[0-9a-f]{64}"))
        .prop_map(|(asset, hash)| match &asset.source {
            // Empty text with the hash of something else is what a left-out content looks like.
            value::AssetSource::Text(text) if text.is_empty() => asset,
            _ => Asset { hash, ..asset },
        })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_filter("NaN differs from itself", |number| !number.is_nan()).prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        proptest::sample::select(Unknown::ALL.as_slice()).prop_map(Value::from),
        any_asset().prop_map(Value::from),
        proptest::collection::btree_map(".{0,4}", any_asset().prop_map(ArchiveMember::Asset), 0..3)
            .prop_map(|members| Archive::members(members).into()),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            proptest::collection::btree_map(".{0,12}", inner.clone(), 0..8).prop_map(Value::from),
            inner.prop_map(Value::secret),
        ]
    })
}

fn any_members() -> impl Strategy<Value = Map> {
    proptest::collection::btree_map(".{0,12}", any_value(), 0..8)
}

proptest! {
    #[test]
    fn what_is_written_reads_back(members in any_members()) {
        let bytes = encode(&members, EncodeOptions::KEEP);
        prop_assert_eq!(decode(&bytes, DecodeOptions::KEEP).unwrap(), members);
    }

    #[test]
    fn generated_code_reads_what_is_written(members in any_members()) {
        let bytes = encode(&members, EncodeOptions::KEEP);
        let json = support::from_wire(&bytes);
        prop_assert_eq!(json.as_object().unwrap().len(), members.len());
    }

    #[test]
    fn skipped_nulls_make_no_difference(members in any_members()) {
        let bytes = encode(&members, EncodeOptions::SKIP_NULLS);
        let kept = decode(&bytes, DecodeOptions::KEEP).unwrap();
        prop_assert!(equality::equal_maps(&kept, &members));
        let skipped = decode(&encode(&members, EncodeOptions::KEEP), DecodeOptions::SKIP_NULLS).unwrap();
        prop_assert_eq!(kept, skipped);
    }

    #[test]
    fn plain_values_hold_neither_secrets_nor_unknowns(members in any_members()) {
        let plain = decode(&encode(&members, EncodeOptions::KEEP), DecodeOptions::PLAIN).unwrap();
        let plain = Value::from(plain);
        prop_assert!(!plain.contains_secret() && !plain.contains_unknown());
    }
}
