//! Properties of a resource or of an object type, found by either of their names.

use std::cmp::Ordering;
use std::fmt;

use super::{Record, Type};
use crate::layout::PROPERTY_WORDS;

/// The properties of a resource or of an object type, in order of SDK name.
#[derive(Clone, Copy)]
pub struct Properties {
    record: &'static Record,
    /// Offset of the first property.
    start: usize,
    len: u32,
    /// True when the order of SDK names is also the order of CloudFormation names.
    same_order: bool,
}

impl Properties {
    /// The properties at `offset`; 0 is the empty set.
    #[inline]
    pub(super) fn at(record: &'static Record, offset: usize) -> Self {
        if offset == 0 {
            return Self { record, start: 0, len: 0, same_order: true };
        }
        let (head, start) = (record.word(offset), offset + 1);
        Self { record, start, len: record.fitting(head >> 1, start, PROPERTY_WORDS), same_order: head & 1 == 1 }
    }

    /// How many properties there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// True when there is none; an object type without properties is free-form.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The properties in order of SDK name.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Property> + DoubleEndedIterator + Clone {
        (0..self.len()).map(move |index| self.property(index))
    }

    /// The property with this SDK name. Binary search.
    #[must_use]
    pub fn get(self, sdk_name: &str) -> Option<Property> {
        self.search(|place| (place, self.property(place).name().cmp(sdk_name)))
    }

    /// The property with this CloudFormation name. Binary search.
    #[must_use]
    pub fn get_cfn(self, cfn_name: &str) -> Option<Property> {
        self.search(|place| {
            let index = self.index_by_cfn_name(place);
            (index, self.property(index).cfn_name().cmp(cfn_name))
        })
    }

    /// Binary search over the places that `probe` maps to a property index and its order against what is wanted.
    #[inline]
    fn search(self, probe: impl Fn(usize) -> (usize, Ordering)) -> Option<Property> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match probe(middle) {
                (_, Ordering::Less) => low = middle + 1,
                (index, Ordering::Equal) => return Some(self.property(index)),
                (_, Ordering::Greater) => high = middle,
            }
        }
        None
    }

    /// The index of the property at this place in the order of CloudFormation names.
    #[inline]
    fn index_by_cfn_name(self, place: usize) -> usize {
        match self.same_order {
            true => place,
            false => {
                let last = self.len().saturating_sub(1);
                self.record.offset(self.start + self.len() * PROPERTY_WORDS + place).min(last)
            }
        }
    }

    #[inline]
    fn property(self, index: usize) -> Property {
        Property { record: self.record, start: self.start + index * PROPERTY_WORDS }
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Property::name)).finish()
    }
}

/// A top-level property or a member of an object type.
#[derive(Clone, Copy)]
pub struct Property {
    record: &'static Record,
    start: usize,
}

impl Property {
    /// SDK name, for example `bucketName`.
    #[inline]
    #[must_use]
    pub fn name(self) -> &'static str {
        self.record.text_at(self.start)
    }

    /// CloudFormation name, for example `BucketName`; exact at every level.
    #[inline]
    #[must_use]
    pub fn cfn_name(self) -> &'static str {
        self.record.text_at(self.start + 1)
    }

    /// Type of the value.
    #[inline]
    #[must_use]
    pub fn ty(self) -> Type {
        Type::read(self.record, self.record.word(self.start + 2))
    }

    /// True when a program may set it. Members of object types always may.
    #[inline]
    #[must_use]
    pub fn input(self) -> bool {
        self.flags() & 1 == 1
    }

    /// True when it is required as an input (top level: after auto-naming took its property out).
    #[inline]
    #[must_use]
    pub fn required(self) -> bool {
        self.flags() >> 1 & 1 == 1
    }

    /// The schema's scalar `default` as JSON text, when there is one.
    #[must_use]
    pub fn default(self) -> Option<&'static str> {
        (self.flags() >> 2).checked_sub(1).map(|index| self.record.text(index))
    }

    #[inline]
    fn flags(self) -> u32 {
        self.record.word(self.start + 3)
    }
}

impl fmt::Debug for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Property")
            .field("name", &self.name())
            .field("cfn_name", &self.cfn_name())
            .finish_non_exhaustive()
    }
}
