//! Scalars as services print them, whatever the type of resource: listed values in a letter case of their own, numbers in
//! single precision, times and addresses in one of their forms.

use std::net::Ipv6Addr;

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use metadata::view::Type;
use value::Value;

use crate::convert::EXACT;

/// Whether `held`, which a service shows, is what `own` is called there.
pub fn is_form_of(ty: Type, own: &Value, held: &Value) -> bool {
    match (own.unsecret(), held.unsecret()) {
        (Value::Number(own), Value::Number(held)) => matches!(ty, Type::Number) && is_single_of(*own, *held),
        (Value::String(own), Value::String(held)) => {
            is_case_of_listed(ty, own, held) || is_same_time(own, held) || is_same_address(own, held)
        }
        _ => false,
    }
}

/// Whether the schema lists values for texts of this type.
pub fn is_listed(ty: Type) -> bool {
    match ty {
        Type::Union(arms) => arms.iter().any(|arm| matches!(arm, Type::Enum(_))),
        other => matches!(other, Type::Enum(_)),
    }
}

/// Whether two texts differ in letter case alone where the schema lists one of them.
fn is_case_of_listed(ty: Type, own: &str, held: &str) -> bool {
    let is_listed_so = |ty| match ty {
        Type::Enum(values) => values.contains(own) != values.contains(held),
        _ => false,
    };
    own.eq_ignore_ascii_case(held)
        && match ty {
            Type::Union(arms) => arms.iter().any(is_listed_so),
            other => is_listed_so(other),
        }
}

/// Whether `held` is what is left of a number in single precision: 0.3 comes back as 0.30000001192092896. Whole numbers are
/// exact, and what rounding leaves is longer than what it was made of: 0.5 is not what is left of 0.50000001.
fn is_single_of(own: f64, held: f64) -> bool {
    let is_whole = own.fract() == 0.0 && own.abs() <= EXACT;
    !is_whole && f64::from(own as f32) == held && own.to_string().len() <= held.to_string().len()
}

/// Whether both are the same moment, each with its offset: `2026-01-01T00:00:00Z` and `2026-01-01T01:00:00.000+01:00`.
fn is_same_time(own: &str, held: &str) -> bool {
    // The shortest has 20 letters; most texts are told apart by their fifth.
    let time = |text: &str| {
        let may_be = text.len() >= 20 && text.as_bytes().get(4) == Some(&b'-');
        may_be.then(|| DateTime::from_str(text, Format::DateTimeWithOffset).ok()).flatten()
    };
    time(own).is_some_and(|own| time(held) == Some(own))
}

/// Whether both are the same address of IP version 6, or the same block of them: `2001:DB8:0::/32` and `2001:db8::/32`.
fn is_same_address(own: &str, held: &str) -> bool {
    let address = |text: &str| {
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits.to_owned())));
        address.parse::<Ipv6Addr>().ok().map(|address| (address, bits))
    };
    own.contains(':') && address(own).is_some_and(|own| address(held) == Some(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_addresses_have_several_forms() {
        for (own, held, expected) in [
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z", true),
            ("2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", true),
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00+01:00", false),
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", false),
            ("2026-01-01T00:00:00", "2026-01-01T00:00:00Z", false),
            ("2001:DB8:0::/32", "2001:db8::/32", true),
            ("2001:db8:0:0:0:0:0:1", "2001:db8::1", true),
            ("::/0", "0::/0", true),
            ("2001:db8::/32", "2001:db8::/48", false),
            ("2001:db8::/32", "2001:db8::", false),
            ("2001:db8::1", "2001:db8::2", false),
            // Two texts.
            ("a:b", "A:B", false),
            ("10.0.0.0/8", "10.00.0.0/8", false),
            ("", ":", false),
        ] {
            assert_eq!(is_form_of(Type::String, &own.into(), &held.into()), expected, "{own} {held}");
            assert_eq!(is_form_of(Type::String, &held.into(), &own.into()), expected, "{held} {own}");
        }
    }
}
