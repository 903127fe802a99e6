//! What a role in a request changes: on demand the call acts in the account of the role.

use super::members::Members;
use crate::scope::Scope;

/// Where a call with these members acts, when that is elsewhere than where it came from.
pub(super) fn acting_scope(scope: &Scope, members: &Members<'_>, switches_account: bool) -> Option<Scope> {
    let role = members.optional("RoleArn").filter(|_| switches_account)?;
    // The shape was checked: `arn:PARTITION:iam::ACCOUNT:role/NAME`.
    let account = role.split(':').nth(4)?;
    (*account != *scope.account).then(|| Scope::new(account, scope.region.clone()))
}
