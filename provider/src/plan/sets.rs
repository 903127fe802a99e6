//! Changes in lists whose order carries no meaning.
//!
//! What has a partner on the other side is no change, wherever it stands. Of the rest, a deletion is shown at its index
//! in the old list and an addition at its index in the new one, which is how the engine reads the paths. After an import
//! an element's partner is what a read shows of it.

use std::collections::BTreeSet;

use value::Value;

use super::emit::Change;
use super::evidence::Live;
use super::walk::Walk;
use crate::equality::written::{At, Step};
use crate::equality::{Comparison, Hidden, Item, Secrecy};
use crate::place::Place;

impl<'a> Walk<'a> {
    pub(super) fn sets(&mut self, old: &'a [Value], new: &'a [Value], place: Place, element: Place) {
        let mut olds = Unpaired::of(old, place);
        let mut news = Unpaired::of(new, place);
        olds.pair_off(&mut news, element, Secrecy::Counts, self.written());
        if olds.pair_off(&mut news, element, Secrecy::Ignored, self.written()) {
            self.record();
        }
        if self.imported {
            for (before, now) in olds.seen_as(&mut news, element, self.written()) {
                self.at(Step::Index(now), |walk| {
                    walk.value(old.get(before), new.get(now), Live::Unknown, element, None);
                });
            }
        }
        let indexes: BTreeSet<usize> = olds.indexes.iter().chain(&news.indexes).copied().collect();
        for index in indexes {
            let (gone, come) = (olds.has(index), news.has(index));
            self.at(Step::Index(index), |walk| match (gone, come) {
                (true, true) => walk.value(old.get(index), new.get(index), Live::Unknown, element, None),
                (true, false) => walk.emit(Change::Delete, element, old.get(index), None),
                (false, true) => walk.emit(Change::Add, element, None, new.get(index)),
                (false, false) => {}
            });
        }
    }
}

/// The elements of a list that have no partner yet.
struct Unpaired<'a> {
    items: &'a [Value],
    /// In ascending order.
    indexes: Vec<usize>,
}

impl<'a> Unpaired<'a> {
    fn of(items: &'a [Value], place: Place) -> Self {
        let indexes = (0..items.len()).filter(|index| place.shows_item(&items[*index]));
        Self { items, indexes: indexes.collect() }
    }

    fn has(&self, index: usize) -> bool {
        self.indexes.binary_search(&index).is_ok()
    }

    fn values(&self) -> Vec<Item<'a>> {
        self.indexes.iter().map(|index| (*index, &self.items[*index])).collect()
    }

    /// Takes out the elements that a read returned and those of which it may have returned nothing else; their indexes.
    fn seen_as(&mut self, other: &mut Self, element: Place, at: At<'_>) -> Vec<(usize, usize)> {
        let at = At { first: at.second, second: at.first };
        let partners = Comparison::live(Hidden::Assumed).pair(&other.values(), &self.values(), element, at);
        let pairs = partners.iter().zip(&other.indexes);
        let pairs: Vec<_> = pairs.filter_map(|(partner, now)| Some((*self.indexes.get((*partner)?)?, *now))).collect();
        self.indexes.retain(|index| pairs.iter().all(|(before, _)| before != index));
        other.indexes.retain(|index| pairs.iter().all(|(_, now)| now != index));
        pairs
    }

    /// Takes out what pairs up; true if anything did.
    fn pair_off(&mut self, other: &mut Self, element: Place, secrecy: Secrecy, at: At<'_>) -> bool {
        let partners = Comparison::desired(secrecy).pair(&self.values(), &other.values(), element, at);
        let taken: BTreeSet<usize> = partners.iter().flatten().copied().collect();
        let any = !taken.is_empty();
        let mut partners = partners.iter();
        self.indexes.retain(|_| partners.next().is_some_and(Option::is_none));
        let mut place = 0..;
        other.indexes.retain(|_| place.next().is_some_and(|place| !taken.contains(&place)));
        any
    }
}
