//! A signer for tests, written from the documentation of Signature Version 4 and apart from what checks signatures.

#![allow(dead_code, clippy::unwrap_used, reason = "every test file uses its own part, and stops at the first surprise")]

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Whose signature, for where and when.
#[derive(Clone, Copy)]
pub struct Signer<'s> {
    pub key: &'s str,
    pub secret: &'s str,
    pub token: Option<&'s str>,
    pub region: &'s str,
    /// `20270115T080000Z`.
    pub time: &'s str,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

impl Signer<'_> {
    fn scope(&self, service: &str) -> String {
        format!("{}/{}/{service}/aws4_request", &self.time[..8], self.region)
    }

    fn sign(&self, service: &str, canonical: &str) -> String {
        let scope = self.scope(service);
        let text = format!("AWS4-HMAC-SHA256\n{}\n{scope}\n{}", self.time, sha256(canonical));
        let mut key = format!("AWS4{}", self.secret).into_bytes();
        for part in scope.split('/') {
            key = mac(&key, part);
        }
        hex(&mac(&key, &text))
    }

    /// The headers of a signed request; the path has no query and no signs that must be encoded.
    pub fn headers(&self, method: &str, path: &str, host: &str, service: &str, body: &str) -> String {
        let (time, hash) = (self.time, sha256(body));
        let mut signed = vec![("host", host), ("x-amz-content-sha256", &hash), ("x-amz-date", time)];
        signed.extend(self.token.map(|token| ("x-amz-security-token", token)));
        let names = signed.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
        let lines: String = signed.iter().map(|(name, value)| format!("{name}:{value}\n")).collect();
        let signature = self.sign(service, &format!("{method}\n{path}\n\n{lines}\n{names}\n{hash}"));
        let own: String = signed
            .iter()
            .filter(|(name, _)| *name != "host")
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        format!(
            "{own}authorization: AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={names}, Signature={signature}\r\n",
            self.key,
            self.scope(service)
        )
    }

    /// The path and query of a presigned URL that is good for so many seconds.
    pub fn presigned(&self, method: &str, path: &str, host: &str, service: &str, seconds: u64) -> String {
        let credential = format!("{}/{}", self.key, self.scope(service)).replace('/', "%2F");
        let token = self.token.map(|token| format!("&X-Amz-Security-Token={token}")).unwrap_or_default();
        let query = format!(
            "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={credential}&X-Amz-Date={}&X-Amz-Expires={seconds}{token}\
             &X-Amz-SignedHeaders=host",
            self.time
        );
        let canonical = format!("{method}\n{path}\n{query}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD");
        format!("{path}?{query}&X-Amz-Signature={}", self.sign(service, &canonical))
    }
}
