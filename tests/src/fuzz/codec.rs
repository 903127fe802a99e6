//! The value codec.

use protocol::codec::{Assets, DecodeOptions, EncodeOptions, decode, decode_value, encode};

use super::{feature, size};

/// Reads bytes as a struct and as a value, in every way that the provider does.
///
/// # Panics
///
/// What was read and written does not read back the same.
pub fn run(data: &[u8]) -> u64 {
    let ways = [
        DecodeOptions::PLAIN,
        DecodeOptions::UNWRAP_SECRETS,
        DecodeOptions::SKIP_NULLS,
        DecodeOptions::KEEP_REJECT_ASSETS,
    ];
    let results: Vec<bool> = ways.into_iter().map(|way| decode(data, way).is_ok()).collect();
    let single = decode_value(data, DecodeOptions { assets: Assets::Allow, ..DecodeOptions::KEEP });
    let kind = single.as_ref().map(|value| value.type_name().into_owned()).ok();
    let Ok(members) = decode(data, DecodeOptions::KEEP) else { return feature((results, kind, false)) };
    let written = encode(&members, EncodeOptions::KEEP);
    let again = decode(&written, DecodeOptions::KEEP);
    assert!(again.is_ok(), "what was written cannot be read");
    // By their bytes, since a NaN is equal to nothing.
    let rewritten = again.map(|again| encode(&again, EncodeOptions::KEEP)).unwrap_or_default();
    assert!(rewritten == written, "what was written reads back as something else");
    let kinds: Vec<String> = members.values().map(|value| value.type_name().into_owned()).take(4).collect();
    feature((results, kind, kinds, size(members.len())))
}
