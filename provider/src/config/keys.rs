//! The keys that a configuration may have.

use crate::suggest;

/// Every key of the package schema, and those that only the configuration has: `assumeRoleWithWebIdentity`,
/// `maxRetryRateTokens`, `strictValidation` and `verifyDeletes`.
pub const KEYS: &[&str] = &[
    "accessKey",
    "allowedAccountIds",
    "assumeRole",
    "assumeRoleWithWebIdentity",
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
    "strictValidation",
    "token",
    "verifyDeletes",
];

/// Keys that belong to the engine: the version of the package, where the plugin came from, and internal ones.
pub fn is_engine_key(key: &str) -> bool {
    key.starts_with("__") || matches!(key, "version" | "pluginDownloadURL" | "parameterization")
}

/// The known key that `key` most likely means, when one is close enough.
pub fn closest(key: &str) -> Option<&'static str> {
    suggest::closest(key, KEYS.iter().copied())
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
