//! Generated names: for a resource that gets no name from the program.
//!
//! Names are byte for byte those of the Go provider for the same seed, since any other name would replace resources.
//! All lengths are bytes, as in the Go provider. Schemas count characters, so that a name outside ASCII comes out shorter
//! than allowed, never longer.

mod random;
mod stems;

use metadata::model::{NameForm, Separator};
use metadata::view::{AutoName, SuffixRule};
use value::{Map, Value};

use crate::requests::{AutoNamingSettings, EngineNaming, EngineNamingMode};
use crate::validate::Characters;

pub use stems::stems;

/// The fewest random characters of a generated name, unless its longest length leaves less room.
const RANDOM_LENGTH: usize = 7;

/// The most random characters that a setting may ask for; a name of which AWS takes that many does not exist.
const MOST_RANDOM: usize = 256;

/// Why no name could be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NamingError {
    /// Both the engine and the provider's configuration say how to name.
    #[error("pulumi:autonaming conflicts with provider autonaming configuration, please specify only one")]
    Conflict,
    /// The engine's proposal is too long.
    #[error("proposed name {name:?} exceeds max length of {max}")]
    ProposalTooLong {
        /// The proposal, suffix included.
        name: String,
        /// The longest allowed length.
        max: usize,
    },
    /// The engine's proposal is too short.
    #[error("proposed name {name:?} is shorter than min length of {min}")]
    ProposalTooShort {
        /// The proposal, suffix included.
        name: String,
        /// The shortest allowed length.
        min: usize,
    },
    /// The logical name leaves no room for random characters.
    #[error(
        "failed to auto-generate value for {property:?}. Prefix: {prefix:?} is too large to fix max length constraint \
         of {max}{cause}. Please provide a value for {property:?}"
    )]
    NoRoom {
        /// The property to set instead.
        property: &'static str,
        /// What the name had to begin with.
        prefix: String,
        /// The longest allowed length.
        max: usize,
        /// What else needs room, as a continuation of the sentence.
        cause: String,
    },
}

/// How names are to be made for one resource.
#[derive(Debug, Clone, Copy)]
pub struct Naming<'a> {
    /// What the resource's metadata says.
    pub spec: AutoName,
    /// The resource's name in the program.
    pub logical_name: &'a str,
    /// The engine's options.
    pub engine: Option<&'a EngineNaming>,
    /// The provider's configuration.
    pub settings: Option<AutoNamingSettings>,
    /// What determines the random characters.
    pub seed: &'a [u8],
    /// What the schema demands of the characters of names.
    pub characters: Option<Characters<'a>>,
}

impl Naming<'_> {
    /// Gives `news` a name unless it has one: the one of `olds`, else a new one.
    ///
    /// # Errors
    ///
    /// See [`NamingError`].
    pub fn apply(self, olds: &Map, news: &mut Map) -> Result<(), NamingError> {
        let property = self.spec.property;
        if news.contains_key(property) {
            return Ok(());
        }
        let old = olds.get(property).filter(|old| matches!(old.unsecret(), Value::String(_)));
        let name = match old {
            // A name that was secret stays so, under one mark.
            Some(old) if old.is_secret() => Value::secret(old.unsecret().clone()),
            Some(old) => old.clone(),
            None => match self.name(news)? {
                Some(name) => name.into(),
                None => return Ok(()),
            },
        };
        news.insert(property.to_owned(), name);
        Ok(())
    }

    fn name(self, news: &Map) -> Result<Option<String>, NamingError> {
        let suffix = self.spec.suffix_rule.filter(|rule| applies(*rule, news)).map_or("", |rule| rule.suffix);
        let Some(engine) = self.engine else {
            return self.fitting(self.logical_name, |stem| self.generate(stem, suffix)).map(Some);
        };
        if self.settings.is_some() {
            return Err(NamingError::Conflict);
        }
        match engine.mode {
            EngineNamingMode::Disable => Ok(None),
            EngineNamingMode::Enforce => Ok(Some(engine.proposed.clone())),
            EngineNamingMode::Propose => self
                .fitting(&engine.proposed, |proposed| {
                    self.check_proposal(with_suffix(in_form(self.spec.form, proposed.to_owned()), suffix))
                })
                .map(Some),
        }
    }

    /// What `make` makes of the name, or of one of its other [`stems`] where the service refuses that, and not the other.
    fn fitting(self, name: &str, make: impl Fn(&str) -> Result<String, NamingError>) -> Result<String, NamingError> {
        let first = make(name)?;
        let Some(characters) = self.characters.filter(|characters| !characters.take(&first)) else { return Ok(first) };
        let mut others = stems(self.spec.form, name).into_iter().filter_map(|stem| make(&stem).ok());
        Ok(others.find(|name| characters.take(name)).unwrap_or(first))
    }

    fn check_proposal(self, name: String) -> Result<String, NamingError> {
        let (min, max) = (self.spec.min_length as usize, self.spec.max_length as usize);
        if max > 0 && name.len() > max {
            return Err(NamingError::ProposalTooLong { name, max });
        }
        if name.len() < min {
            return Err(NamingError::ProposalTooShort { name, min });
        }
        Ok(name)
    }

    fn generate(self, stem: &str, suffix: &str) -> Result<String, NamingError> {
        let settings = self.settings.unwrap_or_default();
        let (min, max) = (self.spec.min_length as usize, self.spec.max_length as usize);
        let fewest = settings.random_suffix_min_length.clamp(1, MOST_RANDOM);
        let mut prefix = in_form(self.spec.form, format!("{stem}-"));
        let mut random = RANDOM_LENGTH.max(fewest).max(min.saturating_sub(prefix.len() + suffix.len()));
        if max > 0 {
            let mut left = max.saturating_sub(prefix.len() + suffix.len());
            if left < fewest && settings.auto_trim {
                match max.saturating_sub(suffix.len() + fewest) {
                    0 if left == 0 => {
                        return Err(self.no_room(prefix, format!(" with required suffix length {fewest}")));
                    }
                    // No name has that many: it gets what there is room for.
                    0 => {}
                    budget => {
                        prefix = trim_middle(&prefix, budget);
                        left = fewest;
                        random = fewest;
                    }
                }
            }
            if left == 0 {
                let cause = match suffix {
                    "" => String::new(),
                    suffix => format!(" with required suffix {suffix:?}"),
                };
                return Err(self.no_room(prefix, cause));
            }
            random = random.min(left);
        }
        let characters = random::hex(self.seed, random);
        Ok(with_suffix(prefix + &characters, suffix))
    }

    fn no_room(self, prefix: String, cause: String) -> NamingError {
        NamingError::NoRoom { property: self.spec.property, prefix, max: self.spec.max_length as usize, cause }
    }
}

/// Whether the inputs demand the suffix. An input that is not known yet counts as a match, a secret one as its value.
fn applies(rule: SuffixRule, news: &Map) -> bool {
    news.get(rule.field).is_some_and(|value| match value.unsecret() {
        Value::Bool(flag) => *flag == rule.equals,
        other => other.is_unknown(),
    })
}

/// The name in characters that the service takes: without capitals, and with another separator, where it refuses those.
/// A name that the service takes as it is stays byte for byte.
fn in_form(form: NameForm, name: String) -> String {
    let name = if form.lower_case { name.to_lowercase() } else { name };
    match form.separator {
        Separator::Dash => name,
        Separator::Underscore => name.replace('-', "_"),
        Separator::Nothing => name.replace('-', ""),
    }
}

fn with_suffix(name: String, suffix: &str) -> String {
    let has_it = name.len() > suffix.len() && name.ends_with(suffix);
    if has_it { name } else { name + suffix }
}

/// The first half and the last half of what fits `budget` bytes; never inside a character.
fn trim_middle(name: &str, budget: usize) -> String {
    let head = name.floor_char_boundary(budget / 2);
    let tail = name.ceil_char_boundary(name.len().saturating_sub(budget - budget / 2));
    format!("{}{}", &name[..head], &name[tail..])
}

/// Whether a name looks like one that was generated for the resource with this logical name: its beginning and end, and
/// random characters after it.
///
/// When in doubt it does not. A name of the user's that is taken for a generated one makes a replacement fail; the other
/// way round, the old resource only goes first without need. So there must be as many characters as are drawn by
/// default, or, since a setting can ask for more, more that are neither a date or an account's number nor a word. Names
/// that the engine makes of other patterns than `${name}-${hex(n)}` count as the user's: `bucket-backup` may be one of
/// `${name}-${alphanum(6)}`.
pub fn looks_generated(logical_name: &str, name: &str) -> bool {
    let name = name.strip_suffix(".fifo").unwrap_or(name);
    random_parts(NameForm::default(), logical_name, name).into_iter().any(is_drawn_freely)
}

/// [`looks_generated`] for a property of which it is known how its names are made: where a limit leaves no choice, fewer
/// or more characters are drawn.
pub fn looks_generated_by(spec: AutoName, logical_name: &str, name: &str) -> bool {
    let is_limit = |length: u32| length as usize == name.len();
    let short = spec.suffix_rule.and_then(|rule| name.strip_suffix(rule.suffix)).unwrap_or(name);
    random_parts(spec.form, logical_name, short).into_iter().any(|random| match random.len() {
        1..RANDOM_LENGTH => is_limit(spec.max_length),
        _ => is_drawn_freely(random) || is_limit(spec.max_length) || is_limit(spec.min_length),
    })
}

/// [`random_part`] for each of the stems that a name may have been made of.
fn random_parts<'n>(form: NameForm, logical_name: &str, name: &'n str) -> Vec<&'n str> {
    let others = stems(form, logical_name);
    let stems = std::iter::once(logical_name).chain(others.iter().map(String::as_str));
    stems.filter_map(|stem| random_part(form, stem, name)).collect()
}

/// The random characters of a name whose beginning is that of a generated one; never empty.
fn random_part<'n>(form: NameForm, logical_name: &str, name: &'n str) -> Option<&'n str> {
    let prefix = in_form(form, format!("{logical_name}-"));
    let random = name.strip_prefix(&prefix).or_else(|| {
        // A trimmed stem keeps the first half and the last half of the prefix, the separator at its end included. Where
        // nothing separates, nothing tells where the random characters begin.
        let separator = prefix.chars().last().filter(|_| form.separator != Separator::Nothing)?;
        let start = name.rfind(separator)? + separator.len_utf8();
        let (stem, random) = name.split_at_checked(start)?;
        (stem.len() < prefix.len() && trim_middle(&prefix, stem.len()) == stem).then_some(random)
    })?;
    let is_hex = random.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
    (is_hex && !random.is_empty()).then_some(random)
}

/// Whether characters are as many as are drawn where no limit interferes: seven, or more that are not all digits, as dates and
/// numbers of accounts are, and not all letters, as words are.
pub fn is_drawn_freely(random: &str) -> bool {
    let digits = random.bytes().filter(u8::is_ascii_digit).count();
    match random.len() {
        RANDOM_LENGTH => true,
        length => length > RANDOM_LENGTH && digits > 0 && digits < length,
    }
}

#[cfg(test)]
mod tests;
