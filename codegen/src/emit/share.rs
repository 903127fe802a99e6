//! Items that several threads work off together.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A list from which each thread takes the next item that no other has taken.
#[derive(Debug)]
pub(super) struct Share<T> {
    items: Vec<T>,
    next: AtomicUsize,
}

impl<T> Share<T> {
    /// Shares these items.
    pub(super) fn new(items: Vec<T>) -> Self {
        Self { items, next: AtomicUsize::new(0) }
    }

    /// Takes items until there are none left, and gives `make` of each.
    ///
    /// # Errors
    ///
    /// The first that `make` gave; the items after it are left to others.
    pub(super) fn map<R, E>(&self, make: impl Fn(&T) -> Result<R, E>) -> Result<Vec<R>, E> {
        let mut made = Vec::new();
        while let Some(item) = self.items.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            made.push(make(item)?);
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_taken_once() {
        let share = Share::new((0..1_000).collect());
        let work = || share.map(|item| Ok::<u32, ()>(*item)).unwrap_or_default();
        let mut made = std::thread::scope(|scope| {
            let other = scope.spawn(work);
            let mut made = work();
            made.extend(other.join().unwrap_or_default());
            made
        });
        made.sort_unstable();
        assert!(made.into_iter().eq(0..1_000));
        assert_eq!(share.map(|item| Ok::<u32, ()>(*item)), Ok(Vec::new()));
    }

    #[test]
    fn an_error_ends_the_work_of_its_thread() {
        let share = Share::new(vec![1, 2, 3]);
        assert_eq!(share.map(|item| if *item == 2 { Err("two") } else { Ok(*item) }), Err("two"));
        assert_eq!(share.map(|item| Ok::<i32, ()>(*item)), Ok(vec![3]));
    }
}
