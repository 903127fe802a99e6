//! Error codes that AWS services share, by what they mean for whoever called.

/// What an error code is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Credentials that are unknown, expired or missing.
    Credentials,
    /// A signature that does not fit: another secret key, or a clock that is wrong.
    Signature,
    /// Too many requests.
    Throttled,
    /// A policy says no.
    Denied,
    /// The service is switched off for the account in this region.
    RegionDisabled,
    /// Anything else.
    Other,
}

impl Kind {
    /// The kind of a code without namespace, with or without `Exception`.
    pub(crate) fn of(code: &str) -> Self {
        match code.strip_suffix("Exception").unwrap_or(code) {
            "UnrecognizedClient"
            | "ExpiredToken"
            | "MissingAuthenticationToken"
            | "InvalidClientTokenId"
            | "AuthFailure" => Self::Credentials,
            "InvalidSignature" | "IncompleteSignature" | "SignatureDoesNotMatch" | "RequestExpired" => Self::Signature,
            "Throttling"
            | "Throttled"
            | "RequestThrottled"
            | "EC2Throttled"
            | "TooManyRequests"
            | "RequestLimitExceeded"
            | "LimitExceeded"
            | "BandwidthLimitExceeded"
            | "ProvisionedThroughputExceeded"
            | "SlowDown"
            | "TransactionInProgress"
            | "PriorRequestNotComplete" => Self::Throttled,
            "AccessDenied" | "NotAuthorized" => Self::Denied,
            "RegionDisabled" => Self::RegionDisabled,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn kinds() {
        for (code, expected) in [
            ("ExpiredToken", Kind::Credentials),
            ("UnrecognizedClientException", Kind::Credentials),
            ("SignatureDoesNotMatch", Kind::Signature),
            ("ThrottlingException", Kind::Throttled),
            ("ThrottledException", Kind::Throttled),
            ("RequestThrottled", Kind::Throttled),
            ("EC2ThrottledException", Kind::Throttled),
            ("ProvisionedThroughputExceededException", Kind::Throttled),
            ("NotAuthorized", Kind::Denied),
            ("AccessDeniedException", Kind::Denied),
            ("RegionDisabledException", Kind::RegionDisabled),
            ("ValidationError", Kind::Other),
            ("", Kind::Other),
        ] {
            assert_eq!(Kind::of(code), expected, "{code}");
        }
    }
}
