//! The traits of generated types, made from tables of names.
//!
//! Derived serde code for all services together takes many times as long to compile: these impls are one call per
//! member, and none of them is compiled before a program uses it.

/// A struct: `members!(Queue; queue_name = "QueueName", …);`
macro_rules! members {
    ($ty:ident; $($member:ident = $name:literal,)*) => {
        impl $crate::typed::Read for $ty {
            #[inline]
            fn read(
                value: ::serde_json::Value,
                mode: $crate::typed::Mode,
            ) -> ::core::result::Result<Self, $crate::typed::Mismatch> {
                let mut members = $crate::typed::Members::new(value, mode, &[$($name),*])?;
                let mut object = <Self as ::core::default::Default>::default();
                $(members.read($name, &mut object.$member);)*
                object.other = members.finish()?;
                ::core::result::Result::Ok(object)
            }
        }

        impl ::serde::Serialize for $ty {
            #[inline]
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                let mut members = $crate::typed::Writer::new(serializer, &self.other)?;
                $(members.write($name, &self.$member);)*
                members.finish()
            }
        }

        $crate::typed::prelude::common!($ty);
    };
}

/// An enum: `values!(SseAlgorithm; Aes256 = "AES256", …);`
macro_rules! values {
    ($ty:ident; $($variant:ident = $value:literal,)*) => {
        impl $ty {
            /// The value as the service has it.
            #[inline]
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $value,)*
                    Self::Other(value) => value,
                }
            }
        }

        impl ::core::convert::From<&str> for $ty {
            #[inline]
            fn from(value: &str) -> Self {
                match value {
                    $($value => Self::$variant,)*
                    _ => Self::Other(value.to_owned()),
                }
            }
        }

        impl ::core::fmt::Display for $ty {
            #[inline]
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl $crate::typed::Read for $ty {
            #[inline]
            fn read(
                value: ::serde_json::Value,
                mode: $crate::typed::Mode,
            ) -> ::core::result::Result<Self, $crate::typed::Mismatch> {
                let value = <::std::string::String as $crate::typed::Read>::read(value, mode)?;
                match Self::from(value.as_str()) {
                    Self::Other(_) => mode.unknown_value(value).map(Self::Other),
                    known => ::core::result::Result::Ok(known),
                }
            }
        }

        impl ::serde::Serialize for $ty {
            #[inline]
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        $crate::typed::prelude::common!($ty);
    };
}

/// A union: `arms!(Principal; String, List,);`, tried in this order.
macro_rules! arms {
    ($ty:ident; $($arm:ident,)*) => {
        impl $crate::typed::Read for $ty {
            const TAKES_NULL: bool = true;

            #[inline]
            fn read(
                value: ::serde_json::Value,
                mode: $crate::typed::Mode,
            ) -> ::core::result::Result<Self, $crate::typed::Mismatch> {
                $(
                    if let ::core::option::Option::Some(arm) = $crate::typed::arm(&value) {
                        return ::core::result::Result::Ok(Self::$arm(arm));
                    }
                )*
                mode.unknown_arm(value).map(Self::Other)
            }
        }

        impl ::serde::Serialize for $ty {
            #[inline]
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                match self {
                    $(Self::$arm(arm) => ::serde::Serialize::serialize(arm, serializer),)*
                    Self::Other(value) => ::serde::Serialize::serialize(value, serializer),
                }
            }
        }

        $crate::typed::prelude::common!($ty);
    };
}

/// What every type has: `Deserialize` by way of a JSON value, and `Debug` as that value.
macro_rules! common {
    ($ty:ident) => {
        impl<'de> ::serde::Deserialize<'de> for $ty {
            #[inline]
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                $crate::typed::deserialize(deserializer)
            }
        }

        impl ::core::fmt::Debug for $ty {
            #[inline]
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::debug(stringify!($ty), self, formatter)
            }
        }
    };
}

/// A resource: `resource!(Queue, "AWS::SQS::Queue", "aws-native:sqs:Queue");`
macro_rules! resource {
    ($ty:ident, $type_name:literal, $token:literal) => {
        impl $crate::typed::Resource for $ty {
            const TYPE_NAME: &'static str = $type_name;
            const TOKEN: &'static str = $token;
        }
    };
}

pub(crate) use {arms, common, members, resource, values};
