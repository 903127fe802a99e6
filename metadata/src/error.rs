//! What can be wrong with a model.

/// Why a model cannot be packed. Each is a mistake of the generator.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EncodeError {
    /// Lookup by SDK name needs ascending names without repetition.
    #[error("{cfn_type}: properties of {owner} are not in strictly ascending order of SDK name at `{name}`")]
    NotSorted {
        /// CloudFormation type name.
        cfn_type: String,
        /// Token of the object type, or of the resource.
        owner: String,
        /// The name that is not above the one before it.
        name: String,
    },
    /// Two properties of one type claim the same CloudFormation name.
    #[error("{cfn_type}: two properties of {owner} have the CloudFormation name `{name}`")]
    DuplicateCfnName {
        /// CloudFormation type name.
        cfn_type: String,
        /// Token of the object type, or of the resource.
        owner: String,
        /// The repeated name.
        name: String,
    },
    /// A type refers to an object type that the model does not have.
    #[error("{cfn_type}: property `{name}` of {owner} refers to object type {index}, but there are only {count}")]
    UnknownObjectType {
        /// CloudFormation type name.
        cfn_type: String,
        /// Token of the object type, or of the resource.
        owner: String,
        /// SDK name of the property.
        name: String,
        /// The index that was given.
        index: u32,
        /// How many object types there are.
        count: usize,
    },
    /// A property's type nests lists, maps and unions too deeply.
    #[error("{cfn_type}: the type of property `{name}` of {owner} nests deeper than {limit} levels")]
    TooDeep {
        /// CloudFormation type name.
        cfn_type: String,
        /// Token of the object type, or of the resource.
        owner: String,
        /// SDK name of the property.
        name: String,
        /// The deepest nesting that is allowed.
        limit: usize,
    },
    /// The resource does not fit into the format's offsets.
    #[error("{cfn_type}: the metadata is too large for its encoding")]
    TooLarge {
        /// CloudFormation type name.
        cfn_type: String,
    },
}
