//! Which schemas a command works on, from its options.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use codegen::data;
use codegen::fetch::aws::{self, Site};
use codegen::fetch::origin::{Origin, Place};

use super::InputArgs;
use super::workspace::Workspace;

/// Where the schemas come from.
#[derive(Debug)]
pub enum Choice {
    /// The pinned package.
    Pinned,
    /// What the user names.
    Named {
        /// Folders and archives, in the order in which they win.
        places: Vec<Place>,
        /// The regions among them whose archives come from AWS.
        from_aws: Vec<String>,
    },
}

impl Choice {
    /// What the user's options mean.
    ///
    /// # Errors
    ///
    /// When they contradict each other.
    pub fn of(input: &InputArgs, workspace: &Workspace) -> Result<Self> {
        if input.source.is_empty() && input.region.is_empty() {
            return Ok(Self::Pinned);
        }
        let known = data::regions();
        let known: Vec<&str> = known.iter().map(|region| region.name.as_str()).collect();
        let (mut places, mut from_aws) = (Vec::new(), Vec::new());
        for source in &input.source {
            match Origin::parse(source, &known) {
                Origin::Path { region, path } => places.push(Place { region, path }),
                Origin::Aws => {
                    let default = [aws::DEFAULT_REGION.to_owned()];
                    let regions = if input.region.is_empty() { &default[..] } else { &input.region };
                    for region in regions {
                        Site::Aws.url(region)?;
                        let path = aws::archive(&workspace.aws_download(), region);
                        places.push(Place { region: Some(region.clone()), path });
                        from_aws.push(region.clone());
                    }
                }
            }
        }
        if from_aws.is_empty() && !input.region.is_empty() {
            bail!("--region says which archives of AWS to take; it needs --source aws");
        }
        let mut names = BTreeSet::new();
        if let Some(place) = places.iter().find(|place| !names.insert(place.to_string())) {
            bail!(
                "two sources are called {place}; name each region once, with REGION=PATH where the file name misleads"
            );
        }
        Ok(Self::Named { places, from_aws })
    }

    /// Whether these are the schemas that the files under version control are about.
    pub fn is_pinned(&self) -> bool {
        match self {
            Self::Pinned => true,
            Self::Named { .. } => false,
        }
    }

    /// The regions whose archives come from AWS.
    pub fn regions_of_aws(&self) -> &[String] {
        match self {
            Self::Pinned => &[],
            Self::Named { from_aws, .. } => from_aws,
        }
    }
}
