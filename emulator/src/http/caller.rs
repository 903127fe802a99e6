//! Who calls: account and region from the credential scope of the signature, else from the host and the defaults.
//! Whether the signature is right is looked at in [`super::signature`].

use super::{form, host};
use crate::core::Core;
use crate::options::Auth;
use crate::scope::{Scope, is_account, is_region};
use crate::services::session::Session;
use axum::http::request::Parts;

/// Who calls, as far as the request says.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) scope: Scope,
    /// The service that the request is signed for, else the one whose host it was sent to.
    pub(crate) service: Option<Box<str>>,
    pub(crate) principal: Principal,
}

/// The identity behind a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Principal {
    pub(crate) arn: Box<str>,
    pub(crate) user_id: Box<str>,
}

impl Principal {
    /// The user of an account that stands for every key that is not known better.
    pub(crate) fn of_account(scope: &Scope) -> Principal {
        Principal {
            arn: format!("arn:{}:iam::{}:user/emulator", scope.partition(), scope.account).into(),
            user_id: "AIDAEMULATOR00000000".into(),
        }
    }
}

/// Who calls; headers `X-Emu-Account` and `X-Emu-Region` win, for callers that do not sign, and over signatures where these
/// are ignored.
///
/// The account is that of the session for keys that STS issued here, that of the file for keys in it, and an access key
/// id of twelve digits is taken for the account itself.
pub(crate) fn of(core: &Core, parts: &Parts) -> Caller {
    let credential = credential(parts);
    // Where signatures count, nothing beside them says who calls.
    let may_say = core.options.switches.auth == Auth::Accept || credential.is_none();
    let header = |name: &str| parts.headers.get(name).filter(|_| may_say)?.to_str().ok().map(str::to_owned);
    let credential = credential.unwrap_or_default();
    let mut fields = credential.split('/');
    let key = fields.next().filter(|key| !key.is_empty());
    let host = host::of(parts);
    let signed_region = fields.nth(1).filter(|region| is_region(region)).map(str::to_owned);
    // Services have names of the same form.
    let service = fields.next().filter(|service| is_region(service)).map(str::to_owned);
    let session = key.and_then(|key| Session::find(core, key));
    let account = header("x-emu-account").filter(|account| is_account(account));
    let account = account.or_else(|| key.and_then(|key| account_of(core, key, session.as_ref())));
    let region = header("x-emu-region").filter(|region| is_region(region)).or(signed_region);
    let region = region.or_else(|| host.region.filter(|region| is_region(region)));
    let scope = Scope::new(
        account.unwrap_or_else(|| core.options.account.clone()),
        region.unwrap_or_else(|| core.options.region.clone()),
    );
    let principal = session.map_or_else(|| Principal::of_account(&scope), |session| session.principal());
    Caller { scope, service: service.or(host.service).map(String::into_boxed_str), principal }
}

fn account_of(core: &Core, key: &str, session: Option<&Session>) -> Option<String> {
    if is_account(key) {
        return Some(key.to_owned());
    }
    let known = core.options.credentials.get(key).and_then(|known| known.account.clone());
    known.or_else(|| session.map(|session| session.account.clone()))
}

/// `KEY/DATE/REGION/SERVICE/aws4_request` of an Authorization header or a presigned URL.
fn credential(parts: &Parts) -> Option<String> {
    let Some(header) = parts.headers.get("authorization") else {
        return form::get(parts.uri.query()?, "X-Amz-Credential");
    };
    let (_, rest) = header.to_str().ok()?.split_once("Credential=")?;
    Some(rest.split([',', ' ']).next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::options::{Credential, Credentials, Options};
    use axum::http::Request;

    #[test]
    fn headers_do_not_win_over_signatures_that_count() {
        let source = crate::schema::library::SchemaSource::Texts(vec![r#"{"typeName":"A::B::C"}"#.to_owned()]);
        let signature = "AWS4-HMAC-SHA256 Credential=999999999999/20260101/eu-west-1/sts/aws4_request, Signature=0";
        let presigned = "/?X-Amz-Credential=999999999999%2F20260101%2Feu-west-1%2Fs3%2Faws4_request";
        for (auth, uri, signature, expected) in [
            (Auth::Accept, "/", Some(signature), ("111111111111", "cn-north-1")),
            (Auth::Require, "/", Some(signature), ("999999999999", "eu-west-1")),
            (Auth::Verify, "/", Some(signature), ("999999999999", "eu-west-1")),
            (Auth::Verify, presigned, None, ("999999999999", "eu-west-1")),
            (Auth::Verify, "/", None, ("111111111111", "cn-north-1")),
        ] {
            let mut options = Options::default();
            options.switches.auth = auth;
            let Ok(core) = Core::new(&source, options) else { panic!("a core with one empty schema") };
            let mut request = Request::builder()
                .uri(uri)
                .header("x-emu-account", "111111111111")
                .header("x-emu-region", "cn-north-1");
            if let Some(signature) = signature {
                request = request.header("authorization", signature);
            }
            let Ok(request) = request.body(()) else { panic!("a request") };
            let scope = of(&core, &request.into_parts().0).scope;
            assert_eq!((&*scope.account, &*scope.region), expected, "{auth:?} {uri}");
        }
    }

    #[test]
    fn scopes_come_from_signatures_and_headers() {
        let known = Credential { account: Some("222222222222".to_owned()), secret: None };
        let options = Options { credentials: Credentials::default().with("AKIAKNOWN", known), ..Options::default() };
        let source = crate::schema::library::SchemaSource::Texts(vec![r#"{"typeName":"A::B::C"}"#.to_owned()]);
        let Ok(core) = Core::new(&source, options) else { panic!("a core with one empty schema") };
        let signed = |key: &str| {
            format!(
                "AWS4-HMAC-SHA256 Credential={key}/20260101/eu-west-1/sts/aws4_request, SignedHeaders=host, Signature=0"
            )
        };
        let plain = "/";
        let presigned = "/b/k?X-Amz-Credential=999999999999%2F20260101%2Fap-south-1%2Fs3%2Faws4_request";
        for (uri, headers, account, region, service_name) in [
            (plain, vec![], "123456789012", "us-east-1", None),
            (plain, vec![("authorization", signed("AKIAX"))], "123456789012", "eu-west-1", Some("sts")),
            (plain, vec![("authorization", signed("AKIAKNOWN"))], "222222222222", "eu-west-1", Some("sts")),
            (plain, vec![("authorization", signed("999999999999"))], "999999999999", "eu-west-1", Some("sts")),
            (presigned, vec![], "999999999999", "ap-south-1", Some("s3")),
            (
                plain,
                vec![("host", "cloudcontrolapi.eu-west-3.amazonaws.com".to_owned())],
                "123456789012",
                "eu-west-3",
                Some("cloudcontrolapi"),
            ),
            (
                plain,
                vec![("x-emu-account", "111111111111".to_owned()), ("x-emu-region", "cn-north-1".to_owned())],
                "111111111111",
                "cn-north-1",
                None,
            ),
            (plain, vec![("authorization", "Credential=".to_owned())], "123456789012", "us-east-1", None),
        ] {
            let mut request = Request::builder().uri(uri);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            let Ok(request) = request.body(()) else { panic!("a request") };
            let (parts, ()) = request.into_parts();
            let caller = of(&core, &parts);
            assert_eq!(
                (&*caller.scope.account, &*caller.scope.region, caller.service.as_deref()),
                (account, region, service_name)
            );
        }
    }
}
