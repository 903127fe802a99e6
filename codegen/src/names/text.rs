//! The name lock as text: one block of lines per token, those of one resource together.
//!
//! ```text
//! module    s3
//! resource  Bucket  AWS::S3::Bucket  getBucket
//!     bucketName
//!     websiteUrl      WebsiteURL
//!     oldName         OldName         gone
//! object  BucketRule
//!     id              id
//! enum  BucketRuleStatus
//!     ENABLED         Enabled
//! gone  object  BucketOldRule
//! object  RuleProperties  Bucket  StorageLens
//! enum  BucketModeEnum  Bucket=BucketMode
//! ```
//!
//! (with tabs). Columns of a property: SDK name; CloudFormation name, where it is not the SDK name with a capital. Columns
//! of a member: value; name. A type belongs to the resource above it, or else to the resources that its line names, with
//! the name that each of them wanted where that was another's. What stands above the first resource is written by hand.

use super::{Claim, LockedModule, LockedResource, LockedType, Member, NameLock, TypeKind};
use crate::tsv::{escape, unescape};
use cfn::naming::to_cfn;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const HEADER: &str = "# Published names and whose they are, kept by `make generate`; see docs/names.md.\n";

/// Stands for an absent CloudFormation type or getter.
const NONE: &str = "-";

/// Marks what is no longer published.
const GONE: &str = "gone";

/// A text that is no name lock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}; restore the file from version control, or mend the line")]
pub struct NameLockError {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl NameLock {
    /// The lock as text.
    pub fn render(&self) -> String {
        let mut text = HEADER.to_owned();
        for (name, module) in &self.modules {
            line(&mut text, false, &["module", name]);
            render_module(&mut text, module);
        }
        text
    }

    /// Reads what [`NameLock::render`] wrote.
    ///
    /// # Errors
    ///
    /// [`NameLockError`] names the first line that has another form, or a name that is there twice, as it is after a merge
    /// of two branches.
    pub fn parse(text: &str) -> Result<NameLock, NameLockError> {
        let mut reader = Reader { lock: NameLock::default(), module: None, resource: None, block: Block::None };
        for (number, line) in text.lines().enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                reader.line(line).map_err(|reason| NameLockError { line: number + 1, reason })?;
            }
        }
        Ok(reader.lock)
    }
}

fn render_module(text: &mut String, module: &LockedModule) {
    for (name, gone) in &module.functions {
        line(text, *gone, &["function", name]);
    }
    let mut by_resource: BTreeMap<Option<&str>, Vec<(&str, &LockedType)>> = BTreeMap::new();
    for (name, locked) in &module.types {
        let first = locked.claims.first().map(|claim| claim.resource.as_str());
        let above = first.filter(|resource| module.resources.contains_key(*resource));
        by_resource.entry(above).or_default().push((name, locked));
    }
    render_types(text, None, by_resource.remove(&None).unwrap_or_default());
    for (name, resource) in &module.resources {
        let cfn_type = resource.cfn_type.as_deref().unwrap_or(NONE);
        let getter = resource.getter.as_deref().unwrap_or(NONE);
        line(text, resource.gone, &["resource", name, cfn_type, getter]);
        render_properties(text, &resource.properties);
        render_types(text, Some(name), by_resource.remove(&Some(name.as_str())).unwrap_or_default());
    }
}

fn render_types(text: &mut String, above: Option<&str>, types: Vec<(&str, &LockedType)>) {
    for (name, locked) in types {
        let kind = match locked.kind {
            TypeKind::Object => "object",
            TypeKind::Enum => "enum",
        };
        let mut fields = vec![kind, name];
        let claims: Vec<String> = locked.claims.iter().map(claim_text).collect();
        if locked.claims != claims_of(above) {
            fields.extend(claims.iter().map(String::as_str));
        }
        line(text, locked.gone, &fields);
        match locked.kind {
            TypeKind::Object => render_properties(text, &locked.members),
            TypeKind::Enum => {
                for (value, member) in &locked.members {
                    member_line(text, value, Some(&member.text), member.gone);
                }
            }
        }
    }
}

fn render_properties(text: &mut String, properties: &BTreeMap<String, Member>) {
    for (name, member) in properties {
        let follows = !member.gone && member.text == to_cfn(name);
        member_line(text, name, (!follows).then_some(member.text.as_str()), member.gone);
    }
}

fn member_line(text: &mut String, name: &str, of: Option<&str>, gone: bool) {
    let _ = write!(text, "\t{}", escape(name));
    if let Some(of) = of {
        let _ = write!(text, "\t{}", escape(of));
    }
    text.push_str(if gone { "\tgone\n" } else { "\n" });
}

fn line(text: &mut String, gone: bool, fields: &[&str]) {
    let mark = gone.then_some(GONE);
    let fields: Vec<Cow<'_, str>> = mark.into_iter().chain(fields.iter().copied()).map(escape).collect();
    text.push_str(&fields.join("\t"));
    text.push('\n');
}

fn claim_text(claim: &Claim) -> String {
    match &claim.wanted {
        Some(wanted) => format!("{}={wanted}", claim.resource),
        None => claim.resource.clone(),
    }
}

fn claim(text: &str) -> Claim {
    match text.split_once('=') {
        Some((resource, wanted)) => Claim { resource: resource.to_owned(), wanted: Some(wanted.to_owned()) },
        None => Claim { resource: text.to_owned(), wanted: None },
    }
}

/// Whose a type is by its place below a resource.
fn claims_of(resource: Option<&str>) -> BTreeSet<Claim> {
    resource.map(|resource| Claim { resource: resource.to_owned(), wanted: None }).into_iter().collect()
}

/// What indented lines belong to.
enum Block {
    None,
    Resource(String),
    Type(String),
}

struct Reader {
    lock: NameLock,
    module: Option<String>,
    /// The resource above.
    resource: Option<String>,
    block: Block,
}

const TWICE: &str = "the name is there twice";

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        let own = line.strip_prefix('\t');
        let fields: Vec<Cow<'_, str>> = own
            .unwrap_or(line)
            .split('\t')
            .map(|field| unescape(field).ok_or("an unknown escape"))
            .collect::<Result<_, _>>()?;
        let fields: Vec<&str> = fields.iter().map(AsRef::as_ref).collect();
        match (own, fields.as_slice()) {
            (Some(_), fields) => self.member(fields),
            (None, ["module", name]) => {
                if self.lock.modules.insert((*name).to_owned(), LockedModule::default()).is_some() {
                    return Err(TWICE);
                }
                self.module = Some((*name).to_owned());
                self.resource = None;
                self.block = Block::None;
                Ok(())
            }
            (None, [GONE, fields @ ..]) => self.block(fields, true),
            (None, fields) => self.block(fields, false),
        }
    }

    fn module(&mut self) -> Result<&mut LockedModule, &'static str> {
        let module = self.module.as_ref().and_then(|name| self.lock.modules.get_mut(name));
        module.ok_or("a module line stands above everything else")
    }

    fn block(&mut self, fields: &[&str], gone: bool) -> Result<(), &'static str> {
        let given = |text: &str| (text != NONE).then(|| text.to_owned());
        let was_there = match fields {
            ["function", name] => {
                self.block = Block::None;
                self.module()?.functions.insert((*name).to_owned(), gone).is_some()
            }
            ["resource", name, cfn_type, getter] => {
                let (cfn_type, getter) = (given(cfn_type), given(getter));
                let resource = LockedResource { cfn_type, getter, properties: BTreeMap::new(), gone };
                self.resource = Some((*name).to_owned());
                self.block = Block::Resource((*name).to_owned());
                self.module()?.resources.insert((*name).to_owned(), resource).is_some()
            }
            [kind @ ("object" | "enum"), name, claims @ ..] => {
                let claims = match claims {
                    [] => claims_of(self.resource.as_deref()),
                    claims => claims.iter().map(|text| claim(text)).collect(),
                };
                let kind = if *kind == "object" { TypeKind::Object } else { TypeKind::Enum };
                let locked = LockedType { kind, claims, members: BTreeMap::new(), gone };
                self.block = Block::Type((*name).to_owned());
                self.module()?.types.insert((*name).to_owned(), locked).is_some()
            }
            _ => return Err("a block starts with module, function, resource, object or enum and its columns"),
        };
        if was_there { Err(TWICE) } else { Ok(()) }
    }

    fn member(&mut self, fields: &[&str]) -> Result<(), &'static str> {
        let orphan = "an indented line stands below a resource, an object or an enum";
        let block = std::mem::replace(&mut self.block, Block::None);
        let module = self.module()?;
        let (members, is_enum) = match &block {
            Block::None => return Err(orphan),
            Block::Resource(name) => (&mut module.resources.get_mut(name).ok_or(orphan)?.properties, false),
            Block::Type(name) => {
                let locked = module.types.get_mut(name).ok_or(orphan)?;
                let is_enum = locked.kind == TypeKind::Enum;
                (&mut locked.members, is_enum)
            }
        };
        let (name, text, gone) = match (fields, is_enum) {
            ([name], false) => (name, to_cfn(name), false),
            ([name, text], _) => (name, (*text).to_owned(), false),
            ([name, text, GONE], _) => (name, (*text).to_owned(), true),
            (_, true) => return Err("a member of an enum has a value and a name, and may be gone"),
            (_, false) => return Err("a property has a name, may have a CloudFormation name, and then may be gone"),
        };
        let was_there = members.insert((*name).to_owned(), Member { text, gone }).is_some();
        self.block = block;
        if was_there { Err(TWICE) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    const TEXT: &str = "module\tindex\n\
        function\tgetRegion\n\
        gone\tfunction\tgetZone\n\
        object\tTag\n\
        \tkey\n\
        module\ts3\n\
        resource\tBucket\tAWS::S3::Bucket\tgetBucket\n\
        \tbucketName\n\
        \told\tOld\tgone\n\
        \twebsiteUrl\tWebsiteURL\n\
        enum\tBucketModeEnum\tBucket=BucketMode\n\
        \t\\e\tEmpty\n\
        \t*\t\\e\tgone\n\
        gone\tobject\tBucketOldRule\n\
        object\tBucketRule\n\
        \tid\tid\n\
        object\tRuleProperties\tBucket\tLens=OtherProperties\n\
        gone\tresource\tLens\t-\t-\n";

    #[test]
    fn a_lock_comes_back() {
        let lock = NameLock::parse(TEXT).unwrap();
        assert_eq!(lock.render(), format!("{HEADER}{TEXT}"));
        let bucket = &lock.modules["s3"].resources["Bucket"];
        assert_eq!(bucket.properties["bucketName"], Member { text: "BucketName".to_owned(), gone: false });
        assert_eq!(bucket.properties["old"], Member { text: "Old".to_owned(), gone: true });
        assert!(lock.modules["index"].types["Tag"].claims.is_empty());
        assert_eq!(lock.modules["s3"].types["BucketRule"].claims, claims_of(Some("Bucket")));
        assert_eq!(NameLock::parse(""), Ok(NameLock::default()));
    }

    #[test]
    fn other_texts_are_refused_by_line() {
        for (text, line, reason) in [
            ("object\tA", 1, "a module line stands above"),
            ("# fine\n\nmodule\ts3\n\tname", 4, "an indented line stands below"),
            ("module\ts3\n<<<<<<< ours", 2, "a block starts with"),
            ("module\ts3\nobject\tA\n\ta\tB\tC", 3, "a property has a name"),
            ("module\ts3\nenum\tA\n\ta", 3, "a member of an enum has"),
            ("module\ts3\nenum\tA\n\ta\tA\n\ta\tB", 4, TWICE),
            ("module\ts3\nenum\tA\nobject\tA", 3, TWICE),
            ("module\ts3\nmodule\ts3", 2, TWICE),
            ("module\ts3\nenum\tA\\x", 2, "an unknown escape"),
        ] {
            let error = NameLock::parse(text).unwrap_err();
            assert!(error.line == line && error.reason.starts_with(reason), "{text:?}: {error}");
        }
    }
}
