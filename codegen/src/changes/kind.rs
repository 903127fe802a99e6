//! The kinds of change: whether programs break, and why it matters to users.

use serde::Serialize;

/// What a change does to programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Impact {
    /// A program or a stack that works today can fail, or lose something.
    Breaking,
    /// Everything that works today works as before.
    Compatible,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident, $impact:ident, $label:literal, $why:literal;)*) => {
        /// What happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// All kinds, in the order of the report.
            pub const ALL: &[Kind] = &[$(Kind::$name,)*];

            /// Whether programs break.
            pub fn impact(self) -> Impact {
                match self { $(Kind::$name => Impact::$impact,)* }
            }

            /// What happened, in two or three words.
            pub fn label(self) -> &'static str {
                match self { $(Kind::$name => $label,)* }
            }

            /// Why it matters to users, in one sentence.
            pub fn why(self) -> &'static str {
                match self { $(Kind::$name => $why,)* }
            }
        }
    };
}

kinds! {
    /// A resource is gone.
    ResourceRemoved, Breaking, "resource removed",
        "Programs that declare it no longer compile, and stacks that have it can no longer manage it.";
    /// A CloudFormation type has another token.
    ResourceRenamed, Breaking, "resource renamed",
        "Programs must use the new name, and without an alias the engine replaces what they manage.";
    /// A function is gone.
    FunctionRemoved, Breaking, "function removed", "Programs that call it no longer compile.";
    /// An object or enum type is gone.
    TypeRemoved, Breaking, "type removed", "Typed programs that name it no longer compile.";
    /// The same type has another token.
    TypeRenamed, Breaking, "type renamed", "Typed programs that name it must use the new name.";
    /// An object became an enum or the other way round.
    TypeReplaced, Breaking, "object and enum swapped", "Values of the old kind are no longer accepted.";
    /// A property is gone.
    PropertyRemoved, Breaking, "property removed", "Programs that set it are refused, and those that read it get nothing.";
    /// The same CloudFormation property has another SDK name.
    PropertyRenamed, Breaking, "property renamed", "Programs must use the new name.";
    /// The same SDK name stands for another CloudFormation property.
    PropertyRedirected, Breaking, "property means another one",
        "Programs go on compiling but set another property of the service.";
    /// A property has another type.
    Retyped, Breaking, "type changed", "Programs that set or read it in a typed language no longer compile.";
    /// A new property must be set.
    RequiredPropertyAdded, Breaking, "required property added", "Programs that do not set it are refused.";
    /// A property must be set now.
    NewlyRequired, Breaking, "newly required", "Programs that do not set it are refused.";
    /// A change replaces the resource now.
    NewlyCreateOnly, Breaking, "newly create-only",
        "Changing it used to update the resource and now replaces it, which can destroy data.";
    /// The value is not read back any more.
    NewlyWriteOnly, Breaking, "newly write-only",
        "The service no longer returns it, so refresh, import and getters do not see it.";
    /// Programs may not set it any more.
    NewlyReadOnly, Breaking, "newly read-only", "Programs that set it are refused.";
    /// Programs may not set it any more, for another reason.
    NoLongerInput, Breaking, "no longer an input", "Programs that set it are refused.";
    /// It may be absent now.
    NoLongerAlways, Breaking, "no longer always present", "Typed SDKs make it optional, so programs that read it may not compile.";
    /// The identifier has other parts.
    IdentifierChanged, Breaking, "identifier changed",
        "Ids in existing stacks and in import commands have the old form, which the service refuses.";
    /// An enum value is gone.
    MemberRemoved, Breaking, "enum member removed", "Typed programs that name it no longer compile.";
    /// An enum value has another name.
    MemberRenamed, Breaking, "enum member renamed", "Typed programs must use the new name.";
    /// A resource is new.
    ResourceAdded, Compatible, "resource added", "It can be managed now.";
    /// A function is new.
    FunctionAdded, Compatible, "function added", "It can be called now.";
    /// A type is new.
    TypeAdded, Compatible, "type added", "New properties use it; nothing that exists depends on it.";
    /// A property is new.
    PropertyAdded, Compatible, "property added", "It can be set or read now.";
    /// A property need not be set.
    NoLongerRequired, Compatible, "no longer required", "It may be left out now.";
    /// A change updates in place now.
    NoLongerCreateOnly, Compatible, "no longer create-only", "Changing it updates the resource in place.";
    /// The value is read back now.
    NoLongerWriteOnly, Compatible, "no longer write-only", "Refresh, import and getters see it now.";
    /// Programs may set it now.
    NoLongerReadOnly, Compatible, "no longer read-only", "It can be set now.";
    /// Programs may set it now, for another reason.
    BecameInput, Compatible, "became an input", "It can be set now.";
    /// It always has a value now.
    NowAlways, Compatible, "now always present", "It has a value whenever the resource exists.";
    /// An enum value is new.
    MemberAdded, Compatible, "enum member added", "It has a name in typed languages now.";
}
