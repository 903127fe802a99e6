//! Finding a record by name: an open-addressing hash table whose slots are small numbers, so that it needs neither
//! work nor memory at start.
//!
//! The generator makes the slots with [`slots`] and writes them down; the provider looks up with [`Index::find`]. Both
//! use [`hash`], which is written down here and never changes with a compiler or a dependency.

use crate::view::{Record, Resource};

/// A table from names to records.
#[derive(Debug, Clone, Copy)]
pub struct Index {
    /// Position in `records` + 1, or 0 for a free slot; as many as a power of two.
    slots: &'static [u16],
    records: &'static [&'static Record],
}

impl Index {
    /// Makes a table of what [`slots`] returned for the names of `records`.
    #[must_use]
    pub const fn new(slots: &'static [u16], records: &'static [&'static Record]) -> Self {
        Self { slots, records }
    }

    /// The resource whose `name` is `wanted`. `name` must be what the slots were made of.
    #[must_use]
    pub fn find(self, wanted: &str, name: impl Fn(Resource) -> &'static str) -> Option<Resource> {
        self.find_position(wanted, name).map(|(_, resource)| resource)
    }

    /// As [`Self::find`], with the position of the record among all records.
    #[must_use]
    pub fn find_position(self, wanted: &str, name: impl Fn(Resource) -> &'static str) -> Option<(usize, Resource)> {
        let mask = self.slots.len().checked_sub(1)?;
        let first = hash(wanted) as usize;
        for step in 0..self.slots.len() {
            let slot = *self.slots.get(first.wrapping_add(step) & mask)?;
            let position = usize::from(slot.checked_sub(1)?);
            let resource = Resource::from(*self.records.get(position)?);
            if name(resource) == wanted {
                return Some((position, resource));
            }
        }
        None
    }
}

/// The slots of a table for `names`, where the position of a name is the position of its record. At least half of them
/// are free, so that a lookup, also of a name that is not there, looks at two or three.
///
/// `None` when there are more names than a slot can count (65,535).
#[must_use]
pub fn slots<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Option<Vec<u16>> {
    u16::try_from(names.len()).ok()?;
    let len = (names.len() * 2).next_power_of_two();
    let mut slots = vec![0_u16; len];
    for (position, name) in (1..=u16::MAX).zip(names) {
        let mut place = hash(name) as usize & (len - 1);
        while slots[place] != 0 {
            place = (place + 1) & (len - 1);
        }
        slots[place] = position;
    }
    Some(slots)
}

/// 32-bit FNV-1a of the text's bytes, with its upper half folded in, since the low bits choose the slot.
#[must_use]
pub const fn hash(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let mut hash = 0x811c_9dc5_u32;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;
    use crate::{encode, model};

    #[test]
    fn hash_is_stable() {
        let check = |text: &str, expected: u32| assert_eq!(hash(text), expected, "{text:?}");
        check("", 0x811c_1cd9);
        check("a", 0xe40c_cd20);
        check("foobar", 0xbf9c_46f4);
    }

    #[test]
    fn every_name_is_found_and_no_other() {
        for count in [0, 1, 2, 3, 100, 1_759] {
            let names: Vec<String> = (0..count).map(|number| format!("aws-native:service{number}:Name")).collect();
            let record = |token: &String| {
                let model = model::Resource { token: token.clone(), ..model::Resource::default() };
                encode(&model).unwrap().leak() as &'static Record
            };
            let records: &'static [&'static Record] = names.iter().map(record).collect::<Vec<_>>().leak();
            let index = Index::new(slots(names.iter().map(String::as_str)).unwrap().leak(), records);
            for name in &names {
                assert_eq!(index.find(name, Resource::token).map(Resource::token), Some(name.as_str()));
            }
            for absent in ["", "aws-native:service0:Nam", "aws-native:service1759:Name"] {
                assert!(index.find(absent, Resource::token).is_none(), "{absent:?} among {count}");
            }
        }
    }

    #[test]
    fn false_tables_find_nothing() {
        for slots in [&[][..], &[7], &[1, 1, 1]] {
            assert!(Index::new(slots, &[]).find("name", Resource::token).is_none());
        }
    }

    #[test]
    fn too_many_names() {
        assert_eq!(slots(vec![""; 65_536].into_iter()), None);
    }
}
