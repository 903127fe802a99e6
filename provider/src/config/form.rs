//! Values of a configuration that have a form.

/// What a role's ARN looks like.
const EXAMPLE: &str = "it should look like arn:aws:iam::123456789012:role/NAME";
/// Cloud Control's and STS's own limits.
const LONGEST_ARN: usize = 2048;

/// The digits of an account number.
const DIGITS: usize = 12;

/// What is wrong with the ARN of an IAM role, as the end of a sentence that begins with it; any partition is fine, and any
/// account: a stand-in for STS may have its own.
pub(super) fn role_arn(arn: &str) -> Result<(), String> {
    let parts: Vec<&str> = arn.splitn(6, ':').collect();
    let ["arn", partition, service, region, account, name] = parts.as_slice() else {
        return Err(format!("is no ARN; {EXAMPLE}"));
    };
    if partition.is_empty() || arn.len() > LONGEST_ARN || arn.chars().any(char::is_whitespace) {
        return Err(format!("is no ARN; {EXAMPLE}"));
    }
    match (*service, name.split_once('/')) {
        ("iam", Some(("role", name))) if region.is_empty() && !name.is_empty() => {}
        ("sts", Some(("assumed-role", name))) => {
            let name = name.split('/').next().unwrap_or_default();
            return Err(format!(
                "is the ARN of a session; that of its role is like arn:{partition}:iam::{account}:role/{name}"
            ));
        }
        _ => return Err(format!("is not the ARN of an IAM role; {EXAMPLE}")),
    }
    match !account.is_empty() && account.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(()),
        false => Err(format!("has no account of {DIGITS} digits; {EXAMPLE}")),
    }
}

/// [`role_arn`], as Cloud Control demands it of every request.
pub(super) fn role_arn_of_requests(arn: &str) -> Result<(), String> {
    role_arn(arn)?;
    match arn.split(':').nth(4).is_some_and(|account| account.len() == DIGITS) {
        true => Ok(()),
        false => Err(format!("has no account of {DIGITS} digits; {EXAMPLE}")),
    }
}

/// What is odd about the name of a region, as the end of a sentence that begins with it. Services may be told to be
/// anywhere, so that it is no mistake for certain.
pub(super) fn region(name: &str) -> Option<String> {
    let name = name.trim();
    if name.is_empty() || is_region(name) {
        return None;
    }
    let lower = name.to_lowercase().replace(['_', ' '], "-");
    if is_region(&lower) {
        return Some(format!("is written {lower}"));
    }
    // Zones are named after their region: us-east-1a, us-west-2-lax-1a.
    let digit = lower.find(|character: char| character.is_ascii_digit());
    let end = digit.map(|start| {
        let digits = lower[start..].find(|character: char| !character.is_ascii_digit());
        digits.map_or(lower.len(), |digits| start + digits)
    });
    match end.map(|end| lower.split_at(end)) {
        Some((region, zone))
            if is_region(region) && zone.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') =>
        {
            Some(format!("is a zone of the region {region}, which belongs here"))
        }
        _ => Some("has not the form of a region, which is like eu-west-1".to_owned()),
    }
}

/// Whether a text has the form of a region: two words or more and a number.
fn is_region(name: &str) -> bool {
    let mut words: Vec<&str> = name.split('-').collect();
    let number = words.pop().unwrap_or_default();
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    words.len() >= 2
        && words.iter().all(is_word)
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arns_of_roles() {
        for arn in [
            "arn:aws:iam::111122223333:role/Deploy",
            "arn:aws:iam::111122223333:role/a/path/Deploy",
            "arn:aws-cn:iam::111122223333:role/Deploy",
            "arn:aws-us-gov:iam::111122223333:role/Deploy",
            "arn:aws-iso-b:iam::111122223333:role/Deploy",
            "arn:aws-eusc:iam::000000000000:role/aws-reserved/sso.amazonaws.com/R_1+=,.@-",
        ] {
            assert_eq!((role_arn(arn), role_arn_of_requests(arn)), (Ok(()), Ok(())), "{arn}");
        }
        for (arn, expected) in [
            ("Deploy", format!("is no ARN; {EXAMPLE}")),
            ("arn:aws:iam::111122223333", format!("is no ARN; {EXAMPLE}")),
            ("arn::iam::111122223333:role/D", format!("is no ARN; {EXAMPLE}")),
            ("arn:aws:iam::111122223333:role/D x", format!("is no ARN; {EXAMPLE}")),
            ("arn:aws:iam::111122223333:user/u", format!("is not the ARN of an IAM role; {EXAMPLE}")),
            ("arn:aws:iam::111122223333:role/", format!("is not the ARN of an IAM role; {EXAMPLE}")),
            ("arn:aws:iam:eu-west-1:111122223333:role/D", format!("is not the ARN of an IAM role; {EXAMPLE}")),
            ("arn:aws:s3:::bucket", format!("is not the ARN of an IAM role; {EXAMPLE}")),
            (
                "arn:aws-cn:sts::111122223333:assumed-role/D/session",
                "is the ARN of a session; that of its role is like arn:aws-cn:iam::111122223333:role/D".to_owned(),
            ),
            ("arn:aws:iam:::role/D", format!("has no account of 12 digits; {EXAMPLE}")),
            ("arn:aws:iam::ACCOUNT:role/D", format!("has no account of 12 digits; {EXAMPLE}")),
        ] {
            assert_eq!((role_arn(arn), role_arn_of_requests(arn)), (Err(expected.clone()), Err(expected)), "{arn}");
        }
        assert_eq!(role_arn("arn:aws:iam::1:role/D"), Ok(()));
        assert_eq!(
            role_arn_of_requests("arn:aws:iam::1:role/D"),
            Err(format!("has no account of 12 digits; {EXAMPLE}"))
        );
        assert!(role_arn(&format!("arn:aws:iam::111122223333:role/{}", "x".repeat(2048))).is_err());
    }

    #[test]
    fn names_of_regions() {
        let form = "has not the form of a region, which is like eu-west-1";
        for (name, expected) in [
            ("eu-west-1", None),
            ("us-gov-west-1", None),
            ("us-isob-east-1", None),
            ("eusc-de-east-1", None),
            ("ap-southeast-10", None),
            (" eu-west-1\n", None),
            ("", None),
            ("EU-West-1", Some("is written eu-west-1")),
            ("eu_west_1", Some("is written eu-west-1")),
            ("us-east-1a", Some("is a zone of the region us-east-1, which belongs here")),
            ("us-west-2-lax-1a", Some("is a zone of the region us-west-2, which belongs here")),
            ("Ireland", Some(form)),
            ("eu-west", Some(form)),
            ("west-1", Some(form)),
            ("é-1", Some(form)),
            ("aws-global", Some(form)),
        ] {
            assert_eq!(region(name).as_deref(), expected, "{name:?}");
        }
    }
}
