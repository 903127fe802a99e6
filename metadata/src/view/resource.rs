//! One resource type, as the provider reads it.

use std::fmt;

use super::{ObjectTypes, Properties, Record, StrList};
use crate::{layout, model};

/// One resource type.
#[derive(Clone, Copy)]
pub struct Resource {
    pub(super) record: &'static Record,
}

impl From<&'static Record> for Resource {
    fn from(record: &'static Record) -> Self {
        Self { record }
    }
}

/// What a handler does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// CreateResource.
    Create,
    /// GetResource.
    Read,
    /// UpdateResource.
    Update,
    /// DeleteResource.
    Delete,
    /// ListResources.
    List,
}

impl Operation {
    /// All operations.
    pub const ALL: [Self; 5] = [Self::Create, Self::Read, Self::Update, Self::Delete, Self::List];
}

/// Tagging of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tags {
    /// SDK name of the property that holds the tags.
    pub property: &'static str,
    /// Shape of the property.
    pub style: model::TagsStyle,
    /// False when the service cannot change tags after creation.
    pub updatable: bool,
}

/// Generation of a physical name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutoName {
    /// SDK name of the property that gets the name.
    pub property: &'static str,
    /// Shortest allowed name in bytes; 0 = no bound.
    pub min_length: u32,
    /// Longest allowed name in bytes; 0 = no bound.
    pub max_length: u32,
    /// A suffix that another input demands (`.fifo` for FIFO queues).
    pub suffix_rule: Option<SuffixRule>,
    /// What a name may be made of.
    pub form: model::NameForm,
}

/// `suffix` is demanded when the boolean input `field` equals `equals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuffixRule {
    /// SDK name of the deciding input.
    pub field: &'static str,
    /// The value it must have.
    pub equals: bool,
    /// The suffix.
    pub suffix: &'static str,
}

/// One handler.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    /// `timeoutInMinutes`, when the schema states it.
    pub timeout_minutes: Option<u32>,
    /// IAM actions that the handler needs, in schema order.
    pub permissions: StrList,
}

/// A getter function.
#[derive(Debug, Clone, Copy)]
pub struct Getter {
    /// Function token, for example `aws-native:s3:getBucket`.
    pub token: &'static str,
    /// SDK names of the identifier inputs, in identifier order.
    pub ids: StrList,
}

impl Resource {
    /// The record behind this view.
    #[must_use]
    pub fn record(self) -> &'static Record {
        self.record
    }

    /// Pulumi type token, for example `aws-native:s3:Bucket`.
    #[must_use]
    pub fn token(self) -> &'static str {
        self.record.text_at(layout::TOKEN)
    }

    /// CloudFormation type name, for example `AWS::S3::Bucket`.
    #[must_use]
    pub fn cfn_type(self) -> &'static str {
        self.record.text_at(layout::CFN_TYPE)
    }

    /// All top-level properties, inputs and outputs together, in order of SDK name.
    #[must_use]
    pub fn properties(self) -> Properties {
        Properties::at(self.record, self.record.offset(layout::PROPERTIES))
    }

    /// The object types that the properties reach, in order of first visit.
    #[must_use]
    pub fn object_types(self) -> ObjectTypes {
        ObjectTypes::of(self.record)
    }

    /// Paths that may only be given at creation; changing one replaces the resource. [`model`] describes paths.
    #[must_use]
    pub fn create_only(self) -> StrList {
        self.list(layout::CREATE_ONLY)
    }

    /// Paths that may need a replacement, depending on conditions that the schema does not state.
    #[must_use]
    pub fn conditional_create_only(self) -> StrList {
        self.list(layout::CONDITIONAL_CREATE_ONLY)
    }

    /// Paths that the service sets.
    #[must_use]
    pub fn read_only(self) -> StrList {
        self.list(layout::READ_ONLY)
    }

    /// Paths that are accepted but, by the schema, never returned.
    #[must_use]
    pub fn write_only(self) -> StrList {
        self.list(layout::WRITE_ONLY)
    }

    /// Paths of arrays whose order carries no meaning; a path may end in `*` for directly nested arrays.
    #[must_use]
    pub fn unordered(self) -> StrList {
        self.list(layout::UNORDERED)
    }

    /// The SDK paths whose values, joined by `|`, form the Cloud Control identifier, in schema order.
    #[must_use]
    pub fn primary_identifier(self) -> StrList {
        self.list(layout::PRIMARY_IDENTIFIER)
    }

    /// Where and how tags are kept; `None` when the type has no tags property.
    #[must_use]
    pub fn tags(self) -> Option<Tags> {
        let offset = self.present(layout::TAGS)?;
        let word = self.record.word(offset + 1);
        Some(Tags {
            property: self.record.text_at(offset),
            style: layout::TAGS_STYLES.get((word >> 1) as usize).copied().unwrap_or(model::TagsStyle::Unknown),
            updatable: word & 1 == 1,
        })
    }

    /// How a name is generated when the program gives none.
    #[must_use]
    pub fn auto_name(self) -> Option<AutoName> {
        let offset = self.present(layout::AUTO_NAME)?;
        let suffix_rule = self.present(offset + 3).map(|rule| SuffixRule {
            field: self.record.text_at(rule),
            equals: self.record.word(rule + 1) == 1,
            suffix: self.record.text_at(rule + 2),
        });
        let form = self.record.word(offset + 4);
        let separator = layout::SEPARATORS.get((form >> 1) as usize).copied().unwrap_or_default();
        Some(AutoName {
            property: self.record.text_at(offset),
            min_length: self.record.word(offset + 1),
            max_length: self.record.word(offset + 2),
            suffix_rule,
            form: model::NameForm { lower_case: form & 1 == 1, separator },
        })
    }

    /// Normalizations that the service applies: path and JSONata text, in ascending order of path.
    pub fn property_transforms(self) -> impl ExactSizeIterator<Item = (&'static str, &'static str)> + Clone {
        let record = self.record;
        let (start, len) = match self.present(layout::PROPERTY_TRANSFORMS) {
            None => (0, 0),
            Some(offset) => (offset + 1, record.fitting(record.word(offset), offset + 1, layout::TRANSFORM_WORDS)),
        };
        (0..len as usize).map(move |index| {
            let entry = start + index * layout::TRANSFORM_WORDS;
            (record.text_at(entry), record.text_at(entry + 1))
        })
    }

    /// Where two texts that differ mean the same: path and hint, in ascending order of path.
    pub fn equality(self) -> impl Iterator<Item = (&'static str, model::EqualityHint)> + Clone {
        let record = self.record;
        let (start, len) = match self.present(layout::EQUALITY) {
            None => (0, 0),
            Some(offset) => (offset + 1, record.fitting(record.word(offset), offset + 1, layout::EQUALITY_WORDS)),
        };
        (0..len as usize).filter_map(move |index| {
            let entry = start + index * layout::EQUALITY_WORDS;
            Some((record.text_at(entry), *layout::EQUALITY_HINTS.get(record.offset(entry + 1))?))
        })
    }

    /// The handler of `operation`; `None` = the service does not offer it.
    #[must_use]
    pub fn handler(self, operation: Operation) -> Option<Handler> {
        let slot = match operation {
            Operation::Create => 0,
            Operation::Read => 1,
            Operation::Update => 2,
            Operation::Delete => 3,
            Operation::List => 4,
        };
        let offset = self.present(layout::HANDLERS + slot)?;
        Some(Handler { timeout_minutes: self.record.word(offset).checked_sub(1), permissions: self.list(offset + 1) })
    }

    /// The order of a replacement, where the schema demands one.
    #[must_use]
    pub fn replacement_strategy(self) -> Option<model::ReplacementStrategy> {
        match self.record.word(layout::REPLACEMENT_STRATEGY) {
            layout::DELETE_THEN_CREATE => Some(model::ReplacementStrategy::DeleteThenCreate),
            layout::CREATE_THEN_DELETE => Some(model::ReplacementStrategy::CreateThenDelete),
            _ => None,
        }
    }

    /// The getter function, when there is one.
    #[must_use]
    pub fn getter(self) -> Option<Getter> {
        let offset = self.present(layout::GETTER)?;
        Some(Getter { token: self.record.text_at(offset), ids: self.list(offset + 1) })
    }

    /// The list whose offset stands at `slot`.
    fn list(self, slot: usize) -> StrList {
        self.record.list(self.record.offset(slot))
    }

    /// The offset that stands at `slot`, unless it says that there is nothing.
    fn present(self, slot: usize) -> Option<usize> {
        Some(self.record.offset(slot)).filter(|offset| *offset != 0)
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Resource").field(&self.token()).finish()
    }
}
