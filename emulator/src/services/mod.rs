//! Companion services on the same port: what programs call beside Cloud Control.
//!
//! A service is a row of [`SERVICES`]; routing, logging of what nobody serves and error shapes follow from it.

mod sts;

use crate::core::Core;
use crate::http::{Caller, Reply};
use axum::http::request::Parts;
use std::sync::Arc;

/// A request that a service is asked to answer.
pub(crate) struct Asked<'r> {
    pub(crate) parts: &'r Parts,
    pub(crate) body: &'r [u8],
    pub(crate) caller: &'r Caller,
    /// The id of the request.
    pub(crate) id: &'r str,
}

/// Something that answers the calls of one AWS service.
pub(crate) trait Service: Send + Sync {
    /// The name that requests are signed for.
    fn name(&self) -> &'static str;

    /// What stands before the operation in `X-Amz-Target`, for services of the JSON protocols.
    fn targets(&self) -> &'static [&'static str] {
        &[]
    }

    fn answer(&self, core: &Arc<Core>, asked: Asked<'_>) -> Reply;
}

/// Every service.
static SERVICES: &[&dyn Service] = &[&sts::Sts];

/// The service that requests signed for `name` go to.
pub(crate) fn named(name: &str) -> Option<&'static dyn Service> {
    SERVICES.iter().copied().find(|service| service.name() == name)
}

/// The service whose operations have this before them in `X-Amz-Target`.
pub(crate) fn with_target(prefix: &str) -> Option<&'static dyn Service> {
    SERVICES.iter().copied().find(|service| service.targets().contains(&prefix))
}

/// What is served, for the text of what is not.
pub(crate) const SERVED: &str = "Cloud Control and sts:GetCallerIdentity";
