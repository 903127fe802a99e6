//! How long operations take.

use super::plan::Submission;
use crate::core::Core;
use crate::entropy::Entropy;
use crate::schema::Handler;
use crate::store::Kind;
use std::time::Duration;

/// One to five seconds, ten to sixty for handlers that ask for much time, scaled.
pub(crate) fn duration(core: &Core, submission: &Submission<'_>, mut entropy: Entropy) -> Duration {
    let scale = core.options.time_scale();
    let handler = match submission.operation {
        Kind::Create => Handler::Create,
        Kind::Update => Handler::Update,
        Kind::Delete => Handler::Delete,
    };
    let is_slow = submission.resource.timeout(handler) > Duration::from_secs(120 * 60);
    let (least, most) = if is_slow { (10_000, 60_000) } else { (1_000, 5_000) };
    let millis = least + entropy.below(most - least);
    let scaled = Duration::from_millis(millis as u64).as_secs_f64() * scale.max(0.0);
    Duration::try_from_secs_f64(scaled).unwrap_or(Duration::ZERO)
}
