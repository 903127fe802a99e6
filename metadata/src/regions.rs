//! Which resource type is offered in which region.
//!
//! This stands beside the records, not in them: a region that opens changes one table and no record. Types that are
//! offered in the same regions share one set, of which there are few hundred.

/// For every record, the regions that offer its type.
#[derive(Debug, Clone, Copy)]
pub struct Regions {
    /// All regions that something is known about, in ascending order.
    names: &'static [&'static str],
    /// Sets of regions, one after the other: bit `n` of a set stands for the region at `n`.
    sets: &'static [u64],
    /// For every record the number of its set, counted from 1; 0 = unknown.
    of_record: &'static [u16],
}

/// The tables that [`Regions`] is made of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Packed {
    /// Words of all sets.
    pub sets: Vec<u64>,
    /// Number of the set of each record.
    pub of_record: Vec<u16>,
}

impl Regions {
    /// Makes a table of the names of the regions, in ascending order, and of what [`pack`] returned.
    #[must_use]
    pub const fn new(names: &'static [&'static str], sets: &'static [u64], of_record: &'static [u16]) -> Self {
        Self { names, sets, of_record }
    }

    /// All regions that something is known about, in ascending order.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        self.names
    }

    /// Whether the region offers the type of the record at `position`; `None` when either is unknown, which is not the
    /// same as no.
    #[must_use]
    pub fn is_offered(self, position: usize, region: &str) -> Option<bool> {
        let index = self.names.binary_search(&region).ok()?;
        self.contains(self.set(position)?, index)
    }

    /// The regions that offer the type of the record at `position`, in ascending order; `None` when nothing is known.
    #[must_use]
    pub fn offering(self, position: usize) -> Option<impl Iterator<Item = &'static str> + Clone> {
        let set = self.set(position)?;
        let offered = move |index| self.contains(set, index) == Some(true);
        Some(self.names.iter().enumerate().filter(move |(index, _)| offered(*index)).map(|(_, name)| *name))
    }

    /// The number of the set of a record, counted from 0.
    fn set(self, position: usize) -> Option<usize> {
        usize::from(*self.of_record.get(position)?).checked_sub(1)
    }

    fn contains(self, set: usize, index: usize) -> Option<bool> {
        let word = self.sets.get(set * words(self.names.len()) + index / BITS)?;
        Some(word >> (index % BITS) & 1 == 1)
    }
}

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// How many words a set has.
const fn words(regions: usize) -> usize {
    regions.div_ceil(BITS)
}

/// The tables for records whose types are offered as said: for every region in ascending order, whether it offers the
/// type, or `None` where nothing is known. All lists have one entry per region.
///
/// `None` when there are more different sets than a number can count (65,535).
#[must_use]
pub fn pack<'a>(regions: usize, records: impl IntoIterator<Item = Option<&'a [bool]>>) -> Option<Packed> {
    let mut packed = Packed::default();
    let mut known: std::collections::BTreeMap<&[bool], u16> = std::collections::BTreeMap::new();
    for offered in records {
        let Some(offered) = offered else {
            packed.of_record.push(0);
            continue;
        };
        let next = u16::try_from(known.len() + 1).ok()?;
        let number = *known.entry(offered).or_insert_with(|| {
            let mut set = vec![0_u64; words(regions)];
            for (index, _) in offered.iter().enumerate().filter(|(_, offered)| **offered) {
                if let Some(word) = set.get_mut(index / BITS) {
                    *word |= 1 << (index % BITS);
                }
            }
            packed.sets.append(&mut set);
            next
        });
        packed.of_record.push(number);
    }
    Some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_found_again() {
        // More regions than one word has bits.
        for count in [1, 3, 64, 65, 130] {
            let names: Vec<&'static str> = (0..count).map(|number| &*format!("r{number:03}").leak()).collect();
            let records: Vec<Option<Vec<bool>>> = (0..9_usize)
                .map(|record| (record != 4).then(|| (0..count).map(|region| region % (record % 5 + 1) == 0).collect()))
                .collect();
            let packed = pack(count, records.iter().map(Option::as_deref)).expect("there are few sets");
            let regions = Regions::new(names.leak(), packed.sets.leak(), packed.of_record.leak());
            for (position, record) in records.iter().enumerate() {
                for (index, name) in regions.names().iter().enumerate() {
                    let expected = record.as_ref().map(|offered| offered[index]);
                    assert_eq!(regions.is_offered(position, name), expected, "{position} {name} of {count}");
                }
                let offering = regions.offering(position).map(Iterator::count);
                assert_eq!(offering, record.as_ref().map(|offered| offered.iter().filter(|one| **one).count()));
            }
            assert_eq!(regions.is_offered(9, "r000"), None);
            assert_eq!(regions.is_offered(0, "elsewhere"), None);
        }
    }

    #[test]
    fn equal_sets_are_kept_once() {
        let (one, other) = ([true, false], [true, true]);
        let packed = pack(2, [Some(&one[..]), Some(&other[..]), None, Some(&one[..])]);
        assert_eq!(packed, Some(Packed { sets: vec![1, 3], of_record: vec![1, 2, 0, 1] }));
    }

    #[test]
    fn false_tables_say_nothing() {
        let check = |regions: Regions| {
            assert_eq!(regions.is_offered(0, "a"), None);
            assert!(regions.offering(0).is_none_or(|offering| offering.count() == 0));
        };
        check(Regions::new(&[], &[], &[]));
        check(Regions::new(&["a"], &[], &[7]));
        check(Regions::new(&["a"], &[1], &[0]));
        check(Regions::new(&["a"], &[1], &[u16::MAX]));
    }
}
