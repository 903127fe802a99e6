//! Which certificate of a server is taken for that of the emulator.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsConnector;

/// Trusts the certificates of a file, and what they signed.
///
/// # Errors
///
/// What is wrong with the file.
pub(super) fn connector(file: &Path) -> Result<TlsConnector, String> {
    let wrong = |reason: &dyn std::fmt::Display| format!("--tls-ca {}: {reason}", file.display());
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_file_iter(file).map_err(|error| wrong(&error))?.collect();
    let certificates = certificates.map_err(|error| wrong(&error))?;
    if certificates.is_empty() {
        return Err(wrong(&"there is no certificate in it"));
    }
    let mut roots = RootCertStore::empty();
    for certificate in &certificates {
        roots.add(certificate.clone()).map_err(|error| wrong(&error))?;
    }
    let provider = Arc::new(ring::default_provider());
    let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build();
    let verifier = Trust { certificates, signed: signed.map_err(|error| wrong(&error))? };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(&error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// The name in `HOST:PORT`.
pub(super) fn server_name(authority: &str) -> Option<ServerName<'static>> {
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    ServerName::try_from(host.trim_start_matches('[').trim_end_matches(']').to_owned()).ok()
}

/// Takes a server whose certificate is one of these, whatever its name and purpose, or is signed by one of them and made
/// out for the server. A certificate that signs itself can be an authority, which no server may be otherwise.
#[derive(Debug)]
struct Trust {
    certificates: Vec<CertificateDer<'static>>,
    signed: Arc<WebPkiServerVerifier>,
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.certificates.iter().any(|known| known.as_ref() == shown.as_ref()) {
            return Ok(ServerCertVerified::assertion());
        }
        self.signed.verify_server_cert(shown, others, name, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_before_the_port() {
        let named = |authority: &str| server_name(authority).map(|name| name.to_str().into_owned());
        assert_eq!(named("localhost:90").as_deref(), Some("localhost"));
        assert_eq!(named("[::1]:90").as_deref(), Some("::1"));
        assert_eq!(named(":90"), None);
    }
}
