//! The keys that a configuration may have.

/// Every key of the package schema, and `maxRetryRateTokens`, which only the configuration has.
pub const KEYS: &[&str] = &[
    "accessKey",
    "allowedAccountIds",
    "assumeRole",
    "autoNaming",
    "defaultTags",
    "endpoints",
    "forbiddenAccountIds",
    "ignoreTags",
    "insecure",
    "maxRetries",
    "maxRetryRateTokens",
    "profile",
    "region",
    "roleArn",
    "s3UsePathStyle",
    "secretKey",
    "sharedCredentialsFile",
    "skipCredentialsValidation",
    "skipGetEc2Platforms",
    "skipMetadataApiCheck",
    "skipRegionValidation",
    "skipRequestingAccountId",
    "token",
];

/// Keys that belong to the engine: the version of the package, where the plugin came from, and internal ones.
pub fn is_engine_key(key: &str) -> bool {
    key.starts_with("__") || matches!(key, "version" | "pluginDownloadURL" | "parameterization")
}

/// The known key that `key` most likely means, when one is close enough.
pub fn closest(key: &str) -> Option<&'static str> {
    let lower = key.to_lowercase().replace(['-', '_'], "");
    KEYS.iter()
        .map(|known| (distance(&lower, &known.to_lowercase()), *known))
        .min()
        .filter(|(distance, known)| *distance <= known.len() / 3)
        .map(|(_, known)| known)
}

/// Levenshtein distance over characters; keys are short, so one row is enough. Longer input is cut, since it is no typo.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, a) in left.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_keys_are_suggested() {
        for (key, expected) in [
            ("regoin", Some("region")),
            ("access_key", Some("accessKey")),
            ("Endpoint", Some("endpoints")),
            ("max-retries", Some("maxRetries")),
            ("zz", None),
            ("", None),
            ("completelyDifferent", None),
        ] {
            assert_eq!(closest(key), expected, "{key}");
        }
    }
}
