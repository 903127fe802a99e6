//! Why there are no AWS credentials, and what helps: said by what the shared files and the environment hold, not by the words of
//! the SDK, which name neither profile nor file and may repeat what a program printed.

use std::error::Error as StdError;
use std::fmt;

use aws_config::profile::{Profile, ProfileFileLoadError, ProfileSet};
use aws_credential_types::provider::error::CredentialsError;
use aws_runtime::env_config::file::EnvConfigFiles;
use aws_types::os_shim_internal::{Env, Fs};

use super::causes::{causes, root};
use super::http::{never_connected, unanswered};
use crate::advice::{CHECK_NETWORK, RENEW_CREDENTIALS};
use crate::suggest;

/// Why there are no credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// What was looked for, where, and what was found instead.
    pub what: String,
    /// What helps.
    pub next: String,
}

impl fmt::Display for Lack {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}; {}", self.what, self.next)
    }
}

impl StdError for Lack {}

/// How many profiles may stand behind each other; the SDK refuses circles.
const LONGEST_CHAIN: usize = 16;

/// The profile behind the roles of the profile `name`, which has credentials itself, if one is named.
fn base<'a>(profiles: &'a ProfileSet, name: &str) -> Option<&'a Profile> {
    let mut at = profiles.get_profile(name)?;
    for _ in 0..LONGEST_CHAIN {
        let source = at.get("role_arn").and_then(|_| at.get("source_profile")).filter(|source| *source != at.name());
        let Some(next) = source.and_then(|source| profiles.get_profile(source)) else { break };
        at = next;
    }
    Some(at)
}

/// More profiles than that help nobody in a sentence.
const SHOWN: usize = 8;

/// Where credentials are looked for: the environment, and the shared files as the configuration has them.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// `aws-native:profile`.
    pub(super) profile: Option<String>,
    /// `aws-native:sharedCredentialsFile`, or its variable.
    pub(super) file: Option<String>,
    /// The shared files; `None` is the usual ones.
    pub(super) files: Option<EnvConfigFiles>,
    pub(super) env: Env,
    pub(super) fs: Fs,
}

/// How a profile says where its credentials are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Keys,
    Login,
    Process,
    Role,
    Sso,
    WebIdentity,
}

impl Source {
    fn of(profile: &Profile) -> Option<Self> {
        let has = |key: &str| profile.get(key).is_some();
        [
            (has("sso_session") || has("sso_start_url"), Self::Sso),
            (has("credential_process"), Self::Process),
            (has("web_identity_token_file"), Self::WebIdentity),
            (has("role_arn"), Self::Role),
            (has("login_session"), Self::Login),
            (has("aws_access_key_id") || has("aws_secret_access_key"), Self::Keys),
        ]
        .into_iter()
        .find_map(|(there, source)| there.then_some(source))
    }
}

impl Places {
    /// What is wrong with the configured profile before anything is asked of it: no file has it.
    pub(super) async fn without_profile(&self) -> Option<Lack> {
        let name = self.profile.as_deref()?;
        match self.profiles(name).await {
            Ok(profiles) if profiles.get_profile(name).is_none() => Some(self.no_profile(name, &profiles)),
            Ok(_) | Err(_) => None,
        }
    }

    /// Why looking ended with this error; `None`: it did not end in time.
    pub(super) async fn lack(&self, error: Option<&CredentialsError>) -> Lack {
        let named = self.profile.clone().or_else(|| self.variable("AWS_PROFILE"));
        let name = named.clone().unwrap_or_else(|| "default".to_owned());
        if let Some(lack) = self.unreadable() {
            return lack;
        }
        let profiles = match self.profiles(&name).await {
            Ok(profiles) => profiles,
            Err(error) => {
                return Lack {
                    what: format!("the shared files of AWS, {}, cannot be read: {}", self.paths(), root(&error)),
                    next: "correct the file".to_owned(),
                };
            }
        };
        let profile = profiles.get_profile(&name);
        if let Some(source) = profile.and_then(Source::of) {
            return self.of_profile(&name, source, error, base(&profiles, &name));
        }
        if let Some(name) = named {
            let lack = match profile {
                Some(_) => self.empty_profile(&name),
                None => self.no_profile(&name, &profiles),
            };
            // Other sources may have been meant, where only the environment names the profile.
            return match self.profile {
                Some(_) => lack,
                None => Lack { what: format!("{}, and no other source has credentials", lack.what), ..lack },
            };
        }
        self.of_surroundings(error)
    }

    fn of_profile(&self, name: &str, source: Source, error: Option<&CredentialsError>, base: Option<&Profile>) -> Lack {
        let profile = format!("the AWS profile `{name}`{}", self.origin());
        let Some(error) = error else {
            return Lack {
                what: format!("{profile} gave no credentials in time"),
                next: match source {
                    Source::Process => self.try_process(name),
                    Source::Keys | Source::Login | Source::Role | Source::Sso | Source::WebIdentity => {
                        CHECK_NETWORK.to_owned()
                    }
                },
            };
        };
        if never_connected(error) {
            return Lack {
                what: format!("{profile} gave no credentials: {}", unanswered(error)),
                next: CHECK_NETWORK.to_owned(),
            };
        }
        match source {
            Source::Sso if is_of_session(error) => Lack {
                what: format!("{profile} has no SSO session that counts: it has ended, or was never begun"),
                next: format!("run `aws sso login --profile {name}`, then the command again"),
            },
            Source::Sso => Lack {
                what: format!("the SSO role of {profile} cannot be used: {}", root(error)),
                next: "check sso_account_id, sso_role_name and sso_region of the profile, and that the role is assigned to \
                       you"
                    .to_owned(),
            },
            // What a program prints may be secret.
            Source::Process => {
                Lack { what: format!("the credential_process of {profile} failed"), next: self.try_process(name) }
            }
            Source::Login => Lack {
                what: format!("{profile} has a login_session, which this version of the provider cannot use"),
                next: format!(
                    "put its credentials into the environment with `eval \"$(aws configure export-credentials --profile \
                     {name} --format env)\"`, or use another profile"
                ),
            },
            Source::Role => self.of_role(&profile, error, base),
            Source::WebIdentity => Lack {
                what: format!("the web identity of {profile} cannot be used: {}", root(error)),
                next: "check web_identity_token_file and role_arn of the profile, and the trust policy of the role"
                    .to_owned(),
            },
            Source::Keys => Lack {
                what: format!("the keys of {profile} cannot be used: {}", root(error)),
                next: "give it both aws_access_key_id and aws_secret_access_key".to_owned(),
            },
        }
    }

    /// Why a role of `profile` was not had: by what has the credentials behind it, or by the role itself.
    fn of_role(&self, profile: &str, error: &CredentialsError, base: Option<&Profile>) -> Lack {
        match base.and_then(|base| Some((base.name(), Source::of(base)?))) {
            Some((base, Source::Sso)) if is_of_session(error) => Lack {
                what: format!(
                    "the profile `{base}` behind the role of {profile} has no SSO session that counts: it has ended, or was \
                     never begun"
                ),
                next: format!("run `aws sso login --profile {base}`, then the command again"),
            },
            // What a program prints may be secret, and nothing tells whether it was the program that failed.
            Some((base, Source::Process)) => Lack {
                what: format!("the role of {profile} cannot be assumed with the credential_process of `{base}`"),
                next: format!(
                    "run `aws sts get-caller-identity --profile {base}` to see whether the program gives credentials; if so, \
                     check role_arn of the profile and the trust policy of the role"
                ),
            },
            _ => Lack {
                what: format!("the role of {profile} cannot be assumed: {}", root(error)),
                next:
                    "check role_arn, source_profile and credential_source of the profile, and the trust policy of the \
                     role"
                        .to_owned(),
            },
        }
    }

    fn try_process(&self, name: &str) -> String {
        format!(
            "run the command that `aws configure get credential_process --profile {name}` shows by hand, and see what it \
             says"
        )
    }

    fn empty_profile(&self, name: &str) -> Lack {
        Lack {
            what: format!("the AWS profile `{name}`{} has no credentials in {}", self.origin(), self.paths()),
            next: format!("give it some with `aws configure --profile {name}` or `aws configure sso --profile {name}`"),
        }
    }

    fn no_profile(&self, name: &str, profiles: &ProfileSet) -> Lack {
        let mut names: Vec<&str> = profiles.profiles().collect();
        names.sort_unstable();
        let meant = suggest::closest(name, names.iter().copied());
        let left = names.len().saturating_sub(SHOWN);
        let mut shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        if left > 0 {
            shown.push_str(&format!(" and {left} more"));
        }
        let there = if shown.is_empty() { "no profiles at all".to_owned() } else { format!("the profiles {shown}") };
        let key = if self.profile.is_some() { "`aws-native:profile`" } else { "`AWS_PROFILE`" };
        Lack {
            what: format!("there is no AWS profile `{name}`{}: {} have {there}", self.origin(), self.paths()),
            next: match meant {
                Some(meant) => {
                    format!("did you mean `{meant}`? Correct {key}, or make the profile with `aws configure`")
                }
                None => format!("correct {key}, or make the profile with `aws configure`"),
            },
        }
    }

    /// What the sources beside the shared files lack.
    fn of_surroundings(&self, error: Option<&CredentialsError>) -> Lack {
        let has = |name: &str| self.variable(name).is_some();
        let reason = match error {
            None => "it did not answer in time".to_owned(),
            Some(error) if never_connected(error) => unanswered(error),
            Some(error) => root(error),
        };
        if has("AWS_ACCESS_KEY_ID") != has("AWS_SECRET_ACCESS_KEY") {
            let (there, missing) = match has("AWS_ACCESS_KEY_ID") {
                true => ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
                false => ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"),
            };
            return Lack {
                what: format!("{there} is set in the environment, {missing} is not"),
                next: format!("set {missing} too, or remove {there}"),
            };
        }
        if has("AWS_WEB_IDENTITY_TOKEN_FILE") && has("AWS_ROLE_ARN") {
            return Lack {
                what: format!("the web identity of AWS_WEB_IDENTITY_TOKEN_FILE cannot be used: {reason}"),
                next:
                    "check that the file is there and not too old, and that the role of AWS_ROLE_ARN trusts its issuer"
                        .to_owned(),
            };
        }
        if has("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") || has("AWS_CONTAINER_CREDENTIALS_FULL_URI") {
            return Lack {
                what: format!("the endpoint for credentials of this container gave none: {reason}"),
                next: "check the role of the task or pod".to_owned(),
            };
        }
        Lack { what: NOTHING_FOUND.to_owned(), next: SET_ONE.to_owned() }
    }

    /// Why the configured file cannot be read; the SDK says so only once.
    fn unreadable(&self) -> Option<Lack> {
        let file = self.file.as_ref()?;
        let error = std::fs::File::open(file).err()?;
        Some(Lack {
            what: format!("the credentials file {file} cannot be read: {error}"),
            next: "correct `aws-native:sharedCredentialsFile`, or `AWS_SHARED_CREDENTIALS_FILE`".to_owned(),
        })
    }

    async fn profiles(&self, name: &str) -> Result<ProfileSet, ProfileFileLoadError> {
        let usual = EnvConfigFiles::default();
        let files = self.files.as_ref().unwrap_or(&usual);
        aws_config::profile::load(&self.fs, &self.env, files, Some(name.to_owned().into())).await
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.env.get(name).ok().filter(|text| !text.is_empty())
    }

    /// Who names the profile, as an aside.
    fn origin(&self) -> &'static str {
        match (&self.profile, self.variable("AWS_PROFILE")) {
            (Some(_), _) => " (`aws-native:profile`)",
            (None, Some(_)) => " (`AWS_PROFILE`)",
            (None, None) => "",
        }
    }

    /// The files that are looked into.
    fn paths(&self) -> String {
        let home = self.variable("HOME").unwrap_or_else(|| "~".to_owned());
        let usual = |name: &str| format!("{}/.aws/{name}", home.trim_end_matches('/'));
        let config = self.variable("AWS_CONFIG_FILE").unwrap_or_else(|| usual("config"));
        let credentials = self.file.clone().or_else(|| self.variable("AWS_SHARED_CREDENTIALS_FILE"));
        format!("{config} and {}", credentials.unwrap_or_else(|| usual("credentials")))
    }
}

/// Whether an error of SSO is about the session, rather than about the role.
fn is_of_session(error: &CredentialsError) -> bool {
    const WORDS: [&str; 4] = ["SSO token", "sso/cache", "UnauthorizedException", "Session token not found"];
    causes(error).any(|cause| {
        let text = cause.to_string();
        WORDS.iter().any(|words| text.contains(words))
    })
}

/// What is said when no source has anything.
const NOTHING_FOUND: &str = "no AWS credentials found; tried, in this order: accessKey and secretKey of the configuration, the configured profile, \
     AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the shared files (AWS_PROFILE or default), web identity \
     (AWS_WEB_IDENTITY_TOKEN_FILE), the container endpoint and EC2 instance metadata";
const SET_ONE: &str = "set one of them, for example with `aws configure` or `aws sso login`";

impl Lack {
    /// For an error of credentials that did not come from [`Places`].
    pub(super) fn other(error: &(dyn StdError + 'static)) -> Self {
        Self {
            what: format!("the AWS credentials cannot be used: {}", root(error)),
            next: RENEW_CREDENTIALS.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
