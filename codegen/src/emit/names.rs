//! The Rust names of the generated modules and statics, and the order in which resources appear.

use std::collections::BTreeMap;

use heck::ToShoutySnakeCase;
use metadata::model;

use super::EmitError;

/// A resource and where it stands in the generated crate.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Its metadata.
    pub resource: &'a model::Resource,
    /// Rust module, also the file's name: the service of the token.
    pub module: String,
    /// Name of the static.
    pub name: String,
}

/// The resources in order of token, with their names.
///
/// # Errors
///
/// [`EmitError::Token`] and [`EmitError::NameCollision`].
pub fn entries(resources: &[model::Resource]) -> Result<Vec<Entry<'_>>, EmitError> {
    let mut sorted: Vec<&model::Resource> = resources.iter().collect();
    sorted.sort_by(|one, other| one.token.cmp(&other.token));
    let mut taken: BTreeMap<(String, String), &str> = BTreeMap::new();
    let mut entries = Vec::with_capacity(sorted.len());
    for resource in sorted {
        let (module, name) = rust_names(&resource.token)
            .ok_or_else(|| EmitError::Token { cfn_type: resource.cfn_type.clone(), token: resource.token.clone() })?;
        if let Some(first) = taken.insert((module.clone(), name.clone()), &resource.token) {
            let (first, second) = (first.to_owned(), resource.token.clone());
            return Err(EmitError::NameCollision { first, second, module, name });
        }
        entries.push(Entry { resource, module, name });
    }
    Ok(entries)
}

/// Module and static of a token; `None` when it is no `package:service:Name` or Rust cannot have such names.
///
/// A keyword gets an underscore behind it, a name that starts with a digit one before it.
pub(crate) fn rust_names(token: &str) -> Option<(String, String)> {
    let mut parts = token.split(':');
    let (Some(_), Some(service), Some(name), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    let behind_digit =
        |name: String| if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name };
    let usable = |name: &str| syn::parse_str::<syn::Ident>(name).is_ok();
    let name = behind_digit(name.to_shouty_snake_case());
    let module = behind_digit(service.to_owned());
    let module = if usable(&module) && module != "mod" { module } else { format!("{module}_") };
    (usable(&module) && usable(&name)).then_some((module, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tokens() {
        check("aws-native:s3:Bucket", Some(("s3", "BUCKET")));
        check("aws-native:ec2:VPCEndpoint", Some(("ec2", "VPC_ENDPOINT")));
        check("aws-native:wafv2:IpSet", Some(("wafv2", "IP_SET")));
        check("aws-native:static:Thing", Some(("static_", "THING")));
        check("aws-native:mod:Thing", Some(("mod_", "THING")));
        check("aws-native:4g:5gCore", Some(("_4g", "_5G_CORE")));
        check("aws-native:s3", None);
        check("aws-native:s3:Bucket:Rule", None);
        check("aws-native:s3:", None);
        check("aws-native::Bucket", None);
        check("aws-native:../../s3:Bucket", None);
    }

    #[track_caller]
    fn check(token: &str, expected: Option<(&str, &str)>) {
        let names = rust_names(token);
        let names = names.as_ref().map(|(module, name)| (module.as_str(), name.as_str()));
        assert_eq!(names, expected, "{token}");
    }

    #[test]
    fn colliding_names_are_an_error() {
        let resource = |token: &str| model::Resource { token: token.to_owned(), ..model::Resource::default() };
        let resources = [resource("aws-native:waf:IPSet"), resource("aws-native:waf:IpSet")];
        assert_eq!(
            entries(&resources).map(|_| ()).map_err(|error| error.to_string()),
            Err("aws-native:waf:IPSet and aws-native:waf:IpSet both become the static `IP_SET` in the module `waf`"
                .to_owned())
        );
    }
}
