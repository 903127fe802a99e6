//! The name lock as text: one block of lines per token, those of one resource together.
//!
//! ```text
//! module    s3  11
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
//! end  1
//! ```
//!
//! (with tabs). A module's number says how many lines are below it, the last line how many modules there are: what has gone
//! stands nowhere else, so a text that lost some is refused. It may have more, as it has after a merge of two branches
//! that both added names; the next run puts the numbers right. Columns of a property: SDK name; CloudFormation name, where it is not the SDK name with a capital. Columns
//! of a member: value; name. A type belongs to the resource above it, or else to the resources that its line names, with
//! the name that each of them wanted where that was another's. What stands above the first resource is written by hand.

use super::{Claim, Claims, LockedMembers, LockedModule, LockedResource, LockedType, Member, NameLock, TypeKind};
use crate::tsv::{escape, unescape};
use cfn::TypeName;
use cfn::naming::to_cfn;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
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
    pub reason: Cow<'static, str>,
}

impl NameLock {
    /// The lock as text.
    pub fn render(&self) -> String {
        let mut text = HEADER.to_owned();
        let mut below = String::new();
        for (name, module) in &self.modules {
            below.clear();
            render_module(&mut below, module);
            line(&mut text, false, &["module", name, &below.lines().count().to_string()]);
            text.push_str(&below);
        }
        line(&mut text, false, &["end", &self.modules.len().to_string()]);
        text
    }

    /// Reads what [`NameLock::render`] wrote.
    ///
    /// # Errors
    ///
    /// [`NameLockError`] names the first line that has another form, or a name or a CloudFormation type that is there twice,
    /// as it is after a merge of two branches; or the place where lines are missing.
    pub fn parse(text: &str) -> Result<NameLock, NameLockError> {
        let mut reader = Reader::default();
        let mut last = 0;
        for (number, line) in text.lines().enumerate() {
            last = number + 1;
            if !line.is_empty() && !line.starts_with('#') {
                reader
                    .line(last, line)
                    .map_err(|(line, reason)| NameLockError { line: line.unwrap_or(last), reason })?;
            }
        }
        match reader.is_complete && text.ends_with('\n') {
            true => Ok(reader.lock),
            false => {
                Err(NameLockError { line: last, reason: "the file is cut off here: it has no last line `end`".into() })
            }
        }
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

fn render_properties(text: &mut String, properties: &LockedMembers) {
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
fn claims_of(resource: Option<&str>) -> Claims {
    resource.map(|resource| Claim { resource: resource.to_owned(), wanted: None }).into_iter().collect()
}

/// What indented lines belong to.
#[derive(Debug, Default)]
enum Block {
    #[default]
    None,
    Resource(String),
    Type(String),
}

#[derive(Debug, Default)]
struct Reader {
    lock: NameLock,
    module: Option<Above>,
    /// The resource above.
    resource: Option<String>,
    block: Block,
    /// Whether the last line has been read.
    is_complete: bool,
}

/// The module above.
#[derive(Debug)]
struct Above {
    name: String,
    line: usize,
    /// How many lines should be below it, and how many there are.
    stated: usize,
    found: usize,
    /// CloudFormation types and getters that have a name here.
    owners: HashSet<String>,
}

/// What is wrong, with the line where that is another one than the line that was read.
type Fault = (Option<usize>, Cow<'static, str>);

const TWICE: &str = "the name is there twice";
const ODD: &str = "a name has letters, digits and _ only";
const NUMBER: &str = "a number of lines or modules is missing";

fn here(reason: &'static str) -> Fault {
    (None, Cow::Borrowed(reason))
}

/// Whether a text can be a part of a token.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Whether a text can be the name of a property.
fn is_property(text: &str) -> bool {
    !text.is_empty() && !text.contains(|character: char| character.is_whitespace() || character.is_control())
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), Fault> {
        if self.is_complete {
            return Err(here("nothing stands after the line `end`"));
        }
        let own = line.strip_prefix('\t');
        let fields: Vec<Cow<'_, str>> = own
            .unwrap_or(line)
            .split('\t')
            .map(|field| unescape(field).ok_or_else(|| here("an unknown escape")))
            .collect::<Result<_, _>>()?;
        let fields: Vec<&str> = fields.iter().map(AsRef::as_ref).collect();
        match (own, fields.as_slice()) {
            (None, ["end", stated]) => self.end(stated),
            (None, ["module", name, stated]) => self.begin(number, name, stated),
            (own, fields) => {
                if let Some(module) = &mut self.module {
                    module.found += 1;
                }
                match (own, fields) {
                    (Some(_), fields) => self.member(fields),
                    (None, [GONE, fields @ ..]) => self.block(fields, true),
                    (None, fields) => self.block(fields, false),
                }
                .map_err(here)
            }
        }
    }

    fn begin(&mut self, line: usize, name: &str, stated: &str) -> Result<(), Fault> {
        self.finish()?;
        let stated = stated.parse().map_err(|_| here(NUMBER))?;
        if !is_name(name) {
            return Err(here(ODD));
        }
        if self.lock.modules.insert(name.to_owned(), LockedModule::default()).is_some() {
            return Err(here(TWICE));
        }
        self.module = Some(Above { name: name.to_owned(), line, stated, found: 0, owners: HashSet::new() });
        self.resource = None;
        self.block = Block::None;
        Ok(())
    }

    /// Ends the module above.
    fn finish(&self) -> Result<(), Fault> {
        match &self.module {
            Some(Above { name, line, stated, found, .. }) if found < stated => {
                let reason = format!("lines of the module {name} are missing: {found} of {stated} are there");
                Err((Some(*line), reason.into()))
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, stated: &str) -> Result<(), Fault> {
        self.finish()?;
        let stated: usize = stated.parse().map_err(|_| here(NUMBER))?;
        let found = self.lock.modules.len();
        if found < stated {
            return Err((None, format!("modules are missing: {found} of {stated} are there").into()));
        }
        self.is_complete = true;
        Ok(())
    }

    fn module(&mut self) -> Result<&mut LockedModule, &'static str> {
        let module = self.module.as_ref().and_then(|module| self.lock.modules.get_mut(&module.name));
        module.ok_or("a module line stands above everything else")
    }

    /// Notes a CloudFormation type or a getter of the module; it has one resource.
    fn own(&mut self, what: Option<&str>) -> Result<(), &'static str> {
        let (Some(what), Some(module)) = (what, &mut self.module) else { return Ok(()) };
        match module.owners.insert(what.to_owned()) {
            true => Ok(()),
            false => Err("another resource of the module has this CloudFormation type or getter"),
        }
    }

    fn block(&mut self, fields: &[&str], gone: bool) -> Result<(), &'static str> {
        let name_of = |text: &str| if is_name(text) { Ok(text.to_owned()) } else { Err(ODD) };
        let was_there = match fields {
            ["function", name] => {
                self.block = Block::None;
                self.module()?.functions.insert(name_of(name)?, gone).is_some()
            }
            ["resource", name, cfn_type, getter] => {
                let given = |text: &str| (text != NONE).then(|| text.to_owned());
                let (cfn_type, getter) = (given(cfn_type), given(getter));
                if cfn_type.as_deref().is_some_and(|cfn_type| TypeName::parse(cfn_type).is_none()) {
                    return Err("a CloudFormation type has the form Organization::Service::Resource");
                }
                getter.as_deref().map(name_of).transpose()?;
                self.own(cfn_type.as_deref())?;
                self.own(getter.as_deref())?;
                let resource = LockedResource { cfn_type, getter, properties: LockedMembers::new(), gone };
                self.resource = Some((*name).to_owned());
                self.block = Block::Resource((*name).to_owned());
                self.module()?.resources.insert(name_of(name)?, resource).is_some()
            }
            [kind @ ("object" | "enum"), name, claims @ ..] => {
                let claims: Claims = match claims {
                    [] => claims_of(self.resource.as_deref()),
                    claims => claims.iter().map(|text| claim(text)).collect(),
                };
                let is_odd =
                    |claim: &Claim| !is_name(&claim.resource) || claim.wanted.as_deref().is_some_and(|of| !is_name(of));
                if claims.iter().any(is_odd) {
                    return Err(ODD);
                }
                let kind = if *kind == "object" { TypeKind::Object } else { TypeKind::Enum };
                let locked = LockedType { kind, claims, members: LockedMembers::new(), gone };
                self.block = Block::Type((*name).to_owned());
                self.module()?.types.insert(name_of(name)?, locked).is_some()
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
        // A value of an enum may be any text, and the one without a name is called by the SDKs.
        let is_good = if is_enum { text.is_empty() || is_name(&text) } else { is_property(name) && is_property(&text) };
        if !is_good {
            return Err("the name is empty, or has characters that no name has");
        }
        let was_there = members.insert((*name).to_owned(), Member { text, gone }).is_some();
        self.block = block;
        if was_there { Err(TWICE) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    const TEXT: &str = "module\tindex\t4\n\
        function\tgetRegion\n\
        gone\tfunction\tgetZone\n\
        object\tTag\n\
        \tkey\n\
        module\ts3\t12\n\
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
        gone\tresource\tLens\t-\t-\n\
        end\t2\n";

    #[test]
    fn a_lock_comes_back() {
        let lock = NameLock::parse(TEXT).unwrap();
        assert_eq!(lock.render(), format!("{HEADER}{TEXT}"));
        let bucket = &lock.modules["s3"].resources["Bucket"];
        assert_eq!(
            bucket.properties.get("bucketName").unwrap(),
            &Member { text: "BucketName".to_owned(), gone: false }
        );
        assert_eq!(bucket.properties.get("old").unwrap(), &Member { text: "Old".to_owned(), gone: true });
        assert!(lock.modules["index"].types["Tag"].claims.is_empty());
        assert_eq!(lock.modules["s3"].types["BucketRule"].claims, claims_of(Some("Bucket")));
        assert_eq!(NameLock::parse("end\t0\n"), Ok(NameLock::default()));
    }

    #[test]
    fn a_cut_is_found_wherever_it_is() {
        assert!((0..TEXT.len()).all(|length| NameLock::parse(&TEXT[..length]).is_err()));
        let lines: Vec<&str> = TEXT.split_inclusive('\n').collect();
        for without in 0..lines.len() {
            let rest: String =
                lines.iter().enumerate().filter(|(at, _)| *at != without).map(|(_, line)| *line).collect();
            assert!(NameLock::parse(&rest).is_err(), "without {:?}", lines[without]);
        }
        // Two branches that added a name each: the numbers are those of one of them.
        let merged = TEXT.replace("\tkey\n", "\tkey\n\tother\n").replace("end\t", "module\tsqs\t0\nend\t");
        assert!(NameLock::parse(&merged).unwrap().render().contains("module\tindex\t5\n"));
    }

    #[test]
    fn other_texts_are_refused_by_line() {
        for (text, line, reason) in [
            ("object\tA", 1, "a module line stands above"),
            ("# fine\n\nmodule\ts3\t0\n\tname", 4, "an indented line stands below"),
            ("module\ts3\t0\n<<<<<<< ours", 2, "a block starts with"),
            ("module\ts3\t0\nobject\tA\n\ta\tB\tC", 3, "a property has a name"),
            ("module\ts3\t0\nenum\tA\n\ta", 3, "a member of an enum has"),
            ("module\ts3\t0\nenum\tA\n\ta\tA\n\ta\tB", 4, TWICE),
            ("module\ts3\t0\nenum\tA\nobject\tA", 3, TWICE),
            ("module\ts3\t0\nmodule\ts3\t0", 2, TWICE),
            ("module\ts3\t0\nenum\tA\\x", 2, "an unknown escape"),
            ("", 0, "the file is cut off here"),
            ("module\ts3\t0\nenum\tA\n", 2, "the file is cut off here"),
            ("module\ts3\t0\nend\t1", 2, "the file is cut off here"),
            ("module\ts3\t3\nenum\tA\n\ta\tA\nend\t1\n", 1, "lines of the module s3 are missing: 2 of 3 are there"),
            ("module\ts3\t1\n\nmodule\tsqs\t0\n", 1, "lines of the module s3 are missing: 0 of 1 are there"),
            ("module\ts3\t0\nend\t2\n", 2, "modules are missing: 1 of 2 are there"),
            ("end\t0\nmodule\ts3\t0\n", 2, "nothing stands after"),
            ("module\ts3\t-\n", 1, NUMBER),
            ("end\t\n", 1, NUMBER),
            ("module\ts 3\t0\n", 1, ODD),
            ("module\ts3\t0\nresource\tBu cket*/\tAWS::S3::Bucket\t-", 2, ODD),
            ("module\ts3\t0\nresource\t\\e\tAWS::S3::Bucket\t-", 2, ODD),
            ("module\ts3\t0\nresource\tA\tAWS::S3::Bucket\tget A", 2, ODD),
            ("module\ts3\t0\nresource\tA\tAWS:S3\t-", 2, "a CloudFormation type has the form"),
            (
                "module\ts3\t0\nresource\tA\tAWS::S3::Aa\t-\ngone\tresource\tB\tAWS::S3::Aa\t-",
                3,
                "another resource of the",
            ),
            ("module\ts3\t0\nresource\tA\t-\tgetA\nresource\tB\t-\tgetA", 3, "another resource of the"),
            ("module\ts3\t0\nobject\tA\tBucket=", 2, ODD),
            ("module\ts3\t0\nobject\tA\n\t\\e", 3, "the name is empty"),
            ("module\ts3\t0\nobject\tA\n\ta b", 3, "the name is empty"),
            ("module\ts3\t0\nenum\tA\n\tany text\ta-b", 3, "the name is empty"),
        ] {
            let error = NameLock::parse(text).unwrap_err();
            assert!(error.line == line && error.reason.starts_with(reason), "{text:?}: {error}");
        }
        // A type may have moved to another module.
        let moved =
            "module\ta\t1\ngone\tresource\tA\tAWS::S3::Aa\t-\nmodule\tb\t1\nresource\tA\tAWS::S3::Aa\t-\nend\t2\n";
        assert!(NameLock::parse(moved).is_ok());
    }
}
