//! URNs and ids.

use provider::advice;
use value::Urn;

use super::{feature, size, thing};

/// Reads the first line as a URN and the second as an id.
///
/// # Panics
///
/// What is printed does not read back the same.
pub fn run(data: &[u8]) -> u64 {
    let Some(resource) = thing::find(thing::TOKEN) else { return 0 };
    let text = String::from_utf8_lossy(data);
    let (line, id) = text.split_once('\n').unwrap_or((&text, &text));
    let judged = (advice::check_id(resource, id).is_ok(), advice::check_recorded_id(resource, id).is_ok());
    let urn = Urn::parse(line);
    if let Ok(urn) = &urn {
        let printed = urn.to_string();
        assert!(
            Urn::parse(&printed).is_ok_and(|again| again.to_string() == printed),
            "{line:?} is printed as {printed:?}"
        );
        assert!(line.contains(urn.name()) && line.contains(urn.type_token()), "{line:?}: {urn:?}");
    }
    feature((judged, urn.is_ok(), size(id.split('|').count())))
}
