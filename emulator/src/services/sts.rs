//! STS: who calls, and keys for roles. The AWS Query protocol with XML answers.

use super::error::{Form, ServiceError};
use super::session::Session;
use super::{Service, ServiceCall};
use crate::date;
use crate::http::caller::Principal;
use crate::http::{Reply, form, xml};
use crate::scope::{Scope, is_account};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

const NAMESPACE: &str = "https://sts.amazonaws.com/doc/2011-06-15/";

/// The shortest and the longest session, and the one without a wish, in seconds.
const SHORTEST: u64 = 900;
const LONGEST: u64 = 43_200;
const USUAL: u64 = 3_600;

/// The longest session of a user, and the one without a wish.
const LONGEST_OF_USER: u64 = 129_600;

/// The Security Token Service.
pub(super) struct Sts;

impl Service for Sts {
    fn name(&self) -> &'static str {
        "sts"
    }

    fn form(&self) -> Form {
        Form::Query { namespace: NAMESPACE, version: "2011-06-15" }
    }

    fn operations(&self) -> &'static [&'static str] {
        &["GetCallerIdentity", "AssumeRole", "AssumeRoleWithWebIdentity", "GetSessionToken"]
    }

    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError> {
        let result = match call.operation {
            "AssumeRole" => assume_role(call)?,
            "AssumeRoleWithWebIdentity" => assume_role_with_web_identity(call)?,
            "GetSessionToken" => session_token(call)?,
            _ => caller_identity(call),
        };
        Ok(Reply::Now(xml::result(call.operation, NAMESPACE, &result, call.asked.id)))
    }
}

fn caller_identity(call: &ServiceCall<'_>) -> String {
    let account = &call.asked.caller.scope.account;
    let Principal { arn, user_id } = &call.asked.caller.principal;
    format!("<Arn>{}</Arn><UserId>{user_id}</UserId><Account>{account}</Account>", xml::escape(arn))
}

fn assume_role(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let role = Role::asked(call)?;
    let seconds = duration(call, SHORTEST, LONGEST, USUAL)?;
    let (principal, role_id) = role.principal(call)?;
    let (key, session) = Session::issue(&mut call.txn(), &role.account, &principal, seconds, tags(call)?);
    Ok(format!("{}{}", assumed(&principal, &role_id), credentials(&key, &session)))
}

fn assume_role_with_web_identity(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let role = Role::asked(call)?;
    let seconds = duration(call, SHORTEST, LONGEST, USUAL)?;
    let token = call.member("WebIdentityToken").ok_or_else(|| missing("webIdentityToken"))?;
    let claims = claims(&token).ok_or_else(|| {
        let text = "The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)";
        ServiceError::new(400, "InvalidIdentityToken", text)
    })?;
    let claim = |name: &str| {
        let value = claims.get(name).map(|value| value.as_array().and_then(|list| list.first()).unwrap_or(value));
        xml::escape(value.and_then(Value::as_str).unwrap_or_default())
    };
    let (principal, role_id) = role.principal(call)?;
    let (key, session) = Session::issue(&mut call.txn(), &role.account, &principal, seconds, Vec::new());
    Ok(format!(
        "{}{}<SubjectFromWebIdentityToken>{}</SubjectFromWebIdentityToken><Audience>{}</Audience><Provider>{}</Provider>",
        assumed(&principal, &role_id),
        credentials(&key, &session),
        claim("sub"),
        claim("aud"),
        claim("iss").trim_start_matches("https://"),
    ))
}

fn session_token(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let seconds = duration(call, SHORTEST, LONGEST_OF_USER, LONGEST)?;
    let caller = call.asked.caller;
    let account = &caller.scope.account;
    let (key, session) = Session::issue(&mut call.txn(), account, &caller.principal, seconds, Vec::new());
    Ok(credentials(&key, &session))
}

fn assumed(principal: &Principal, role_id: &str) -> String {
    let session = principal.user_id.rsplit_once(':').map_or("", |(_, name)| name);
    format!(
        "<AssumedRoleUser><AssumedRoleId>{role_id}:{session}</AssumedRoleId><Arn>{}</Arn></AssumedRoleUser>",
        xml::escape(&principal.arn)
    )
}

fn credentials(key: &str, session: &Session) -> String {
    let Session { secret, token, expires, .. } = session;
    format!(
        "<Credentials><AccessKeyId>{key}</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey>\
         <SessionToken>{token}</SessionToken><Expiration>{}</Expiration></Credentials>",
        date::iso(*expires)
    )
}

/// A role that shall be assumed.
struct Role {
    arn: String,
    account: String,
    /// Without its path.
    name: String,
    session: String,
}

impl Role {
    fn asked(call: &ServiceCall<'_>) -> Result<Role, ServiceError> {
        let arn = call.member("RoleArn").ok_or_else(|| missing("roleArn"))?;
        let session = call.member("RoleSessionName").ok_or_else(|| missing("roleSessionName"))?;
        let fields: Vec<&str> = arn.splitn(6, ':').collect();
        let ["arn", _, "iam", "", account, role] = fields.as_slice() else { return Err(no_role(&arn)) };
        let name = role.strip_prefix("role/").and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        if !is_account(account) || name.is_empty() {
            return Err(no_role(&arn));
        }
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_+=,.@-".contains(&byte);
        if !(2..=64).contains(&session.len()) || !session.bytes().all(is_name) {
            let text = "Value at 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression \
                        pattern: [\\w+=,.@-]* and have length from 2 to 64";
            return Err(invalid(text));
        }
        let (account, name) = ((*account).to_owned(), name.to_owned());
        Ok(Role { arn, account, name, session })
    }

    /// Who acts in the role, and the id of the role: that of the resource when there is one of that name.
    fn principal(&self, call: &ServiceCall<'_>) -> Result<(Principal, String), ServiceError> {
        let scope = Scope::new(self.account.as_str(), call.asked.caller.scope.region.clone());
        let shelf = call.core.shelf_key(&scope, "AWS::IAM::Role");
        let model = call.txn().resource(&shelf, &self.name).map(|role| role.model.clone());
        let model = model.map(|model| crate::json::stored(&model));
        let known = model.as_ref().and_then(|model| model.get("RoleId")).and_then(Value::as_str);
        let made = || format!("AROA{}", crate::entropy::Entropy::new(&["role", &self.arn]).upper(17));
        let role_id = known.map_or_else(made, str::to_owned);
        let arn =
            format!("arn:{}:sts::{}:assumed-role/{}/{}", scope.partition(), self.account, self.name, self.session);
        let user_id = format!("{role_id}:{}", self.session);
        Ok((Principal { arn: arn.into(), user_id: user_id.into() }, role_id))
    }
}

fn duration(call: &ServiceCall<'_>, least: u64, most: u64, usual: u64) -> Result<u64, ServiceError> {
    let Some(text) = call.member("DurationSeconds") else { return Ok(usual) };
    match text.parse() {
        Ok(seconds) if (least..=most).contains(&seconds) => Ok(seconds),
        Ok(seconds) => {
            let (side, bound) = if seconds < least { ("greater", least) } else { ("less", most) };
            Err(invalid(&format!(
                "Value '{seconds}' at 'durationSeconds' failed to satisfy constraint: Member must have value {side} than \
                 or equal to {bound}"
            )))
        }
        Err(_) => Err(ServiceError::new(400, "MalformedInput", "DurationSeconds is no whole number")),
    }
}

/// `Tags.member.N.Key` with `Tags.member.N.Value`, at most fifty.
fn tags(call: &ServiceCall<'_>) -> Result<Vec<(String, String)>, ServiceError> {
    let form = call.form();
    let tag = |number: usize| {
        let key = form::get(&form, &format!("Tags.member.{number}.Key"))?;
        Some((key, form::get(&form, &format!("Tags.member.{number}.Value")).unwrap_or_default()))
    };
    let tags: Vec<_> = (1..=51).map_while(tag).collect();
    if tags.len() > 50 {
        return Err(invalid(
            "Value at 'tags' failed to satisfy constraint: Member must have length less than or equal to 50",
        ));
    }
    Ok(tags)
}

/// The claims of a JSON web token. Who signed it is not looked at.
fn claims(token: &str) -> Option<Value> {
    let parts: Vec<&str> = token.split('.').collect();
    let [_, claims, _] = parts.as_slice() else { return None };
    let text = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    let claims = crate::json::parse(std::str::from_utf8(&text).ok()?).ok()?;
    claims.get("sub")?.is_string().then_some(claims)
}

fn missing(member: &str) -> ServiceError {
    invalid(&format!("Value null at '{member}' failed to satisfy constraint: Member must not be null"))
}

fn invalid(text: &str) -> ServiceError {
    ServiceError::new(400, "ValidationError", format!("1 validation error detected: {text}"))
}

fn no_role(arn: &str) -> ServiceError {
    ServiceError::new(400, "ValidationError", format!("{arn} is invalid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_without_looking_at_who_signed() {
        let token = |claims: &str| format!("e30.{}.x", URL_SAFE_NO_PAD.encode(claims));
        let claims_of = |text: &str| claims(&token(text)).map(|claims| claims.to_string());
        assert_eq!(claims_of(r#"{"sub":"me"}"#).as_deref(), Some(r#"{"sub":"me"}"#));
        for bad in ["{}", r#"{"sub":1}"#, "no json"] {
            assert_eq!(claims_of(bad), None, "{bad}");
        }
        assert_eq!(claims("one"), None);
        assert_eq!(claims("a.!.c"), None);
    }
}
