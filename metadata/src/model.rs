//! The owned model of a resource's runtime metadata: what the generator fills in and [`crate::encode`] packs.
//!
//! Everything the provider must know about one resource type stands in one [`Resource`], nested types included, so that
//! two resources whose published nested types share a token never see each other's properties.
//!
//! Paths are written in SDK names joined by `/`, with `*` for every array element or map value
//! (`rules/*/expirationInDays`); a top-level CloudFormation `Id` is `awsId` in every path, as it is in `properties`.

use serde::{Deserialize, Serialize};

/// One resource type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Resource {
    /// Pulumi type token, for example `aws-native:s3:Bucket`.
    pub token: String,
    /// CloudFormation type name, for example `AWS::S3::Bucket`.
    pub cfn_type: String,
    /// All top-level properties, inputs and outputs together, sorted by SDK name.
    pub properties: Vec<Property>,
    /// The object types that `properties` reach, in order of first visit; [`Type::Object`] holds an index into it.
    pub types: Vec<ObjectType>,
    /// Paths that may only be given at creation; changing one replaces the resource.
    pub create_only: Vec<String>,
    /// Paths that may need a replacement, depending on conditions that the schema does not state.
    pub conditional_create_only: Vec<String>,
    /// Paths that the service sets.
    pub read_only: Vec<String>,
    /// Paths that are accepted but, by the schema, never returned.
    pub write_only: Vec<String>,
    /// Paths of arrays whose order carries no meaning; a path may end in `*` for directly nested arrays.
    pub unordered: Vec<String>,
    /// The SDK paths whose values, joined by `|`, form the Cloud Control identifier, in schema order.
    pub primary_identifier: Vec<String>,
    /// Where and how tags are kept; `None` when the type has no tags property.
    pub tags: Option<Tags>,
    /// How a name is generated when the program gives none.
    pub auto_name: Option<AutoName>,
    /// Normalisations that the service applies: path and JSONata text, in ascending order of path.
    pub property_transforms: Vec<(String, String)>,
    /// Where two texts that differ mean the same, in ascending order of path; a path has one hint.
    #[serde(default)]
    pub equality: Vec<(String, EqualityHint)>,
    /// What the service can do with this type.
    pub handlers: Handlers,
    /// The order of a replacement, where the schema demands one.
    pub replacement_strategy: Option<ReplacementStrategy>,
    /// The getter function, for example `aws-native:s3:getBucket`, when there is one.
    pub getter: Option<Getter>,
}

/// A top-level property or a member of a nested object type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Property {
    /// SDK name, for example `bucketName`.
    pub name: String,
    /// CloudFormation name, for example `BucketName`; exact at every level.
    pub cfn_name: String,
    /// Type of the value.
    pub ty: Type,
    /// Top level only: a program may set it. Always true for members of nested types.
    pub input: bool,
    /// Required as an input (top level: after auto-naming took its property out).
    pub required: bool,
    /// The schema's scalar `default` as JSON text, when there is one.
    pub default: Option<String>,
}

/// A nested object type in one resource's view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct ObjectType {
    /// Published token, for example `aws-native:s3:BucketRule`.
    pub token: String,
    /// Members sorted by SDK name. Empty means free-form: keys and values pass unchanged.
    pub properties: Vec<Property>,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub enum Type {
    /// Free-form JSON; keys keep their case.
    #[default]
    Any,
    /// A boolean.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Text.
    String,
    /// Text from a list that is open: services accept values newer than the schema.
    Enum(Vec<String>),
    /// A list.
    Array(Box<Type>),
    /// A map with free keys.
    Map(Box<Type>),
    /// The object type at this index of [`Resource::types`].
    Object(u32),
    /// One of several types, in published order.
    Union(Vec<Type>),
}

/// Tagging of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tags {
    /// SDK name of the property that holds the tags.
    pub property: String,
    /// Shape of the property.
    pub style: TagsStyle,
    /// False when the service cannot change tags after creation.
    pub updatable: bool,
}

/// The shape of a tags property (the generator's `tagsStyle`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TagsStyle {
    /// The named property does not exist at top level or has an unexpected shape.
    Unknown,
    /// Free-form JSON.
    Untyped,
    /// A map from key to value.
    StringMap,
    /// A list of `{key, value}`.
    KeyValueArray,
    /// A list of `{key, value}` that only creation accepts.
    KeyValueArrayCreateOnly,
    /// A list of `{key, value, …}`.
    KeyValueArrayWithExtraProperties,
    /// A list of a union that has a `{key, value}` arm.
    KeyValueArrayWithAlternateType,
    /// A list of `{resourceType, tags}`.
    NestedKeyValueArrayWithResourceType,
}

/// Generation of a physical name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutoName {
    /// SDK name of the property that gets the name.
    pub property: String,
    /// Shortest allowed name in bytes; 0 = no bound.
    pub min_length: u32,
    /// Longest allowed name in bytes; 0 = no bound.
    pub max_length: u32,
    /// A suffix that another input demands (`.fifo` for FIFO queues).
    pub suffix_rule: Option<SuffixRule>,
    /// What a name may be made of.
    #[serde(default)]
    pub form: NameForm,
}

/// What a generated name may be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct NameForm {
    /// Whether the service refuses capitals.
    pub lower_case: bool,
    /// What stands between the parts of a name, and in place of every dash.
    pub separator: Separator,
}

/// What joins the parts of a generated name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub enum Separator {
    /// `-`, which most services allow.
    #[default]
    Dash,
    /// `_`, where a dash is refused.
    Underscore,
    /// Nothing, where both are refused.
    Nothing,
}

/// Why two different texts of a property may mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EqualityHint {
    /// The service takes a name or id and returns the ARN that ends in it, or the other way round.
    ArnOrId,
    /// Capitals do not count.
    CaseInsensitive,
    /// The text is a JSON document: its layout and the order of its members do not count.
    JsonDocument,
    /// The value is an IAM policy document: order within it does not count, and one value is a list of that value.
    PolicyDocument,
    /// A dot at the end of a domain name does not count.
    TrailingDot,
    /// The service returns a number as text or the other way round.
    NumberAsText,
    /// The service completes a version: `8.0` stands for `8.0.35`.
    VersionPrefix,
}

/// `suffix` is demanded when the boolean input `field` equals `equals`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuffixRule {
    /// SDK name of the deciding input.
    pub field: String,
    /// The value it must have.
    pub equals: bool,
    /// The suffix.
    pub suffix: String,
}

/// The handlers of a type; `None` = the service does not offer the operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Handlers {
    /// CreateResource.
    pub create: Option<Handler>,
    /// GetResource.
    pub read: Option<Handler>,
    /// UpdateResource.
    pub update: Option<Handler>,
    /// DeleteResource.
    pub delete: Option<Handler>,
    /// ListResources.
    pub list: Option<Handler>,
}

/// One handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Handler {
    /// `timeoutInMinutes`, when the schema states it.
    pub timeout_minutes: Option<u32>,
    /// IAM actions that the handler needs, in schema order.
    pub permissions: Vec<String>,
}

/// Which of the two resources exists first in a replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplacementStrategy {
    /// The old one goes first.
    DeleteThenCreate,
    /// The new one comes first.
    CreateThenDelete,
}

/// A getter function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Getter {
    /// Function token, for example `aws-native:s3:getBucket`.
    pub token: String,
    /// SDK names of the identifier inputs, in identifier order.
    pub ids: Vec<String>,
}
