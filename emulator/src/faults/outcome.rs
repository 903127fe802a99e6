//! Requests that do not go as they were planned.

use super::Subject;
use super::action::{Action, Hook, Slow, Stuck, StuckIn};
use super::front::{INJECTED, trailer};
use super::rules::{Fired, ask};
use super::stage::Stage;
use crate::handler_error::HandlerErrorCode;
use crate::life::latency::{drawn, seconds};
use crate::life::plan::{HookRun, Left, Outcome, Plan, Shown};
use crate::store::{Haunt, Status, Txn};
use std::time::Duration;

/// Longer than any handler may take.
const FOREVER: Duration = Duration::from_secs(365 * 86_400);

/// Asked when a request is accepted: changes what was planned for it.
pub(crate) fn shape(txn: &mut Txn<'_>, subject: &Subject<'_>, plan: &mut Plan) {
    let scale = txn.core().options.time_scale();
    for fired in ask(txn, Stage::Plan, subject) {
        plan.rules.push(fired.id.clone());
        apply(subject, plan, fired, scale);
    }
}

fn apply(subject: &Subject<'_>, plan: &mut Plan, fired: Fired, scale: f64) {
    let Fired { id, then, mut entropy } = fired;
    match then {
        Action::Fail(failure) => {
            let code = failure.code;
            let has_detail = code.text(&subject.matter(), "").len() != code.text(&subject.matter(), "x").len();
            let named = failure.message.or_else(|| has_detail.then(|| code.text(&subject.matter(), INJECTED)));
            let message = match failure.service {
                false => named,
                true => {
                    let text = named.unwrap_or_else(|| code.text(&subject.matter(), ""));
                    Some(text + &trailer(subject.type_name, code, &mut entropy))
                }
            };
            let (left, identifier) = (failure.left.into(), failure.identifier.into());
            plan.outcome = Outcome::Failed { code, message, at: failure.at, left, identifier };
        }
        Action::AlreadyExistsLie(lie) => {
            plan.outcome = Outcome::Failed {
                code: HandlerErrorCode::AlreadyExists,
                message: None,
                at: lie.at,
                left: Left::Everything,
                // The caller hears of what stands in its way, as with any resource that exists.
                identifier: Shown::Ghost,
            }
        }
        Action::Drop(discarded) => plan.outcome = Outcome::Dropped { paths: discarded.paths },
        Action::NotFoundAfterCreate(lag) => {
            let haunt = plan.haunt.get_or_insert_with(Haunt::default);
            haunt.missing_until = lag.lasting.millis();
            haunt.missing_reads = lag.reads;
            haunt.unlisted_until = lag.list_for.millis();
            haunt.rule = Some(id);
        }
        Action::StaleRead(stale) => {
            let haunt = plan.haunt.get_or_insert_with(Haunt::default);
            haunt.stale_until = stale.lasting.millis();
            haunt.rule = Some(id);
        }
        Action::Stuck(Stuck { status, timeout }) => {
            if status == StuckIn::Pending {
                plan.first = Status::Pending;
            }
            if timeout {
                plan.duration = FOREVER;
            } else {
                plan.stuck = true;
            }
        }
        Action::Hook(hook) => run(subject, plan, hook),
        Action::Slow(Slow { factor, class }) => {
            if let Some(class) = class {
                plan.duration = drawn(class, scale, entropy.within("duration"));
            }
            plan.duration = seconds(plan.duration.as_secs_f64() * factor.max(0.0));
            plan.identifier_at = plan.duration.mul_f64(0.3);
        }
        Action::Sparse => plan.is_sparse = true,
        // They act elsewhere.
        Action::Throttle(_)
        | Action::Error(_)
        | Action::RejectReadback(_)
        | Action::Reorder
        | Action::Recase(_)
        | Action::PollError(_)
        | Action::Delay(_)
        | Action::Hang(_)
        | Action::Reset(_)
        | Action::Truncate(_)
        | Action::Twice => {}
    }
}

/// Plans a hook. One that fails the request does so before its handler begins; the event says which, and no more.
fn run(subject: &Subject<'_>, plan: &mut Plan, hook: Hook) {
    let action = subject.matter().action;
    if hook.fails() {
        plan.outcome = Outcome::Failed {
            code: HandlerErrorCode::GeneralServiceException,
            message: Some(format!("The following hook(s) failed: [{}]", hook.type_name)),
            at: 0.0,
            left: Left::Nothing,
            identifier: Shown::AsReal,
        };
    }
    plan.hooks.push(HookRun {
        point: hook.point.unwrap_or_else(|| format!("{action}_PRE_PROVISION")),
        type_name: hook.type_name,
        status: hook.status.name().to_owned(),
        failure_mode: hook.failure_mode.name().to_owned(),
        message: hook.message,
    });
}
