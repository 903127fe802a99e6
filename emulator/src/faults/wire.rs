//! What happens to connections.

use super::action::{Action, Moment};
use super::rules::ask;
use super::stage::Stage;
use super::{Subject, WireFault};
use crate::store::Txn;

/// Asked for every call before it is executed.
pub(crate) fn on_the_wire(txn: &mut Txn<'_>, subject: &Subject<'_>) -> Option<WireFault> {
    let fired = ask(txn, Stage::Wire, subject).pop()?;
    match fired.then {
        Action::Delay(wait) => Some(WireFault::Delay(wait.lasting.0)),
        Action::Hang(hang) => Some(WireFault::Hang(hang.lasting.0)),
        Action::Reset(reset) => Some(match reset.when {
            Moment::Before => WireFault::Reset,
            Moment::After => WireFault::ResetAfter,
        }),
        Action::Truncate(truncate) => Some(WireFault::Truncate { bytes: truncate.bytes }),
        Action::Twice => Some(WireFault::Twice),
        _ => None,
    }
}
