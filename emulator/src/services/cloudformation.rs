//! CloudFormation, as far as programs ask it what there is: the types of the loaded schemas. There are no stacks and no
//! exports.

use super::error::{Form, ServiceError};
use super::{Service, ServiceCall};
use crate::http::{Reply, xml};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;

const NAMESPACE: &str = "http://cloudformation.amazonaws.com/doc/2010-05-15/";

/// The most types of a page.
const MOST: usize = 100;

/// CloudFormation.
pub(super) struct CloudFormation;

impl Service for CloudFormation {
    fn name(&self) -> &'static str {
        "cloudformation"
    }

    fn form(&self) -> Form {
        Form::Query { namespace: NAMESPACE, version: "2010-05-15" }
    }

    fn operations(&self) -> &'static [&'static str] {
        &["DescribeType", "ListTypes", "ListExports", "DescribeStacks"]
    }

    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError> {
        let result = match call.operation {
            "DescribeType" => describe(call)?,
            "ListTypes" => list(call)?,
            "ListExports" => "<Exports/>".to_owned(),
            _ => match call.member("StackName") {
                None => "<Stacks/>".to_owned(),
                Some(name) => {
                    let text = format!("Stack with id {name} does not exist");
                    return Err(ServiceError::new(400, "ValidationError", text));
                }
            },
        };
        Ok(Reply::Now(xml::result(call.operation, NAMESPACE, &result, call.asked.id)))
    }
}

/// The ARN of a public type.
fn arn(call: &ServiceCall<'_>, type_name: &str) -> String {
    let scope = &call.asked.caller.scope;
    let name = type_name.replace("::", "-");
    format!("arn:{}:cloudformation:{}::type/resource/{name}", scope.partition(), scope.region)
}

fn describe(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let of_arn = || Some(call.member("Arn")?.rsplit('/').next()?.replace('-', "::"));
    let name = call.member("TypeName").or_else(of_arn).unwrap_or_default();
    let resource = call.core.library().get(&name).ok_or_else(|| {
        ServiceError::new(404, "TypeNotFoundException", format!("The type '{name}' cannot be found."))
    })?;
    let text =
        |member: &str| resource.schema.get(member).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let provisioning = Some(text("provisioningType")).filter(|kind| !kind.is_empty());
    Ok(format!(
        "<Arn>{}</Arn><Type>RESOURCE</Type><TypeName>{name}</TypeName><Description>{}</Description><Schema>{}</Schema>\
         <ProvisioningType>{}</ProvisioningType><DeprecatedStatus>LIVE</DeprecatedStatus><Visibility>PUBLIC</Visibility>",
        arn(call, &name),
        xml::escape(&text("description")),
        xml::escape(&resource.schema.to_string()),
        provisioning.unwrap_or_else(|| "FULLY_MUTABLE".to_owned()),
    ))
}

fn list(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let from = match call.member("NextToken") {
        None => String::new(),
        Some(token) => {
            let name = URL_SAFE.decode(token).ok().and_then(|name| String::from_utf8(name).ok());
            name.ok_or_else(|| ServiceError::new(400, "ValidationError", "NextToken is not valid for this list"))?
        }
    };
    let most =
        call.member("MaxResults").and_then(|most| most.parse().ok()).map_or(MOST, |most: usize| most.clamp(1, MOST));
    let prefix = call.member("Filters.TypeNamePrefix").unwrap_or_default();
    let library = call.core.library();
    let mut names: Vec<&str> = library.type_names().filter(|name| name.starts_with(&prefix)).collect();
    names.sort_unstable();
    let mut rest = names.into_iter().filter(|name| *name > from.as_str());
    let page: Vec<&str> = rest.by_ref().take(most).collect();
    let next = page.last().filter(|_| rest.next().is_some());
    let next = next.map_or_else(String::new, |last| format!("<NextToken>{}</NextToken>", URL_SAFE.encode(last)));
    let member = |name: &&str| {
        let arn = arn(call, name);
        format!("<member><Type>RESOURCE</Type><TypeName>{name}</TypeName><TypeArn>{arn}</TypeArn></member>")
    };
    Ok(format!("<TypeSummaries>{}</TypeSummaries>{next}", page.iter().map(member).collect::<String>()))
}
