//! Panics in code that is not ours, which are answers and no bugs of ours.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// A panic of this thread is caught by [`caught`].
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that may panic; `None` when it did. The panic hook then says nothing of a bug ([`is_caught`]).
pub(crate) fn caught<T>(code: impl FnOnce() -> T) -> Option<T> {
    let before = CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(code));
    CAUGHT.set(before);
    result.ok()
}

/// Whether a panic that happens now on this thread is one that [`caught`] makes an answer of.
pub(crate) fn is_caught() -> bool {
    CAUGHT.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_no_answer_and_no_alarm() {
        let empty: &[u8] = &[];
        let at = std::hint::black_box(0);
        assert_eq!(caught(is_caught), Some(true));
        assert_eq!(caught(|| empty[at]), None);
        assert!(!is_caught());
        // One in another leaves the outer one in force.
        assert_eq!(caught(|| (caught(|| empty[at]), is_caught())), Some((None, true)));
        assert!(!is_caught());
    }
}
