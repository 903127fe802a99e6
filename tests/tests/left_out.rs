//! The provider's table of types that Cloud Control does not manage is what the generator leaves out.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::collections::BTreeSet;

use cfn::TypeName;
use codegen::tokens::Names;
use serde_json::Value as Json;

#[test]
fn the_table_of_types_left_out_is_the_generators() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/report/skips.json");
    let skips: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let expected: BTreeSet<String> = skips
        .iter()
        .filter_map(|skip| {
            let type_name = skip["type"].as_str()?;
            let reason = skip["reason"].as_str()?.strip_prefix("not provisionable: ")?;
            let token = Names::new(&TypeName::parse(type_name)?).token;
            Some(format!("{token}\t{type_name}\t{reason}"))
        })
        .collect();
    let table: Vec<_> = provider::left_out::all().collect();
    let found: BTreeSet<String> =
        table.iter().map(|row| format!("{}\t{}\t{}", row.token, row.cfn_type, row.reason)).collect();
    let missing: Vec<_> = expected.difference(&found).cloned().collect();
    let surplus: Vec<_> = found.difference(&expected).cloned().collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "missing in provider/data/left-out.tsv:\n{}\nto go:\n{}",
        missing.join("\n"),
        surplus.join("\n")
    );
    for row in table {
        assert!(generated::resource(row.token).is_none(), "{row:?}");
        assert!(row.classic.is_none_or(|classic| classic.starts_with("aws:")), "{row:?}");
    }
}
