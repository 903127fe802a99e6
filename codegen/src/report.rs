//! What a maintainer may want to look at after a run.

use crate::docs::coverage::Coverage;
use crate::example::Examples;
use crate::merge::MergeReport;
use crate::package::{Package, TypeDefinition};
use crate::resource::Resource;
use crate::skip::Skip;
use metadata::model::TagsStyle;
use serde::Serialize;
use std::collections::BTreeMap;

/// The findings of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How much was made.
    pub counts: Counts,
    /// Resources for which no name is generated, with the inputs that there are to choose from.
    pub missed_autonaming: BTreeMap<String, MissedAutonaming>,
    /// Resources whose tags property has a shape that nothing is known about, or does not exist at top level; the value
    /// is the property's SDK path.
    pub unexpected_tag_shapes: BTreeMap<String, String>,
    /// Create-only paths of a resource that the package schema cannot mark. The runtime knows them all the same.
    pub unmarked_create_only: BTreeMap<String, Vec<String>>,
    /// Types that found their token taken, by another type or in the name lock: the token they wanted and the one they got.
    pub renamed_types: BTreeMap<String, String>,
    /// Resources whose schema has a fault that does not keep them from being generated; a sentence per fault.
    pub warnings: BTreeMap<String, Vec<String>>,
    /// Regions in the package whose description stands nowhere; `codegen/data/regions.json` is the place for it.
    pub undescribed_regions: Vec<String>,
    /// Where several sources do not agree, when the schemas come from several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<MergeReport>,
    /// How well the examples fit.
    pub examples: Examples,
    /// How many properties have a description.
    pub coverage: Coverage,
}

/// A resource for which no name is generated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedAutonaming {
    /// CloudFormation type name.
    pub cf_type_name: String,
    /// SDK names of its inputs.
    pub inputs: Vec<String>,
}

/// How much a run made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Resources, the hand-written ones included.
    pub resources: usize,
    /// Functions, the hand-written ones included.
    pub functions: usize,
    /// Object types.
    pub object_types: usize,
    /// Enum types.
    pub enum_types: usize,
    /// Schemas of types that Cloud Control does not manage.
    pub not_provisionable: usize,
    /// Schemas that something is wrong with.
    pub defective: usize,
}

impl Report {
    pub(crate) fn add(&mut self, resource: &Resource) {
        let token = &resource.names.token;
        if resource.model.auto_name.is_none() {
            let missed = MissedAutonaming {
                cf_type_name: resource.model.cfn_type.clone(),
                inputs: resource.spec.inputs.keys().cloned().collect(),
            };
            self.missed_autonaming.insert(token.clone(), missed);
        }
        if let Some(tags) = resource.model.tags.as_ref().filter(|tags| tags.style == TagsStyle::Unknown) {
            self.unexpected_tag_shapes.insert(token.clone(), tags.property.clone());
        }
        if !resource.findings.unmarked.is_empty() {
            self.unmarked_create_only.insert(token.clone(), resource.findings.unmarked.clone());
        }
        self.renamed_types.extend(resource.findings.renamed_types.iter().cloned());
        if !resource.findings.warnings.is_empty() {
            self.warnings.insert(token.clone(), resource.findings.warnings.clone());
        }
    }

    pub(crate) fn count(&mut self, package: &Package, skips: &[Skip]) {
        let is_object = |definition: &&TypeDefinition| matches!(definition, TypeDefinition::Object(_));
        let object_types = package.types.values().filter(is_object).count();
        let defective = skips.iter().filter(|skip| skip.reason.is_defect()).count();
        self.counts = Counts {
            resources: package.resources.len(),
            functions: package.functions.len(),
            object_types,
            enum_types: package.types.len() - object_types,
            not_provisionable: skips.len() - defective,
            defective,
        };
    }
}
