//! The setting of generated names.

use super::error::ConfigError;
use super::parse::Reader;
use crate::requests::AutoNamingSettings;

/// The longest `autoNaming.randomSuffixMinLength`: no AWS name is longer, and every resource's name takes that much memory.
const LONGEST_SUFFIX: i64 = 256;

/// `autoNaming`.
///
/// # Errors
///
/// It has another shape, or asks for more than [`LONGEST_SUFFIX`] random characters.
pub(super) fn read(get: &Reader<'_>) -> Result<Option<AutoNamingSettings>, ConfigError> {
    const SUFFIX: &str = "randomSuffixMinLength";
    let Some(object) = get.object("autoNaming")? else { return Ok(None) };
    let fields = Reader::nested(&object, "autoNaming");
    let fewest = fields.integer(SUFFIX)?.unwrap_or(0).max(0);
    if fewest > LONGEST_SUFFIX {
        let reason = format!("must not be above {LONGEST_SUFFIX}");
        return Err(fields.bad_integer(SUFFIX, fewest.to_string(), &reason));
    }
    Ok(Some(AutoNamingSettings {
        auto_trim: fields.boolean("autoTrim")?.unwrap_or(false),
        random_suffix_min_length: usize::try_from(fewest).unwrap_or_default(),
    }))
}
