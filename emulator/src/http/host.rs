//! What the name of the host says: the service, the region and, for S3, the bucket.

use axum::http::request::Parts;

/// What a host name says; nothing for `127.0.0.1` and names that are not AWS's form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Host {
    /// The name that requests to it are signed for.
    pub(crate) service: Option<String>,
    pub(crate) region: Option<String>,
    /// The bucket of a virtual-host style request.
    pub(crate) bucket: Option<String>,
}

/// The domains that endpoints end with; the longer of two that match stands first.
const SUFFIXES: [&str; 10] = [
    ".amazonaws.com.cn",
    ".amazonaws.com",
    ".api.amazonwebservices.com.cn",
    ".api.aws",
    ".c2s.ic.gov",
    ".sc2s.sgov.gov",
    ".csp.hci.ic.gov",
    ".cloud.adc-e.uk",
    ".amazonaws.eu",
    ".localhost",
];

/// The authority of a request, with its port.
pub(crate) fn authority(parts: &Parts) -> &str {
    // HTTP/2 has it in the URI, HTTP/1.1 in a header.
    let header = || parts.headers.get("host").and_then(|host| host.to_str().ok());
    parts.uri.authority().map(|authority| authority.as_str()).or_else(header).unwrap_or_default()
}

/// What the host of a request says.
pub(crate) fn of(parts: &Parts) -> Host {
    parse(authority(parts))
}

/// What an authority says.
pub(crate) fn parse(authority: &str) -> Host {
    let name = authority.rsplit_once(':').map_or(authority, |(name, _)| name).to_ascii_lowercase();
    let Some((rest, suffix)) = SUFFIXES.iter().find_map(|suffix| Some((name.strip_suffix(suffix)?, *suffix))) else {
        return Host::default();
    };
    let labels: Vec<&str> = rest.split('.').collect();
    let is_s3 = |label: &&str| *label == "s3" || *label == "s3-fips";
    if let Some(at) = labels.iter().rposition(is_s3) {
        let (before, after) = labels.split_at(at);
        let region = after.iter().skip(1).find(|label| **label != "dualstack");
        let bucket = Some(before.join(".")).filter(|bucket| !bucket.is_empty());
        return Host { service: Some("s3".to_owned()), region: region.map(|region| (*region).to_owned()), bucket };
    }
    match (labels.as_slice(), suffix) {
        // Every name below `localhost` is this machine, and clients of S3 put their bucket there.
        (_, ".localhost") => Host { service: Some("s3".to_owned()), region: None, bucket: Some(rest.to_owned()) },
        ([service], _) => Host { service: Some(plain(service)), ..Host::default() },
        ([service, region], _) => {
            Host { service: Some(plain(service)), region: Some((*region).to_owned()), bucket: None }
        }
        _ => Host::default(),
    }
}

/// A service without the mark of its FIPS endpoints.
fn plain(service: &str) -> String {
    service.strip_suffix("-fips").unwrap_or(service).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_say_service_region_and_bucket() {
        for (authority, service, region, bucket) in [
            ("cloudcontrolapi.eu-west-1.amazonaws.com", Some("cloudcontrolapi"), Some("eu-west-1"), None),
            ("cloudcontrolapi-fips.us-east-2.amazonaws.com:443", Some("cloudcontrolapi"), Some("us-east-2"), None),
            ("cloudcontrolapi.cn-north-1.amazonaws.com.cn", Some("cloudcontrolapi"), Some("cn-north-1"), None),
            ("sts.amazonaws.com", Some("sts"), None, None),
            ("Lambda.eu-west-1.api.aws", Some("lambda"), Some("eu-west-1"), None),
            ("s3.eu-west-1.amazonaws.com", Some("s3"), Some("eu-west-1"), None),
            ("my.bucket.s3.eu-west-1.amazonaws.com", Some("s3"), Some("eu-west-1"), Some("my.bucket")),
            ("b.s3.dualstack.eu-west-1.amazonaws.com", Some("s3"), Some("eu-west-1"), Some("b")),
            ("b.s3.amazonaws.com", Some("s3"), None, Some("b")),
            ("b.localhost:4566", Some("s3"), None, Some("b")),
            ("b.s3.localhost:4566", Some("s3"), None, Some("b")),
            ("127.0.0.1:4566", None, None, None),
            ("localhost:4566", None, None, None),
            ("[::1]:80", None, None, None),
            ("", None, None, None),
        ] {
            let expected = [service, region, bucket].map(|text: Option<&str>| text.map(str::to_owned));
            let found = parse(authority);
            assert_eq!([found.service, found.region, found.bucket], expected, "{authority}");
        }
    }
}
