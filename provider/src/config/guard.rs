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

/// The digits of an account number.
const DIGITS: usize = 12;

impl AccountGuard {
    /// A guard by these lists, as a configuration has them.
    pub(super) fn new(allowed: Vec<String>, forbidden: Vec<String>) -> Self {
        let accounts = |list: Vec<String>| list.iter().map(|text| account(text)).collect();
        Self { allowed: accounts(allowed), forbidden: accounts(forbidden) }
    }

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

/// An account number as STS says it: numbers of JSON and YAML have lost the zeros at their beginning.
fn account(text: &str) -> String {
    let text = text.trim();
    match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{text:0>DIGITS$}"),
        false => text.to_owned(),
    }
}

/// Whether a text stands for an account.
pub(super) fn is_account(text: &str) -> bool {
    let account = account(text);
    account.len() == DIGITS && account.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A forbidden account must not be let through because of how its number is written.
    #[test]
    fn accounts_are_recognized_however_they_are_written() {
        for (written, admitted) in [
            ("012345678901", false),
            ("12345678901", false),
            (" 012345678901\n", false),
            ("112345678901", true),
            ("", true),
        ] {
            let forbids = AccountGuard::new(Vec::new(), vec![written.to_owned()]);
            assert_eq!(forbids.admit("012345678901").is_ok(), admitted, "{written:?}");
            let allows = AccountGuard::new(vec![written.to_owned()], Vec::new());
            assert_eq!(allows.admit("012345678901").is_ok(), !admitted, "{written:?}");
        }
        assert!(is_account("1") && !is_account("") && !is_account("1234567890123") && !is_account("a"));
    }

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
            let found = found.as_deref().and_then(|text| text.split(':').next());
            assert_eq!(found, expected, "allowed {allowed:?}, forbidden {forbidden:?}");
        }
    }
}
