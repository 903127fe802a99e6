//! Counters and durations, as text for a scraper.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

/// The upper ends of the classes of durations, in seconds.
const CLASSES: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];

/// The most combinations of names and labels that are kept apart.
const MOST_SERIES: usize = 10_000;

/// The most series of a counter whose labels are what callers wrote, and the longest text of one.
const MOST_OF_CALLERS: usize = 100;
const LONGEST_OF_CALLERS: usize = 100;

/// Everything counted so far.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    counters: Series<AtomicU64>,
    durations: Series<Histogram>,
}

/// Values by name and labels, the labels in the form of the text.
type Series<V> = RwLock<BTreeMap<(&'static str, String), V>>;

#[derive(Debug, Default)]
struct Histogram {
    classes: [AtomicU64; CLASSES.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

/// A value that is read off somewhere else: name, labels, value.
pub(crate) type Gauge<'g> = (&'static str, Vec<(&'g str, &'g str)>, f64);

/// Labels as `name="value"`, in the order given.
fn labels(labels: &[(&str, &str)]) -> String {
    let escape = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let parts: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escape(value))).collect();
    parts.join(",")
}

/// Does something with a value, which is made when it is not there.
fn with<V: Default>(series: &Series<V>, key: (&'static str, String), change: impl Fn(&V)) {
    if let Some(value) = series.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return change(value);
    }
    let mut series = series.write().unwrap_or_else(PoisonError::into_inner);
    // Callers choose some labels; they must not be able to fill the memory.
    let key = if series.len() < MOST_SERIES { key } else { (key.0, labels(&[("other", "true")])) };
    change(series.entry(key).or_default());
}

impl Metrics {
    /// Adds one to a counter.
    pub(crate) fn count(&self, name: &'static str, of: &[(&str, &str)]) {
        with(&self.counters, (name, labels(of)), |counter| {
            counter.fetch_add(1, Ordering::Relaxed);
        });
    }

    /// Adds one to a counter whose labels are what callers wrote: the first are kept apart, all others are `other`.
    pub(crate) fn count_of_callers(&self, name: &'static str, of: &[(&str, &str)]) {
        let key = (name, labels(of));
        let others = of.iter().map(|(label, _)| (*label, "other")).collect::<Vec<_>>();
        let has_room = || {
            let counters = self.counters.read().unwrap_or_else(PoisonError::into_inner);
            let own = counters.range((name, String::new())..).take_while(|((other, _), _)| *other == name);
            counters.contains_key(&key) || own.take(MOST_OF_CALLERS).count() < MOST_OF_CALLERS
        };
        let is_short = of.iter().all(|(_, value)| value.len() <= LONGEST_OF_CALLERS);
        self.count(name, if is_short && has_room() { of } else { &others });
    }

    /// Adds a duration to a histogram.
    pub(crate) fn observe(&self, name: &'static str, of: &[(&str, &str)], duration: Duration) {
        with(&self.durations, (name, labels(of)), |histogram: &Histogram| {
            for (class, most) in histogram.classes.iter().zip(CLASSES) {
                if duration.as_secs_f64() <= most {
                    class.fetch_add(1, Ordering::Relaxed);
                }
            }
            histogram.count.fetch_add(1, Ordering::Relaxed);
            let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
            histogram.micros.fetch_add(micros, Ordering::Relaxed);
        });
    }

    /// Everything in the text format 0.0.4 of Prometheus: first what is read off somewhere else, in the order given, then
    /// what was counted here, in order of name and labels.
    pub(crate) fn text_with(&self, gauges: &[Gauge<'_>], counters: &[Gauge<'_>]) -> String {
        let mut text = String::new();
        let mut last = "";
        for (kind, values) in [("gauge", gauges), ("counter", counters)] {
            for (name, of, value) in values {
                begin(&mut text, &mut last, name, kind);
                line(&mut text, name, &labels(of), value);
            }
        }
        for ((name, labels), counter) in self.counters.read().unwrap_or_else(PoisonError::into_inner).iter() {
            begin(&mut text, &mut last, name, "counter");
            line(&mut text, name, labels, counter.load(Ordering::Relaxed));
        }
        for ((name, labels), histogram) in self.durations.read().unwrap_or_else(PoisonError::into_inner).iter() {
            begin(&mut text, &mut last, name, "histogram");
            let with_end = |end: &str| match labels.is_empty() {
                true => format!("le=\"{end}\""),
                false => format!("{labels},le=\"{end}\""),
            };
            let count = histogram.count.load(Ordering::Relaxed);
            for (class, most) in histogram.classes.iter().zip(CLASSES) {
                let bucket = format!("{name}_bucket");
                line(&mut text, &bucket, &with_end(&most.to_string()), class.load(Ordering::Relaxed));
            }
            line(&mut text, &format!("{name}_bucket"), &with_end("+Inf"), count);
            let seconds = histogram.micros.load(Ordering::Relaxed) as f64 / 1_000_000.0;
            line(&mut text, &format!("{name}_sum"), labels, seconds);
            line(&mut text, &format!("{name}_count"), labels, count);
        }
        text
    }
}

fn begin<'n>(text: &mut String, last: &mut &'n str, name: &'n str, kind: &str) {
    if *last != name {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "# TYPE {name} {kind}");
        *last = name;
    }
}

fn line(text: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let _ = match labels.is_empty() {
        true => writeln!(text, "{name} {value}"),
        false => writeln!(text, "{name}{{{labels}}} {value}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_and_durations_become_text() {
        let metrics = Metrics::default();
        metrics.count("calls_total", &[("operation", "Get\"x\"")]);
        metrics.count("calls_total", &[("operation", "Get\"x\"")]);
        metrics.count("other_total", &[]);
        metrics.observe("call_seconds", &[("service", "sts")], Duration::from_millis(3));
        let text = metrics.text_with(&[("held", vec![("of", "a")], 2.0)], &[]);
        let expected = [
            "# TYPE held gauge",
            "held{of=\"a\"} 2",
            "# TYPE calls_total counter",
            "calls_total{operation=\"Get\\\"x\\\"\"} 2",
            "# TYPE other_total counter",
            "other_total 1",
            "# TYPE call_seconds histogram",
            "call_seconds_bucket{service=\"sts\",le=\"0.0025\"} 0",
            "call_seconds_bucket{service=\"sts\",le=\"0.005\"} 1",
            "call_seconds_bucket{service=\"sts\",le=\"+Inf\"} 1",
            "call_seconds_sum{service=\"sts\"} 0.003",
            "call_seconds_count{service=\"sts\"} 1",
        ];
        for line in expected {
            assert!(text.lines().any(|other| other == line), "{line} is not in\n{text}");
        }
    }

    #[test]
    fn what_callers_write_makes_few_series() {
        let metrics = Metrics::default();
        let count = |operation: &str| {
            metrics.count_of_callers("unserved_total", &[("service", "s"), ("operation", operation)]);
        };
        count(&"x".repeat(LONGEST_OF_CALLERS + 1));
        (0..500).for_each(|number| count(&format!("Made{number}")));
        count("Made1");
        metrics.count("other_total", &[]);
        let text = metrics.text_with(&[], &[]);
        let lines = || text.lines().filter(|line| line.starts_with("unserved_total{"));
        assert_eq!(lines().count(), MOST_OF_CALLERS);
        for line in [
            "unserved_total{service=\"s\",operation=\"Made1\"} 2",
            "unserved_total{service=\"other\",operation=\"other\"} 402",
            "other_total 1",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} is not in\n{text}");
        }
    }

    #[test]
    fn callers_cannot_fill_the_memory_with_labels() {
        let metrics = Metrics::default();
        (0..MOST_SERIES + 5).for_each(|index| metrics.count("calls_total", &[("operation", &index.to_string())]));
        let text = metrics.text_with(&[("held", vec![("of", "a")], 2.0)], &[]);
        assert_eq!(text.lines().count(), MOST_SERIES + 4);
        assert!(text.contains("calls_total{other=\"true\"} 5"));
    }
}
