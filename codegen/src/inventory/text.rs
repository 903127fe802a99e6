//! The inventory as text: one file per module, one block of lines per token.
//!
//! A block starts with a line of its own and has an indented line per property or enum member:
//!
//! ```text
//! resource  Bucket  AWS::S3::Bucket  getBucket  bucketName
//!     bucketName      string                     create-only
//!     websiteUrl      string                     output,always,read-only  WebsiteURL
//!     a/nested/path   -                          write-only
//! object  BucketRule
//!     id              string
//! enum  BucketRuleStatus
//!     Enabled         Enabled
//! ```
//!
//! (with tabs). Columns of a property: SDK name; type; flags; CloudFormation name, where it is not the SDK name with a
//! capital. Columns of a member: value; name. Tokens of the file's own module stand without package and module.

use super::{Inventory, Members, PropertyFacts, ResourceFacts, TypeFacts, module_of};
use crate::tokens::PACKAGE;
use crate::tsv::{escape, unescape};
use cfn::naming::to_cfn;
use litemap::LiteMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The name of the file, without its ending, that says what is left out; no module is called so.
pub const LEFT_OUT: &str = "_left-out";

/// The first line of every file.
const HEADER: &str = "# Written by `make generate`; the columns are described in codegen/src/inventory/text.rs.\n";

/// A file that is no inventory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {reason}; restore it from version control")]
pub struct InventoryError {
    /// The file.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl Inventory {
    /// The texts by file name without its ending: one per module, and [`LEFT_OUT`].
    pub fn texts(&self) -> BTreeMap<String, String> {
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        for token in &self.functions {
            let _ = writeln!(text_of(&mut texts, token), "function\t{}", escape(own_name(token)));
        }
        for (token, facts) in &self.resources {
            resource(text_of(&mut texts, token), token, facts);
        }
        for (token, facts) in &self.types {
            named_type(text_of(&mut texts, token), token, facts);
        }
        let left_out = text_at(&mut texts, LEFT_OUT);
        for (name, reason) in &self.left_out {
            let _ = writeln!(left_out, "{}\t{}", escape(name), escape(reason));
        }
        texts.into_iter().map(|(module, text)| (module.to_owned(), text)).collect()
    }

    /// Reads what [`Inventory::texts`] wrote: pairs of file name without ending and text.
    ///
    /// # Errors
    ///
    /// [`InventoryError`] names the first line that has another form, or a name that is there twice.
    pub fn parse<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Inventory, InventoryError> {
        let mut inventory = Inventory::default();
        for (module, text) in files {
            let mut block = Block::None;
            for (number, line) in text.lines().enumerate() {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let read = match module {
                    LEFT_OUT => inventory.read_left_out(line),
                    _ => inventory.read_line(module, line, &mut block),
                };
                read.map_err(|reason| InventoryError { file: format!("{module}.tsv"), line: number + 1, reason })?;
            }
            if !text.is_empty() && !text.ends_with('\n') {
                let (file, line) = (format!("{module}.tsv"), text.lines().count());
                return Err(InventoryError { file, line, reason: "the last line is cut off" });
            }
        }
        Ok(inventory)
    }

    fn read_left_out(&mut self, line: &str) -> Result<(), &'static str> {
        match fields(line)?.as_slice() {
            [name, reason] => {
                self.left_out.insert(name.to_string(), reason.to_string());
                Ok(())
            }
            _ => Err("a line of what is left out has a name and a reason"),
        }
    }

    fn read_line(&mut self, module: &str, line: &str, block: &mut Block) -> Result<(), &'static str> {
        if let Some(line) = line.strip_prefix('\t') {
            return self.read_member(module, &fields(line)?, block);
        }
        let fields = fields(line)?;
        let token = |name: &str| format!("{PACKAGE}:{module}:{name}");
        let (now, was_there) = match fields.iter().map(AsRef::as_ref).collect::<Vec<&str>>().as_slice() {
            ["function", name] => (Block::None, !self.functions.insert(token(name))),
            ["resource", name, cfn_type, getter, identifier] => {
                let given = |text: &str| (text != NONE).then(|| text.to_owned());
                let facts = ResourceFacts {
                    cfn_type: given(cfn_type),
                    getter: given(getter).map(|name| token(&name)),
                    identifier: given(identifier)
                        .map(|parts| parts.split('|').map(str::to_owned).collect())
                        .unwrap_or_default(),
                    ..ResourceFacts::default()
                };
                (Block::Resource(token(name)), self.resources.insert(token(name), facts).is_some())
            }
            ["object", name] => {
                (Block::Type(token(name)), self.types.insert(token(name), TypeFacts::Object(Members::new())).is_some())
            }
            ["enum", name] => {
                (Block::Type(token(name)), self.types.insert(token(name), TypeFacts::Enum(LiteMap::new())).is_some())
            }
            _ => return Err("a block starts with function, resource, object or enum and its columns"),
        };
        *block = now;
        once(was_there)
    }

    fn read_member(&mut self, module: &str, fields: &[Cow<'_, str>], block: &Block) -> Result<(), &'static str> {
        let orphan = "an indented line stands below a resource, an object or an enum";
        match block {
            Block::None => Err(orphan),
            Block::Resource(token) => {
                let facts = self.resources.get_mut(token).ok_or(orphan)?;
                let (name, mut property, flags) = property(module, fields)?;
                for flag in flags.split(',') {
                    let path = name.clone();
                    match flag {
                        NONE => {}
                        "output" => property.input = false,
                        "required" => property.required = true,
                        "always" => property.always = true,
                        "create-only" => drop(facts.create_only.insert(path)),
                        "read-only" => drop(facts.read_only.insert(path)),
                        "write-only" => drop(facts.write_only.insert(path)),
                        _ => return Err("a property of a resource has no such flag"),
                    }
                }
                let is_path = property.ty == PATH;
                once(!is_path && facts.properties.insert(name, property).is_some())
            }
            Block::Type(token) => match (self.types.get_mut(token).ok_or(orphan)?, fields) {
                (TypeFacts::Object(members), _) => {
                    let (name, mut property, flags) = property(module, fields)?;
                    for flag in flags.split(',') {
                        match flag {
                            NONE => {}
                            "required" => property.required = true,
                            "replaces" => property.replaces = true,
                            _ => return Err("a member of an object has no such flag"),
                        }
                    }
                    once(members.insert(name, property).is_some())
                }
                (TypeFacts::Enum(members), [value, name]) => {
                    once(members.insert(value.to_string(), name.to_string()).is_some())
                }
                (TypeFacts::Enum(_), _) => Err("a member of an enum has a value and a name"),
            },
        }
    }
}

/// Stands for what is absent: a CloudFormation type, a getter, an identifier, flags.
const NONE: &str = "-";

/// Stands for the type where a line is about a path, not about a property.
const PATH: &str = "-";

/// What the indented lines belong to.
enum Block {
    None,
    Resource(String),
    Type(String),
}

fn once(was_there: bool) -> Result<(), &'static str> {
    if was_there { Err("the name is there twice") } else { Ok(()) }
}

fn fields(line: &str) -> Result<Vec<Cow<'_, str>>, &'static str> {
    line.split('\t').map(|field| unescape(field).ok_or("an unknown escape")).collect()
}

/// Name, facts without flags, and flags.
fn property<'f>(module: &str, fields: &'f [Cow<'_, str>]) -> Result<(String, PropertyFacts, &'f str), &'static str> {
    let (name, ty, flags, cfn_name) = match fields {
        [name, ty] => (name, ty, NONE, None),
        [name, ty, flags] => (name, ty, flags.as_ref(), None),
        [name, ty, flags, cfn_name] => (name, ty, flags.as_ref(), Some(cfn_name)),
        _ => return Err("a property has a name and a type, and may have flags and a CloudFormation name"),
    };
    let facts = PropertyFacts {
        cfn_name: cfn_name.map_or_else(|| to_cfn(name), ToString::to_string),
        ty: map_tokens(ty, |token| match token.contains(':') {
            true => format!("{PACKAGE}:{token}"),
            false => format!("{PACKAGE}:{module}:{token}"),
        }),
        input: true,
        ..PropertyFacts::default()
    };
    Ok((name.to_string(), facts, flags))
}

fn text_of<'t, 'k>(texts: &'t mut BTreeMap<&'k str, String>, token: &'k str) -> &'t mut String {
    text_at(texts, module_of(token))
}

fn text_at<'t, 'k>(texts: &'t mut BTreeMap<&'k str, String>, module: &'k str) -> &'t mut String {
    texts.entry(module).or_insert_with(|| HEADER.to_owned())
}

/// The last part of a token.
fn own_name(token: &str) -> &str {
    token.splitn(3, ':').nth(2).unwrap_or(token)
}

fn resource(text: &mut String, token: &str, facts: &ResourceFacts) {
    let identifier = match facts.identifier.as_slice() {
        [] => NONE.to_owned(),
        parts => parts.join("|"),
    };
    let _ = writeln!(
        text,
        "resource\t{}\t{}\t{}\t{}",
        escape(own_name(token)),
        facts.cfn_type.as_deref().unwrap_or(NONE),
        facts.getter.as_deref().map_or(NONE, own_name),
        escape(&identifier),
    );
    let paths: BTreeSet<&String> = facts.create_only.iter().chain(&facts.read_only).chain(&facts.write_only).collect();
    let names: BTreeSet<&String> = facts.properties.keys().chain(paths).collect();
    for name in names {
        let property = facts.properties.get(name);
        let is = |flag: fn(&PropertyFacts) -> bool| property.is_some_and(flag);
        let flags = [
            ("output", is(|property| !property.input)),
            ("required", is(|property| property.required)),
            ("always", is(|property| property.always)),
            ("create-only", facts.create_only.contains(name)),
            ("read-only", facts.read_only.contains(name)),
            ("write-only", facts.write_only.contains(name)),
        ];
        line(text, module_of(token), name, property, &flags);
    }
}

fn named_type(text: &mut String, token: &str, facts: &TypeFacts) {
    match facts {
        TypeFacts::Object(members) => {
            let _ = writeln!(text, "object\t{}", escape(own_name(token)));
            for (name, property) in members {
                let flags = [("required", property.required), ("replaces", property.replaces)];
                line(text, module_of(token), name, Some(property), &flags);
            }
        }
        TypeFacts::Enum(members) => {
            let _ = writeln!(text, "enum\t{}", escape(own_name(token)));
            for (value, name) in members {
                let _ = writeln!(text, "\t{}\t{}", escape(value), escape(name));
            }
        }
    }
}

/// One property, or one path where there is no property.
fn line(text: &mut String, module: &str, name: &str, property: Option<&PropertyFacts>, flags: &[(&str, bool)]) {
    let ty = property.map_or_else(
        || PATH.to_owned(),
        |property| {
            map_tokens(&property.ty, |token| {
                let rest = token.strip_prefix(PACKAGE).and_then(|rest| rest.strip_prefix(':')).unwrap_or(token);
                rest.strip_prefix(module).and_then(|name| name.strip_prefix(':')).unwrap_or(rest).to_owned()
            })
        },
    );
    let flags: Vec<&str> = flags.iter().filter(|(_, set)| *set).map(|(flag, _)| *flag).collect();
    let cfn_name = property.map(|property| property.cfn_name.as_str()).filter(|cfn_name| *cfn_name != to_cfn(name));
    let _ = write!(text, "\t{}\t{}", escape(name), escape(&ty));
    if !flags.is_empty() || cfn_name.is_some() {
        let flags = if flags.is_empty() { NONE.to_owned() } else { flags.join(",") };
        let _ = write!(text, "\t{flags}");
    }
    if let Some(cfn_name) = cfn_name {
        let _ = write!(text, "\t{}", escape(cfn_name));
    }
    text.push('\n');
}

/// The type with each of its tokens, which stand behind `#`, replaced.
pub(crate) fn map_tokens(ty: &str, replace: impl Fn(&str) -> String) -> String {
    let mut text = String::with_capacity(ty.len());
    let mut rest = ty;
    while let Some(start) = rest.find('#') {
        let (before, token) = rest.split_at(start + 1);
        let end = token.find(['|', ')', ']', '}']).unwrap_or(token.len());
        let (token, after) = token.split_at(end);
        text.push_str(before);
        text.push_str(&replace(token));
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    fn example() -> Inventory {
        let property = |ty: &str, cfn_name: &str| PropertyFacts {
            ty: ty.to_owned(),
            cfn_name: cfn_name.to_owned(),
            input: true,
            ..PropertyFacts::default()
        };
        let set = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<BTreeSet<_>>();
        let bucket = ResourceFacts {
            cfn_type: Some("AWS::S3::Bucket".to_owned()),
            getter: Some("aws-native:s3:getBucket".to_owned()),
            identifier: vec!["bucketName".to_owned(), "rules/*/id".to_owned()],
            properties: Members::from_iter([
                (
                    "bucketName".to_owned(),
                    PropertyFacts { required: true, always: true, ..property("string", "BucketName") },
                ),
                ("rules".to_owned(), property("[(#aws-native:s3:BucketRule|{any})]", "RULES")),
                ("tags".to_owned(), property("[#aws-native:index:Tag]", "Tags")),
                ("url".to_owned(), PropertyFacts { input: false, ..property("string", "URL") }),
            ]),
            create_only: set(&["bucketName", "rules/*/id"]),
            read_only: set(&["url"]),
            write_only: set(&["rules/*/id"]),
        };
        let rule = Members::from_iter([
            ("id".to_owned(), PropertyFacts { required: true, replaces: true, ..property("string", "id") }),
            ("status".to_owned(), property("#aws-native:s3:BucketStatus", "Status")),
        ]);
        let status = [("", "Empty"), ("a\tb", "Ab"), ("*", "")];
        let status = status.map(|(value, name)| (value.to_owned(), name.to_owned()));
        Inventory {
            resources: BTreeMap::from([
                ("aws-native:s3:Bucket".to_owned(), bucket),
                ("aws-native:index:Thing".to_owned(), ResourceFacts::default()),
            ]),
            types: BTreeMap::from([
                ("aws-native:s3:BucketRule".to_owned(), TypeFacts::Object(rule)),
                ("aws-native:s3:BucketStatus".to_owned(), TypeFacts::Enum(LiteMap::from_iter(status))),
            ]),
            functions: set(&["aws-native:index:getRegion"]),
            left_out: BTreeMap::from([("AWS::A::B".to_owned(), "no read handler".to_owned())]),
        }
    }

    #[test]
    fn one_block_per_token() {
        let texts = example().texts();
        let modules: Vec<&str> = texts.keys().map(String::as_str).collect();
        assert_eq!(modules, ["_left-out", "index", "s3"]);
        let expected = "resource\tBucket\tAWS::S3::Bucket\tgetBucket\tbucketName|rules/*/id\n\
            \tbucketName\tstring\trequired,always,create-only\n\
            \trules\t[(#BucketRule|{any})]\t-\tRULES\n\
            \trules/*/id\t-\tcreate-only,write-only\n\
            \ttags\t[#index:Tag]\n\
            \turl\tstring\toutput,read-only\tURL\n\
            object\tBucketRule\n\
            \tid\tstring\trequired,replaces\tid\n\
            \tstatus\t#BucketStatus\n\
            enum\tBucketStatus\n\
            \t\\e\tEmpty\n\
            \t*\t\\e\n\
            \ta\\tb\tAb\n";
        assert_eq!(texts["s3"], format!("{HEADER}{expected}"));
        assert_eq!(texts["index"], format!("{HEADER}function\tgetRegion\nresource\tThing\t-\t-\t-\n"));
        assert_eq!(texts["_left-out"], format!("{HEADER}AWS::A::B\tno read handler\n"));
    }

    #[test]
    fn texts_come_back() {
        let texts = example().texts();
        let read = Inventory::parse(texts.iter().map(|(module, text)| (module.as_str(), text.as_str())));
        assert_eq!(read, Ok(example()));
    }

    #[test]
    fn other_texts_are_refused_by_line() {
        for (text, line, reason) in [
            ("nonsense", 1, "a block starts with"),
            ("# fine\n\n\tname\tstring", 3, "an indented line stands below"),
            ("object\tA\n\tname", 2, "a property has a name and a type"),
            ("object\tA\n\tname\tstring\toutput", 2, "a member of an object has no such flag"),
            ("resource\tA\t-\t-\t-\n\tname\tstring\treplaces", 2, "a property of a resource has no such flag"),
            ("enum\tA\n\tname", 2, "a member of an enum has a value and a name"),
            ("enum\tA\\x", 1, "an unknown escape"),
            ("enum\tA\nobject\tA\n", 2, "the name is there twice"),
            ("function\ta\nfunction\ta\n", 2, "the name is there twice"),
            ("object\tA\n\ta\tany\n\ta\tany\n", 3, "the name is there twice"),
            ("enum\tA\n\ta\tA\n\ta\tB\n", 3, "the name is there twice"),
            ("object\tA\n\ta\tany\trequ", 2, "a member of an object has no such flag"),
            ("object\tA\n\ta\tany", 2, "the last line is cut off"),
        ] {
            let error = Inventory::parse([("s3", text)]).unwrap_err();
            assert!(error.line == line && error.reason.starts_with(reason), "{text:?}: {error}");
            assert!(error.to_string().starts_with(&format!("s3.tsv:{line}: ")), "{error}");
        }
    }
}
