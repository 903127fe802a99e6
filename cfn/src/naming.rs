//! Names: CloudFormation to SDK and back, acronyms, enum members.
//!
//! The rules decide every published name, so they are kept to the letter, oddities included: digits count as capitals,
//! adjacent acronyms fuse, and nothing is pluralized. The tables at the bottom are the specification.
//! Which tokens are built from these names is decided by the generator.

use std::borrow::Cow;
use std::ops::Range;

/// Digits count as capitals: `S3Bucket` starts with the run `S3B`.
fn upperish(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

/// The first run of capitals and digits that is at least two long and ends inside the text, or else the run at its end,
/// however short.
fn first_run(text: &[u8]) -> Option<Range<usize>> {
    let mut start = None;
    for (at, &byte) in text.iter().enumerate() {
        match (upperish(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) if at - from >= 2 => return Some(from..at),
            (false, Some(_)) => start = None,
            (true, Some(_)) | (false, None) => {}
        }
    }
    start.map(|from| from..text.len())
}

/// A plural `s` after an acronym belongs to it: `ARNs`, `ARNsList`.
fn isolated_s(rest: &[u8]) -> bool {
    match rest {
        [b's'] => true,
        [b's', next, ..] => upperish(*next),
        _ => false,
    }
}

/// The first run, less its last character where that one starts the next word.
fn first_acronym(text: &[u8]) -> Option<Range<usize>> {
    let run = first_run(text)?;
    let rest = text.get(run.end..).unwrap_or_default();
    if rest.is_empty() || isolated_s(rest) { Some(run) } else { Some(run.start..run.end - 1) }
}

/// Keeps the first letter of every acronym and lowers the rest: `VPCId` becomes `VpcId`.
pub fn lower_acronyms(name: &str) -> Cow<'_, str> {
    let mut lowered: Option<String> = None;
    let mut from = 0;
    // Only ASCII bytes are ever rewritten, each by one ASCII byte, so positions stay valid in both texts.
    while let Some(acronym) = first_acronym(name.as_bytes().get(from..).unwrap_or_default()) {
        let (start, end) = (from + acronym.start + 1, from + acronym.end);
        if start < end {
            let text = lowered.get_or_insert_with(|| name.to_owned());
            if let Some(part) = text.get_mut(start..end) {
                part.make_ascii_lowercase();
            }
        }
        from = end;
    }
    lowered.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// Whether the name has an acronym of two or more capitals or digits, even if lowering it changes nothing (`S3Bucket`).
pub fn has_acronym(name: &str) -> bool {
    let mut rest = name.as_bytes();
    while let Some(acronym) = first_acronym(rest) {
        if acronym.len() > 1 {
            return true;
        }
        rest = rest.get(acronym.end..).unwrap_or_default();
    }
    false
}

/// The SDK name of a CloudFormation name: acronyms lowered, first letter lowered; other characters stay.
pub fn to_sdk(cfn_name: &str) -> String {
    let mut name = lower_acronyms(cfn_name).into_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    name
}

/// The CloudFormation name that an SDK name has when nothing is known about it: first letter raised.
///
/// Acronyms are not restored; exact names come from the metadata.
pub fn to_cfn(sdk_name: &str) -> String {
    let mut name = sdk_name.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// Words of an enum value, joined with capitals: `us-east-1` becomes `UsEast1`; characters that no word holds are lost.
pub fn upper_camel(value: &str) -> String {
    let lowered;
    let value = if value.to_uppercase() == value {
        lowered = value.to_lowercase();
        &lowered
    } else {
        value
    };
    let mut name = String::with_capacity(value.len());
    let mut capital = true;
    for character in value.trim_matches(' ').chars() {
        match character {
            'A'..='Z' | '0'..='9' => name.push(character),
            'a'..='z' if capital => name.push(character.to_ascii_uppercase()),
            'a'..='z' => name.push(character),
            _ => {}
        }
        capital = matches!(character, '_' | ' ' | '-' | '.');
    }
    name
}

/// The member name of an enum value; empty when no character of the value can stand in a name.
pub fn enum_member(value: &str) -> String {
    lower_acronyms(&upper_camel(value)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn acronyms() {
        for (name, lowered, acronym) in [
            ("VPCId", "VpcId", true),
            ("DBInstanceARN", "DbInstanceArn", true),
            ("ConsoleURLs", "ConsoleUrls", true),
            ("OIDCProviderARNsList", "OidcProviderArnsList", true),
            ("WebACLARN", "WebAclarn", true),
            ("SSEKMSKeyId", "SsekmsKeyId", true),
            ("LoRaWAN", "LoRaWan", true),
            ("IPv6Pool", "IPv6Pool", false),
            ("S3Bucket", "S3Bucket", true),
            ("Route53Zone", "Route53Zone", true),
            ("S3S3Class", "S3s3Class", true),
            ("FSxLustre", "FSxLustre", false),
            ("ANewIPAddress", "ANewIpAddress", true),
            ("vCpu", "vCpu", false),
            ("", "", false),
            ("A", "A", false),
            ("ÄÖÜName", "ÄÖÜName", false),
        ] {
            assert_eq!(lower_acronyms(name), lowered, "lower_acronyms({name:?})");
            assert_eq!(has_acronym(name), acronym, "has_acronym({name:?})");
        }
    }

    #[test]
    fn sdk_names() {
        for (cfn_name, sdk_name) in [
            ("", ""),
            ("VPCId", "vpcId"),
            ("ARNs", "arns"),
            ("EC2SecurityGroupIds", "ec2SecurityGroupIds"),
            ("IPv6CidrBlock", "iPv6CidrBlock"),
            ("FSxLustre", "fSxLustre"),
            ("DNSSEC", "dnssec"),
            ("vCpu", "vCpu"),
            ("EncryptionConfiguration.KeyArn", "encryptionConfiguration.KeyArn"),
            ("*", "*"),
            ("Überschrift", "Überschrift"),
        ] {
            assert_eq!(to_sdk(cfn_name), sdk_name, "to_sdk({cfn_name:?})");
        }
    }

    #[test]
    fn cfn_names() {
        for (sdk_name, cfn_name) in [("", ""), ("vpcId", "VpcId"), ("VpcId", "VpcId"), ("*", "*"), ("ü", "ü")] {
            assert_eq!(to_cfn(sdk_name), cfn_name, "to_cfn({sdk_name:?})");
        }
    }

    #[test]
    fn enum_members() {
        for (value, name) in [
            ("AWS_IAM", "AwsIam"),
            ("us-east-1", "UsEast1"),
            ("aws:kms", "Awskms"),
            ("t2.micro", "T2Micro"),
            ("AES256", "Aes256"),
            ("16x", "16x"),
            ("AWS::S3::Object", "Awss3Object"),
            ("TLSv1.2_2021", "TlSv122021"),
            ("use_HTTP2_thing", "UseHttp2Thing"),
            ("*", ""),
            ("$default", "default"),
            ("noTermination", "NoTermination"),
            ("", ""),
        ] {
            assert_eq!(enum_member(value), name, "enum_member({value:?})");
        }
    }

    proptest! {
        #[test]
        fn naming_never_panics_and_keeps_the_length(name in any::<String>()) {
            prop_assert_eq!(lower_acronyms(&name).len(), name.len());
            prop_assert_eq!(to_sdk(&name).len(), name.len());
            let _ = (has_acronym(&name), to_cfn(&name), enum_member(&name));
        }
    }
}
