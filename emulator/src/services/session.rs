//! Sessions: what stands behind the keys that STS issues.
//!
//! A key id has the form of AWS's own: four letters, then ten bytes in base 32, the account in the first six of them. The
//! last two are a check that depends on the seed, so that only keys of this emulator are believed.

use crate::core::Core;
use crate::entropy::{Entropy, digest, digest_text};
use crate::http::caller::Principal;
use crate::persist::Table;
use crate::store::Txn;
use serde::{Deserialize, Serialize};

/// A session, as it is kept under its key id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) account: String,
    /// `arn:aws:sts::ACCOUNT:assumed-role/ROLE/SESSION`, or that of the user who asked.
    pub(crate) arn: String,
    /// The id of the role and the name of the session.
    pub(crate) user_id: String,
    pub(crate) secret: String,
    pub(crate) token: String,
    /// Seconds since 1970.
    pub(crate) expires: u64,
    /// In the order in which they were given.
    pub(crate) tags: Vec<(String, String)>,
}

const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// How many digits say when a session is over, before its record.
const STAMP: usize = 16;

impl Session {
    /// The session behind a key, if it was issued here.
    pub(crate) fn find(core: &Core, key: &str) -> Option<Session> {
        // Most keys are none of ours, which their form tells without a look at the state.
        account_of(key, core.options.seed)?;
        let txn = core.txn();
        let record = txn.blob(Table::Sessions, key)?.get(STAMP..)?.to_vec();
        drop(txn);
        serde_json::from_slice(&record).ok()
    }

    pub(crate) fn principal(&self) -> Principal {
        Principal { arn: self.arn.as_str().into(), user_id: self.user_id.as_str().into() }
    }

    /// Issues a key for a principal; `seconds` says how long it is good. Gives the key id and the session.
    ///
    /// Equal requests get different keys, the same ones in every run.
    pub(crate) fn issue(
        txn: &mut Txn<'_>,
        account: &str,
        principal: &Principal,
        seconds: u64,
        tags: Vec<(String, String)>,
    ) -> (String, Session) {
        let now = txn.now_ms() / 1000;
        forget(txn, now);
        let seed = txn.core().options.seed;
        let content = digest(&["session", account, &principal.arn]);
        let count = txn.occurrence(content);
        txn.count_occurrence(content);
        let parts = [&seed.to_string(), "session", account, &principal.arn, &count.to_string()];
        let mut entropy = Entropy::new(&parts);
        let key = key_of(account, entropy.below(65_536) as u32 * 128 + entropy.below(128) as u32, seed);
        let expires = now.saturating_add(seconds);
        let session = Session {
            account: account.to_owned(),
            arn: principal.arn.to_string(),
            user_id: principal.user_id.to_string(),
            secret: entropy.mixed(40),
            token: format!("IQoJ{}", entropy.mixed(200)),
            expires,
            tags,
        };
        let mut record = format!("{expires:0STAMP$}").into_bytes();
        record.extend(serde_json::to_vec(&session).unwrap_or_default());
        txn.put_blob(Table::Sessions, &key, Some(record));
        (key, session)
    }
}

/// Forgets sessions that have been over for a day.
fn forget(txn: &mut Txn<'_>, now: u64) {
    let is_old = |record: &[u8]| {
        let stamp = record.get(..STAMP).and_then(|stamp| std::str::from_utf8(stamp).ok());
        stamp.and_then(|stamp| stamp.parse::<u64>().ok()).is_none_or(|expires| expires + 86_400 < now)
    };
    let old: Vec<String> =
        txn.blobs(Table::Sessions, "").filter(|(_, record)| is_old(record)).map(|(key, _)| key.to_owned()).collect();
    for key in old {
        txn.put_blob(Table::Sessions, &key, None);
    }
}

/// The key id of an account; `number` tells its keys apart and has 23 bits.
fn key_of(account: &str, number: u32, seed: u64) -> String {
    let account: u64 = account.parse().unwrap_or_default();
    let head = (account & 0xff_ffff_ffff) << 7 | u64::from(number >> 16 & 0x7f);
    let mut bytes = head.to_be_bytes().get(2..).unwrap_or_default().to_vec();
    bytes.extend(((number & 0xffff) as u16).to_be_bytes());
    bytes.extend(check(&bytes, seed));
    format!("ASIA{}", base32(&bytes))
}

/// The account that a key id holds, if it was made by [`key_of`] with this seed.
fn account_of(key: &str, seed: u64) -> Option<String> {
    let bytes = from_base32(key.strip_prefix("ASIA")?)?;
    let (body, last) = bytes.split_at_checked(8)?;
    if check(body, seed) != last {
        return None;
    }
    let head = body.iter().take(6).fold(0u64, |head, byte| head << 8 | u64::from(*byte));
    Some(format!("{:012}", head >> 7 & 0xff_ffff_ffff))
}

/// Two bytes that follow from the others and the seed.
fn check(bytes: &[u8], seed: u64) -> [u8; 2] {
    let text = digest_text(&["key", &seed.to_string(), &format!("{bytes:?}")]);
    let byte = |at: usize| text.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    [byte(0).unwrap_or_default(), byte(2).unwrap_or_default()]
}

fn base32(bytes: &[u8]) -> String {
    let (mut text, mut held, mut bits) = (String::new(), 0u32, 0);
    for byte in bytes {
        held = held << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            let digit = ALPHABET.get((held >> bits & 31) as usize).copied().unwrap_or(b'A');
            text.push(char::from(digit));
        }
        held &= (1 << bits) - 1;
    }
    text
}

fn from_base32(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0u32, 0);
    for digit in text.bytes() {
        let value = ALPHABET.iter().position(|known| *known == digit)?;
        held = held << 5 | u32::try_from(value).ok()?;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
        held &= (1 << bits) - 1;
    }
    (bytes.len() == 10).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hold_their_account_and_only_those_of_the_seed_are_believed() {
        for account in ["000000000000", "123456789012", "999999999999"] {
            let key = key_of(account, 0x7f_1234, 7);
            assert_eq!(key.len(), 20, "{key}");
            assert_eq!(account_of(&key, 7).as_deref(), Some(account));
            assert_eq!(account_of(&key, 8), None);
        }
        for key in ["", "ASIA", "AKIDEXAMPLE", "AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "ASIA0000000000000000"] {
            assert_eq!(account_of(key, 7), None, "{key}");
        }
        assert_ne!(key_of("123456789012", 1, 7), key_of("123456789012", 2, 7));
    }
}
