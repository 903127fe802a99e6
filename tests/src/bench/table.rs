//! The table that `make bench` prints.

/// One line: a figure of ours, the peer's when there is one, and the ratio to reach.
#[derive(Debug, Clone)]
pub struct Row {
    /// What was measured, with its unit.
    pub what: &'static str,
    /// Ours.
    pub ours: f64,
    /// The peer's.
    pub peer: Option<f64>,
    /// The largest ratio ours / peer that is good enough, when the design states one.
    pub target: Option<f64>,
}

/// Renders rows in aligned columns; without a peer only our figures.
#[must_use]
pub fn render(rows: &[Row]) -> String {
    let mut text = format!("{:<44}{:>12}{:>12}{:>10}{:>10}\n", "what", "ours", "peer", "ratio", "target");
    for row in rows {
        let number = |value: f64| if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") };
        let ratio = row.peer.filter(|peer| *peer > 0.0).map(|peer| row.ours / peer);
        let verdict = match (ratio, row.target) {
            (Some(ratio), Some(target)) if ratio > target => "  missed",
            _ => "",
        };
        let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        text.push_str(&format!(
            "{:<44}{:>12}{:>12}{:>10}{:>10}{verdict}\n",
            row.what,
            number(row.ours),
            row.peer.map_or_else(|| "–".to_owned(), number),
            cell(ratio),
            cell(row.target),
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Row, render};

    #[test]
    fn a_missed_target_is_said() {
        let row = |ours| Row { what: "x (ms)", ours, peer: Some(100.0), target: Some(0.25) };
        assert!(render(&[row(50.0)]).contains("missed"));
        assert!(!render(&[row(20.0)]).contains("missed"));
        assert!(render(&[Row { what: "y", ours: 1.0, peer: None, target: Some(0.1) }]).contains('–'));
    }
}
