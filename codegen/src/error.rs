//! Why a resource type could not be generated.

/// What to do about a schema that goes beyond a limit.
const REMEDY: &str = "flatten or cut it at the schema's source or by an overlay";

/// A schema that can be read but not turned into a resource. The type's name stands beside it in [`crate::Skip`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// A definition refers to itself with no object type in between. Some such definitions describe values, lists of
    /// lists for example, but nothing in a package schema can contain itself other than an object type.
    #[error(
        "#/definitions/{definition} refers to itself without an object in between, through lists, maps or alternatives at \
         most; a package schema has no such type; put an object in between, or let it be any value (`{{}}`), at the schema's \
         source or by an overlay"
    )]
    Circular {
        /// The definition's name.
        definition: String,
    },
    /// References and inline schemas go too deep.
    #[error("{pointer}: types nest deeper than {limit} levels; {REMEDY}")]
    TooDeep {
        /// JSON pointer to the property or definition that was followed last.
        pointer: String,
        /// The limit.
        limit: usize,
    },
    /// The schema expands to an unreasonable number of types.
    #[error("{pointer}: up to here the schema expands to more than {limit} nodes; {REMEDY}")]
    TooLarge {
        /// JSON pointer to the top-level property that was one too many.
        pointer: String,
        /// The limit.
        limit: usize,
    },
    /// A property or a type has a name that no program can write.
    #[error(
        "{pointer}: {name:?} can be no name in the languages of SDKs, which is an ASCII letter, then letters, digits and \
         `_`; rename it at the schema's source or by an overlay"
    )]
    Name {
        /// JSON pointer to the property or definition.
        pointer: String,
        /// The name of the property, or of the type that follows from the definition.
        name: String,
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
