//! How often requests and operations are tried.

use super::error::ConfigError;
use super::parse::Reader;

/// Attempts per request and per operation when `maxRetries` is not set.
pub const DEFAULT_MAX_ATTEMPTS: u32 = 25;

/// `maxRetries` counts attempts. Zero means one attempt; less than zero is refused, since "never try" would make deletes
/// report success.
pub(super) fn most(get: &Reader<'_>) -> Result<Option<u32>, ConfigError> {
    match get.integer("maxRetries")? {
        None => Ok(None),
        Some(attempts) if attempts < 0 => {
            Err(get.bad_integer("maxRetries", attempts.to_string(), "must not be negative"))
        }
        Some(attempts) => Ok(Some(u32::try_from(attempts).unwrap_or(u32::MAX).max(1))),
    }
}
