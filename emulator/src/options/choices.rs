//! The values of switches that are more than on and off.

macro_rules! choice {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// The names of all values, the default first.
            pub const NAMES: &[&str] = &[$($text),+];

            /// The value of this name.
            pub fn parse(text: &str) -> Option<$name> {
                match text {
                    $($text => Some($name::$variant),)+
                    _ => None,
                }
            }

            /// The name of the value.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                $name::parse(&text).ok_or_else(|| {
                    serde::de::Error::custom(format!("one of {} is wanted", $name::NAMES.join(", ")))
                })
            }
        }

        impl Default for $name {
            fn default() -> $name {
                [$($name::$variant),+][0]
            }
        }
    };
}

choice! {
    /// What becomes of types whose `provisioningType` is NON_PROVISIONABLE.
    Unprovisionable {
        /// They have no operations.
        Reject = "reject",
        /// They are served by their handlers.
        Allow = "allow",
    }
}

choice! {
    /// What becomes of scalars of the wrong JSON type.
    Coerce {
        /// They are violations.
        Off = "off",
        /// Texts are taken for numbers and booleans, and the other way around, as CloudFormation does.
        Cfn = "cfn",
    }
}

choice! {
    /// What becomes of nulls in a desired state.
    Nulls {
        /// They are violations.
        Reject = "reject",
        /// They are left out.
        Strip = "strip",
        /// The operation fails with an internal failure.
        Crash = "crash",
    }
}

choice! {
    /// What becomes of read-only properties in a desired state.
    OnReadOnly {
        /// The create is refused.
        Reject = "reject",
        /// They are dropped.
        Ignore = "ignore",
    }
}

choice! {
    /// How a conflict with what exists is told.
    Told {
        /// By a FAILED event.
        Async = "async",
        /// By an error of the call.
        Sync = "sync",
    }
}

choice! {
    /// Which defaults reads show.
    Defaults {
        /// Those in the schemas, and those that services document.
        Full = "full",
        /// Those in the schemas.
        Schema = "schema",
        /// None.
        Off = "off",
    }
}

choice! {
    /// How much of a model a list or an event shows.
    Detail {
        /// One or the other by type, as in the field.
        Mixed = "mixed",
        /// Everything that a read shows.
        Full = "full",
        /// The parts of the identifier only.
        Identifier = "identifier",
    }
}

choice! {
    /// What becomes of changes to conditionally create-only properties.
    Conditional {
        /// They are accepted.
        Accept = "accept",
        /// The request fails.
        Reject = "reject",
        /// What is known about the property decides.
        Rule = "rule",
    }
}

choice! {
    /// What becomes of deleting a resource that another one names.
    References {
        /// It is deleted.
        Off = "off",
        /// It is deleted, and the log names both.
        Warn = "warn",
        /// The request fails.
        Enforce = "enforce",
    }
}

choice! {
    /// The status of the first event.
    FirstStatus {
        /// The handler has begun.
        InProgress = "IN_PROGRESS",
        /// It has not.
        Pending = "PENDING",
        /// One or the other, by content.
        Mixed = "mixed",
    }
}

choice! {
    /// Whether events say when to ask again.
    RetryAfter {
        /// They do.
        On = "on",
        /// They do not.
        Off = "off",
        /// They name a time that has passed.
        Past = "past",
    }
}

choice! {
    /// What signatures are held to.
    Auth {
        /// Nothing: any call is served.
        Accept = "accept",
        /// There must be one.
        Require = "require",
        /// It must be right.
        Verify = "verify",
    }
}

choice! {
    /// What survives what.
    Durability {
        /// The end of the process, however it comes.
        Os = "os",
        /// A power cut too.
        Fsync = "fsync",
        /// An orderly stop only.
        None = "none",
    }
}

impl Detail {
    /// Whether a type shows full models. Of `Mixed`, what is known about the type decides; else one type in `sparse_of` does
    /// not.
    pub(crate) fn is_full(self, type_name: &str, known: Option<Detail>, sparse_of: u32) -> bool {
        let hash = type_name.bytes().fold(0u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        match if self == Detail::Mixed { known.unwrap_or(self) } else { self } {
            Detail::Identifier => false,
            Detail::Full => true,
            Detail::Mixed => hash % sparse_of != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_type_decides_only_where_both_are_possible() {
        for (chosen, known, expected) in [
            (Detail::Mixed, Some(Detail::Full), true),
            (Detail::Mixed, Some(Detail::Identifier), false),
            (Detail::Full, Some(Detail::Identifier), true),
            (Detail::Identifier, Some(Detail::Full), false),
        ] {
            assert_eq!(chosen.is_full("A::B::C", known, 1), expected, "{chosen:?} {known:?}");
        }
        // Without knowledge a share of the types does not.
        let types: Vec<String> = (0..300).map(|number| format!("A::B::C{number}")).collect();
        let sparse = types.iter().filter(|name| !Detail::Mixed.is_full(name, None, 3)).count();
        assert!((80..120).contains(&sparse), "{sparse}");
    }
}
