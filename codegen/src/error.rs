//! Why a resource type could not be generated.

/// A schema that can be read but not turned into a resource. The type's name stands beside it in [`crate::Skip`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// A definition refers to itself with no object type in between, so it describes no value.
    #[error(
        "#/definitions/{definition} refers to itself without an object in between, so it describes no value; correct it at \
         the schema's source or by an overlay"
    )]
    Circular {
        /// The definition's name.
        definition: String,
    },
    /// References and inline schemas go too deep.
    #[error("{name}: types nest deeper than {limit} levels")]
    TooDeep {
        /// The type name under construction.
        name: String,
        /// The limit.
        limit: usize,
    },
    /// The schema expands to an unreasonable number of types.
    #[error("the schema expands to more than {limit} nodes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Two properties would have one SDK name.
    #[error(
        "{pointer}: {first} and {second} of {place} both become {sdk_name}; remove or rename one of them at the schema's \
         source or by an overlay"
    )]
    NameCollision {
        /// JSON pointer to the second property; `#` where it comes from several places.
        pointer: String,
        /// The resource or nested type.
        place: String,
        /// The property that came first.
        first: String,
        /// The property that came second.
        second: String,
        /// The SDK name of both.
        sdk_name: String,
    },
}
