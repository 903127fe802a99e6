//! AWS's own archives of resource type schemas, one per region.
//!
//! An archive is asked for on every run, with the tag and the date that came with the last one, so that it is
//! transferred only when it has changed. What was transferred is used only when it is still as it came. Proxies come
//! from the usual environment variables, certificates from the system's store.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ureq::Agent;
use ureq::http::StatusCode;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::FetchError;
use super::contents::hash;
use super::source::open_archive;
use crate::availability::is_region_name;

/// The region that is asked when none is named: it gets most types first.
pub const DEFAULT_REGION: &str = "us-east-1";
/// No archive reaches a fiftieth of this.
const MAX_BYTES: u64 = 256 << 20;
/// How long to wait for a connection, and for the next bytes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Domain of the endpoints by the beginning of the region's name, as the AWS SDKs' table of partitions has it; the first
/// that fits.
const DOMAINS: [(&str, &str); 7] = [
    ("cn-", "amazonaws.com.cn"),
    ("eusc-", "amazonaws.eu"),
    ("us-isob-", "sc2s.sgov.gov"),
    ("us-isof-", "csp.hci.ic.gov"),
    ("eu-isoe-", "cloud.adc-e.uk"),
    ("us-iso-", "c2s.ic.gov"),
    ("", "amazonaws.com"),
];

/// Who serves the archives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Site {
    /// AWS.
    Aws,
    /// A server that has them at `<this address>/<region>/CloudformationSchema.zip`.
    At(String),
}

/// How an archive came to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// It was transferred.
    Transferred,
    /// The server says that what was transferred before is current.
    Current,
}

/// What is known about a transferred archive, in a file beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    url: String,
    sha256: String,
    etag: Option<String>,
    modified: Option<String>,
}

impl Site {
    /// The address of a region's archive.
    ///
    /// # Errors
    ///
    /// [`FetchError::Region`] when the name has not the form of a region's.
    pub fn url(&self, region: &str) -> Result<String, FetchError> {
        if !is_region_name(region) {
            return Err(FetchError::Region { region: region.to_owned() });
        }
        Ok(match self {
            Self::At(address) => format!("{address}/{region}/CloudformationSchema.zip"),
            Self::Aws => {
                let domain = DOMAINS.iter().find(|(beginning, _)| region.starts_with(beginning));
                let domain = domain.map_or("amazonaws.com", |(_, domain)| domain);
                format!("https://schema.cloudformation.{region}.{domain}/CloudformationSchema.zip")
            }
        })
    }
}

/// Where a region's archive lies within the folder of archives.
#[must_use]
pub fn archive(folder: &Path, region: &str) -> PathBuf {
    folder.join(format!("{region}.zip"))
}

/// Makes sure that `folder` holds the current archive of `region`. Runs in several processes wait for each other; an
/// interrupted one leaves nothing that a later one would use.
///
/// # Errors
///
/// [`FetchError`]; what was there before is still there then.
pub fn ensure(site: &Site, region: &str, folder: &Path) -> Result<Arrival, FetchError> {
    let url = site.url(region)?;
    fs::create_dir_all(folder).map_err(FetchError::file("create", folder))?;
    let guard_path = folder.join("lock");
    let guard = File::create(&guard_path).map_err(FetchError::file("create", &guard_path))?;
    guard.lock().map_err(FetchError::file("lock", &guard_path))?;

    let path = archive(folder, region);
    let note_path = folder.join(format!("{region}.json"));
    let note = note(&note_path, &path, &url);
    let mut request = agent(site).get(&url);
    if let Some(etag) = note.as_ref().and_then(|note| note.etag.as_ref()) {
        request = request.header("If-None-Match", etag);
    } else if let Some(modified) = note.as_ref().and_then(|note| note.modified.as_ref()) {
        request = request.header("If-Modified-Since", modified);
    }
    let failed = |reason: String| {
        let kept = note.as_ref().map(|_| path.display().to_string());
        FetchError::Transfer { url: url.clone(), reason, hint: hint(region, kept.as_deref()) }
    };
    let response = request.call().map_err(|error| failed(error.to_string()))?;
    match response.status() {
        StatusCode::NOT_MODIFIED if note.is_some() => return Ok(Arrival::Current),
        StatusCode::OK => {}
        status => return Err(failed(format!("the server answered {status}"))),
    }
    let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let (etag, modified) = (header("etag"), header("last-modified"));

    let partial = folder.join(format!("{region}.partial"));
    let mut file = File::create(&partial).map_err(FetchError::file("create", &partial))?;
    let mut body = response.into_body().into_reader().take(MAX_BYTES + 1);
    let length = io::copy(&mut body, &mut file).map_err(|error| failed(error.to_string()))?;
    if length > MAX_BYTES {
        return Err(FetchError::TooLarge { what: url, limit: MAX_BYTES });
    }
    // An archive that was cut short, or a page of a proxy, replaces nothing.
    open_archive(&partial).map_err(|_| failed(format!("what came is no zip archive ({length} bytes)")))?;
    let sha256 = hash(&fs::read(&partial).map_err(FetchError::file("read", &partial))?);
    let note = Note { url, sha256, etag, modified };
    fs::rename(&partial, &path).map_err(FetchError::file("replace", &path))?;
    let text = serde_json::to_vec(&note).unwrap_or_default();
    fs::write(&note_path, text).map_err(FetchError::file("write", &note_path))?;
    Ok(Arrival::Transferred)
}

/// What is known about the archive at `path`, when it is still the one that came from `url`.
fn note(note_path: &Path, path: &Path, url: &str) -> Option<Note> {
    let note: Note = serde_json::from_slice(&fs::read(note_path).ok()?).ok()?;
    (note.url == url && hash(&fs::read(path).ok()?) == note.sha256).then_some(note)
}

/// What to do when an archive cannot be had.
fn hint(region: &str, kept: Option<&str>) -> String {
    match kept {
        Some(path) => format!("to use the last one, name it: --source {region}={path}"),
        None => format!("check the network, the proxy, and that {region} is a region; or name schemas with --source"),
    }
}

/// A client with the system's certificates; what the environment says about proxies applies.
fn agent(site: &Site) -> Agent {
    let found = rustls_native_certs::load_native_certs();
    let certificates: Vec<Certificate<'static>> =
        found.certs.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(certificates)))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    Agent::config_builder()
        .tls_config(tls)
        .https_only(*site == Site::Aws)
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn addresses_of_archives() {
        let check = |region: &str, host: &str| {
            let expected = format!("https://schema.cloudformation.{host}/CloudformationSchema.zip");
            assert_eq!(Site::Aws.url(region).unwrap(), expected);
        };
        check("us-east-1", "us-east-1.amazonaws.com");
        check("us-gov-west-1", "us-gov-west-1.amazonaws.com");
        check("cn-north-1", "cn-north-1.amazonaws.com.cn");
        check("us-iso-east-1", "us-iso-east-1.c2s.ic.gov");
        check("us-isob-east-1", "us-isob-east-1.sc2s.sgov.gov");
        check("us-isof-south-1", "us-isof-south-1.csp.hci.ic.gov");
        check("eu-isoe-west-1", "eu-isoe-west-1.cloud.adc-e.uk");
        check("eusc-de-east-1", "eusc-de-east-1.amazonaws.eu");
        assert_eq!(
            Site::At("http://localhost:1".to_owned()).url("eu-west-1").unwrap(),
            "http://localhost:1/eu-west-1/CloudformationSchema.zip"
        );
    }

    #[test]
    fn names_that_are_no_regions_go_nowhere() {
        for region in ["", "evil.example/x", "us-east-1.evil", "US-EAST-1", "../x-y-1"] {
            assert!(matches!(Site::Aws.url(region), Err(FetchError::Region { .. })), "{region}");
        }
    }
}
