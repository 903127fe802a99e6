//! Which accounts the provider may work in.

use super::ConfigError;

/// Lists of allowed and forbidden accounts; an empty list restricts nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountGuard {
    /// `allowedAccountIds`.
    pub allowed: Vec<String>,
    /// `forbiddenAccountIds`.
    pub forbidden: Vec<String>,
}

impl AccountGuard {
    /// Whether the account must be known, even when validation of credentials is skipped.
    pub fn is_active(&self) -> bool {
        !self.allowed.is_empty() || !self.forbidden.is_empty()
    }

    /// Refuses an account that is forbidden or not allowed.
    ///
    /// # Errors
    ///
    /// [`ConfigError::ForbiddenAccount`] first, then [`ConfigError::AccountNotAllowed`].
    pub fn admit(&self, account: &str) -> Result<(), ConfigError> {
        let listed = |list: &[String]| list.iter().any(|entry| entry == account);
        if listed(&self.forbidden) {
            return Err(ConfigError::ForbiddenAccount(account.to_owned()));
        }
        if !self.allowed.is_empty() && !listed(&self.allowed) {
            return Err(ConfigError::AccountNotAllowed(account.to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_admitted_by_both_lists() {
        for (allowed, forbidden, expected) in [
            (&[][..], &[][..], None),
            (&["1"], &[], None),
            (&["2"], &[], Some("account ID not allowed (1)")),
            (&[], &["1"], Some("forbidden account ID (1)")),
            (&["1"], &["1"], Some("forbidden account ID (1)")),
            (&[], &["2"], None),
        ] {
            let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
            let guard = AccountGuard { allowed: owned(allowed), forbidden: owned(forbidden) };
            let found = guard.admit("1").err().map(|error| error.to_string());
            assert_eq!(found.as_deref(), expected, "allowed {allowed:?}, forbidden {forbidden:?}");
        }
    }
}
