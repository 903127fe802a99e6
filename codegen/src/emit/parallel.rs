//! Printing services at the same time.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many services are printed at the same time.
const THREADS: usize = 2;

/// `make` of every item, in no particular order.
///
/// # Errors
///
/// One of those that `make` gave.
pub(super) fn map<T: Sync, R: Send, E: Send>(
    items: &[T],
    make: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            made.push(make(item)?);
        }
        Ok(made)
    };
    let results = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..THREADS).map(|_| scope.spawn(work)).collect();
        let mut results = vec![work()];
        results.extend(
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        );
        results
    });
    let mut made = Vec::with_capacity(items.len());
    for result in results {
        made.extend(result?);
    }
    Ok(made)
}
