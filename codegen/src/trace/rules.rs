//! The rules of the lowering as people may call them: a name, a sentence, and the module where each stands.

use serde::Serialize;

/// A rule that decides about a name or a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the table below says what each rule is")]
pub enum Rule {
    // Resources and getters.
    Token,
    ModuleName,
    OutputSuffix,
    KeptOutputSuffix,
    GetterName,
    HandWritten,
    // Properties.
    PropertyName,
    AwsId,
    // Types.
    Reference,
    DanglingReference,
    ObjectDefinition,
    KnownDefinition,
    LookedThrough,
    MergedAlternatives,
    MapDefinition,
    DeepMap,
    InlineObject,
    Alternatives,
    RenamedAlternative,
    StringEnum,
    Map,
    List,
    OpenList,
    OneType,
    SeveralTypes,
    FreeForm,
    SharedTag,
    // Names of object types.
    DefinitionException,
    DefinitionHasPrefix,
    DefinitionWithoutPrefix,
    DefinitionPrefixed,
    InlineName,
    ObjectNameTaken,
    NameLocked,
    // Names of enum types and members.
    EnumException,
    EnumHasPrefix,
    EnumPrefixed,
    EnumOfModule,
    EnumNameTaken,
    MemberWords,
    MemberEmpty,
    MemberStar,
    MemberCodePoints,
    MemberWrapper,
    MemberNumbered,
}

/// A rule as it is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Described {
    /// Its name.
    pub rule: &'static str,
    /// What it says.
    pub sentence: &'static str,
    /// The source file where it stands.
    pub module: &'static str,
}

const TOKENS: &str = "codegen/src/tokens.rs";
const TYPES: &str = "codegen/src/types.rs";
const OBJECTS: &str = "codegen/src/types/objects.rs";
const NAMES: &str = "codegen/src/names/resolve.rs";
const ENUMS: &str = "codegen/src/types/enums.rs";
const MEMBERS: &str = "codegen/src/types/enums/members.rs";
const UNIONS: &str = "codegen/src/types/unions.rs";
const NAMING: &str = "cfn/src/naming.rs";

impl Rule {
    /// Whether the rule decides about the name of a nested type.
    pub(crate) fn is_about_names(self) -> bool {
        matches!(
            self,
            Rule::DefinitionException
                | Rule::DefinitionHasPrefix
                | Rule::DefinitionWithoutPrefix
                | Rule::DefinitionPrefixed
                | Rule::InlineName
                | Rule::ObjectNameTaken
                | Rule::NameLocked
                | Rule::EnumException
                | Rule::EnumHasPrefix
                | Rule::EnumPrefixed
                | Rule::EnumOfModule
                | Rule::EnumNameTaken
        )
    }

    /// The rule's row.
    pub fn describe(self) -> Described {
        let (rule, sentence, module) = self.row();
        Described { rule, sentence, module }
    }

    #[rustfmt::skip] // One row a line is a table.
    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Rule::Token => ("token", "the service in small letters is the module, the third part of the type name with acronyms lowered is the resource", TOKENS),
            Rule::ModuleName => ("module-name", "the table MODULES renames this service, whose name Pulumi needs for itself", TOKENS),
            Rule::OutputSuffix => ("output-suffix", "a resource whose name ends in Output gets the suffix Resource, since SDKs have wrappers of that ending", TOKENS),
            Rule::KeptOutputSuffix => ("kept-output-suffix", "the table KEEPS_OUTPUT_SUFFIX lets this resource keep its published name", TOKENS),
            Rule::GetterName => ("getter-name", "a getter is the resource's name after `get`; it takes the identifier and returns what can be read and changed", "codegen/src/getter.rs"),
            Rule::HandWritten => ("hand-written", "no schema describes this; it is part of the package itself", "codegen/src/header.rs"),
            Rule::PropertyName => ("property-name", "acronyms are lowered, then the first letter", NAMING),
            Rule::AwsId => ("aws-id", "a top-level Id is awsId, because every Pulumi resource has an id of its own", "cfn/src/path.rs"),
            Rule::Reference => ("reference", "$ref has the type of the definition that it names; its siblings do not matter", TYPES),
            Rule::DanglingReference => ("dangling-reference", "$ref names no definition of this schema, so any value is allowed", TYPES),
            Rule::ObjectDefinition => ("object-definition", "a definition that is an object becomes a type of its own", OBJECTS),
            Rule::KnownDefinition => ("known-definition", "the type of this name came about earlier in this schema", OBJECTS),
            Rule::LookedThrough => ("looked-through", "a definition that is no object has no type of its own; what it says stands here", TYPES),
            Rule::MergedAlternatives => ("merged-alternatives", "alternatives that are objects and agree about their members become one object with all of them", "codegen/src/combine.rs"),
            Rule::MapDefinition => ("map-definition", "a definition with one pattern or additionalProperties is a map with string keys", TYPES),
            Rule::DeepMap => ("deep-map", "a referenced map of deeper or mixed collections has values of any type, since an SDK generator mishandled them", TYPES),
            Rule::InlineObject => ("inline-object", "an object that has its properties in place becomes a type of its own", OBJECTS),
            Rule::Alternatives => ("alternatives", "anyOf and oneOf become a union of the distinct types of all alternatives, each derived under a numbered name", UNIONS),
            Rule::RenamedAlternative => ("renamed-alternative", "the only alternative with a type of its own is derived again under the plain name", UNIONS),
            Rule::StringEnum => ("string-enum", "a string with listed values becomes an enum type", ENUMS),
            Rule::Map => ("map", "one pattern or additionalProperties as a schema make a map with string keys", TYPES),
            Rule::List => ("list", "an array is a list of what its items are", TYPES),
            Rule::OpenList => ("open-list", "an array without items is a list of anything", TYPES),
            Rule::OneType => ("one-type", "the only type that the schema names", TYPES),
            Rule::SeveralTypes => ("several-types", "several type names make a union of them", TYPES),
            Rule::FreeForm => ("free-form", "a node without type, or an object without members, may have any value", TYPES),
            Rule::SharedTag => ("shared-tag", "the tags property has the tag type that all resources share", "codegen/src/tags.rs"),
            Rule::DefinitionException => ("definition-exception", "the table DEFINITION_NAMES names the type of this definition", TYPES),
            Rule::DefinitionHasPrefix => ("definition-has-prefix", "the definition's name starts with the resource's already", TYPES),
            Rule::DefinitionWithoutPrefix => ("definition-without-prefix", "another definition has the name with the resource in front, so this one keeps its own", TYPES),
            Rule::DefinitionPrefixed => ("definition-prefixed", "the resource's name stands before the definition's", TYPES),
            Rule::InlineName => ("inline-name", "a type in place is called like the way to it, with Properties at the end", OBJECTS),
            Rule::ObjectNameTaken => ("object-name-taken", "an enum has the name, so the object's ends in Object", OBJECTS),
            Rule::NameLocked => ("name-locked", "cf-schemas/names.lock has another name for this than the rules give, or has that one for something else", NAMES),
            Rule::EnumException => ("enum-exception", "the table TYPE_NAMES_BY_TYPE names this enum", ENUMS),
            Rule::EnumHasPrefix => ("enum-has-prefix", "the way to the enum starts with the resource's name already", ENUMS),
            Rule::EnumPrefixed => ("enum-prefixed", "the resource's name stands before the way to the enum", ENUMS),
            Rule::EnumOfModule => ("enum-of-module", "the table TYPE_NAMES renames this enum of the module", ENUMS),
            Rule::EnumNameTaken => ("enum-name-taken", "another type has the name with other members, so the enum's ends in Enum", ENUMS),
            Rule::MemberWords => ("member-words", "the words of the value with capitals, acronyms lowered", NAMING),
            Rule::MemberEmpty => ("member-empty", "the value without a character is called Empty", MEMBERS),
            Rule::MemberStar => ("member-star", "the value * has no name here; SDK generators call it Asterisk", MEMBERS),
            Rule::MemberCodePoints => ("member-code-points", "no character of the value can stand in a name, so its code points do", MEMBERS),
            Rule::MemberWrapper => ("member-wrapper", "Input and Output get the suffix Type, since Go has wrappers of these names", MEMBERS),
            Rule::MemberNumbered => ("member-numbered", "an earlier value has the name, so this one's has a number", MEMBERS),
        }
    }
}
