//! The Rust names of typed modules: short rules, and what happens where Rust has no such name or has it already.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use cfn::naming::{enum_member, lower_acronyms};
use heck::{ToSnakeCase, ToUpperCamelCase};

/// Spellings that word splitting would tear apart, and the words that they are.
const WORDS: &[(&str, &str)] =
    &[("IPv", "Ipv"), ("IoT", "Iot"), ("LoRaWan", "Lorawan"), ("FSx", "Fsx"), ("OAuth", "Oauth")];

/// Names that generated code needs for other things.
const RESERVED_TYPES: &[&str] = &["BTreeMap", "Box", "Number", "Option", "Some", "None", "String", "Value", "Vec"];

/// The member that keeps what a struct does not know, and the variant that keeps what an enum does not know.
pub const OTHER_MEMBER: &str = "other";
/// See [`OTHER_MEMBER`].
pub const OTHER_VARIANT: &str = "Other";

/// How characters that no name can hold are spelled in names of values that have nothing else.
const SYMBOLS: &[(char, &str)] = &[
    ('*', "Asterisk"),
    ('<', "Less"),
    ('>', "Greater"),
    ('=', "Equal"),
    ('!', "Not"),
    ('+', "Plus"),
    ('-', "Minus"),
    ('.', "Dot"),
    (',', "Comma"),
    (';', "Semicolon"),
    (':', "Colon"),
    ('|', "Bar"),
    ('/', "Slash"),
    ('%', "Percent"),
    ('_', "Underscore"),
    (' ', "Space"),
    ('\t', "Tab"),
];

/// The module of a resource, of the last part of its token: `VpcEndpoint` becomes `vpc_endpoint`.
pub fn module(resource: &str) -> String {
    snake_case(resource, "resource")
}

/// The member of a struct: `VPCId` becomes `vpc_id`, `Type` becomes `type_`.
pub fn member(cfn_name: &str) -> String {
    let name = snake_case(cfn_name, "member");
    if name == OTHER_MEMBER { format!("{name}_") } else { name }
}

fn snake_case(name: &str, nothing: &str) -> String {
    let mut name = lower_acronyms(name);
    for (from, to) in WORDS {
        if name.contains(from) {
            name = Cow::Owned(name.replace(from, to));
        }
    }
    let name: String = name.to_snake_case().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    identifier(name, nothing, "_")
}

/// The struct, enum or union that a published type name stands for, which it mostly is already.
pub fn type_name(published: &str) -> String {
    let plain =
        published.starts_with(|c: char| c.is_ascii_uppercase()) && published.chars().all(|c| c.is_ascii_alphanumeric());
    let name = if plain { published.to_owned() } else { camel_case(published) };
    let name = identifier(name, "Type", "Type");
    if RESERVED_TYPES.contains(&name.as_str()) { format!("{name}Type") } else { name }
}

/// A name as one word of a longer one: `sizeInGB` becomes `SizeInGb`.
pub fn camel_case(name: &str) -> String {
    let name = lower_acronyms(name).to_upper_camel_case();
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The variant of an enum value: `aws:kms` becomes `Awskms`, `AES256` becomes `Aes256`.
pub fn variant(value: &str) -> String {
    let mut name = enum_member(value);
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if name.is_empty() {
        name = value.chars().map(spelled).collect();
    }
    let name = identifier(name, "Empty", "Value");
    if name == OTHER_VARIANT { format!("{name}Value") } else { name }
}

fn spelled(symbol: char) -> Cow<'static, str> {
    match SYMBOLS.iter().find(|(known, _)| *known == symbol) {
        Some((_, name)) => Cow::Borrowed(name),
        None => Cow::Owned(format!("U{:X}", u32::from(symbol))),
    }
}

/// Words that Rust keeps for itself, in ascending order.
const KEYWORDS: &[&str] = &[
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A name that Rust accepts: `nothing` for an empty one, an underscore before a digit, `behind` after a keyword.
fn identifier(name: String, nothing: &str, behind: &str) -> String {
    if name.is_empty() {
        return nothing.to_owned();
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("_{name}");
    }
    if KEYWORDS.binary_search(&name.as_str()).is_ok() { format!("{name}{behind}") } else { name }
}

/// The names given in one scope so far.
#[derive(Debug, Default)]
pub struct Scope {
    taken: HashSet<String>,
    /// The number that comes next for a name that was wanted more than once; those before it are taken.
    next: HashMap<String, usize>,
}

impl Scope {
    /// `wanted`, or where that is taken already, with `separator`, which is the same for all names of a scope, and the next
    /// free number behind it.
    pub fn claim(&mut self, wanted: String, separator: &str) -> String {
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let number = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let name = format!("{wanted}{separator}{number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members() {
        for (cfn_name, expected) in [
            ("QueueName", "queue_name"),
            ("VPCId", "vpc_id"),
            ("ConsoleURLs", "console_urls"),
            ("S3BucketARN", "s3_bucket_arn"),
            ("EC2InstanceId", "ec2_instance_id"),
            ("IPv6Pool", "ipv6_pool"),
            ("LoRaWAN", "lorawan"),
            ("FSxLustre", "fsx_lustre"),
            ("IoTRoleArn", "iot_role_arn"),
            ("kmsKey", "kms_key"),
            ("Type", "type_"),
            ("Self", "self_"),
            ("Crate", "crate_"),
            ("Async", "async_"),
            ("Other", "other_"),
            ("5gCore", "_5g_core"),
            ("Encryption.KeyArn", "encryption_key_arn"),
            ("x-amz-meta", "x_amz_meta"),
            ("$schema", "schema"),
            ("*", "member"),
            ("", "member"),
            ("Größe", "gre"),
        ] {
            assert_eq!(member(cfn_name), expected, "{cfn_name}");
            assert!(syn::parse_str::<syn::Ident>(expected).is_ok(), "{expected}");
        }
    }

    #[test]
    fn modules() {
        for (resource, expected) in [
            ("Bucket", "bucket"),
            ("VpcEndpoint", "vpc_endpoint"),
            ("Macro", "macro_"),
            ("LocationFSxLustre", "location_fsx_lustre"),
        ] {
            assert_eq!(module(resource), expected);
        }
    }

    #[test]
    fn types() {
        for (published, expected) in [
            ("BucketRule", "BucketRule"),
            ("ClusterFSxLustreConfig", "ClusterFSxLustreConfig"),
            ("String", "StringType"),
            ("Value", "ValueType"),
            ("Self", "SelfType"),
            ("bucketRule", "BucketRule"),
            ("Bucket_Rule.X", "BucketRuleX"),
            ("4gThing", "_4gThing"),
            ("", "Type"),
        ] {
            assert_eq!(type_name(published), expected, "{published}");
            assert!(syn::parse_str::<syn::Ident>(expected).is_ok(), "{expected}");
        }
    }

    #[test]
    fn variants() {
        for (value, expected) in [
            ("AES256", "Aes256"),
            ("aws:kms", "Awskms"),
            ("us-east-1", "UsEast1"),
            ("noTermination", "NoTermination"),
            ("$default", "Default"),
            ("16x", "_16x"),
            ("", "Empty"),
            ("*", "Asterisk"),
            (">=", "GreaterEqual"),
            ("é", "UE9"),
            ("OTHER", "OtherValue"),
            ("SELF", "SelfValue"),
        ] {
            assert_eq!(variant(value), expected, "{value}");
            assert!(syn::parse_str::<syn::Ident>(expected).is_ok(), "{expected}");
        }
    }

    #[test]
    fn keywords_are_sorted_and_no_identifiers() {
        assert!(KEYWORDS.is_sorted());
        for keyword in KEYWORDS {
            // `gen` is one in this edition, which the parser leaves to the compiler.
            assert!(*keyword == "gen" || syn::parse_str::<syn::Ident>(keyword).is_err(), "{keyword}");
        }
    }

    #[test]
    fn taken_names_get_numbers() {
        let mut scope = Scope::default();
        for (wanted, expected) in
            [("size", "size"), ("size", "size_2"), ("size_2", "size_2_2"), ("size", "size_3"), ("other", "other")]
        {
            assert_eq!(scope.claim(wanted.to_owned(), "_"), expected);
        }
    }
}
