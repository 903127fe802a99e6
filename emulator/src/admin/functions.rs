//! What functions do when they are invoked.

use super::{Admin, AdminError};
use crate::services::lambda::behave;
use crate::services::lambda::rule::FunctionRule;

impl Admin {
    /// The rules that were set here. Those of the options hold after them.
    pub fn functions(&self) -> Vec<FunctionRule> {
        behave::by_hand(&self.core.txn())
    }

    /// Sets the rules, in the place of those that were set here before.
    ///
    /// # Errors
    ///
    /// [`AdminError::Invalid`] for a rule that cannot be followed; then nothing has changed.
    pub fn set_functions(&self, rules: &[FunctionRule]) -> Result<(), AdminError> {
        for (number, rule) in rules.iter().enumerate() {
            let own = self.core.port();
            rule.check_for(own)
                .map_err(|reason| AdminError::Invalid { reason: format!("rule {}: {reason}", number + 1) })?;
        }
        behave::set(&mut self.core.txn(), rules);
        Ok(())
    }
}
