//! A whole run: schemas in, package schema, metadata and report out. Nothing is read or written here.

use crate::availability::Availability;
use crate::data::Region;
use crate::docs::coverage::Coverage;
use crate::docs::{self, Docs};
use crate::emit::names::rust_names;
use crate::example::values::TooLarge;
use crate::example::{self, Example};
use crate::header;
use crate::merge::MergeReport;
use crate::names::{Claims, NameLock, Resolver};
use crate::package::{Package, Text};
use crate::report::Report;
use crate::resource::{self, Resource};
use crate::runtime::RuntimeResource;
use crate::semantics::{Effects, Semantics, Unused};
use crate::skip::{Skip, SkipReason};
use crate::supported::Supported;
use crate::tokens::Names;
use crate::trace::ResourceTrace;
use cfn::ResourceSchema;
use cfn::schema::{Fault, document, faults};
use metadata::model;
use serde_json::Value;
use std::collections::BTreeMap;

/// One schema file, read.
#[derive(Debug)]
pub struct Source {
    /// The file's name, for messages.
    pub file: String,
    /// The schema, or why it cannot be read.
    pub schema: Result<ResourceSchema, SkipReason>,
    /// What looks wrong in the document although it can be read.
    pub faults: Vec<Fault>,
}

impl Source {
    /// Reads the schema in a document, which is consumed.
    pub fn from_document(file: impl Into<String>, document: Value) -> Source {
        let faults = faults(&document);
        Source { file: file.into(), schema: ResourceSchema::from_value(document).map_err(SkipReason::from), faults }
    }

    /// Reads the schema in a text.
    pub fn from_slice(file: impl Into<String>, text: &[u8]) -> Source {
        match document(text) {
            Ok((document, repeated)) => Source::from_document(file, document).with_faults(repeated),
            Err(error) => Source::unusable(file, error.into()),
        }
    }

    /// The same with more faults, put in front.
    pub fn with_faults(self, mut more: Vec<Fault>) -> Source {
        more.extend(self.faults);
        Source { faults: more, ..self }
    }

    /// A file without a schema, and why.
    pub fn unusable(file: impl Into<String>, reason: SkipReason) -> Source {
        Source { file: file.into(), schema: Err(reason), faults: Vec::new() }
    }
}

/// Everything that a run depends on.
#[derive(Debug)]
pub struct Input {
    /// The schemas, in any order.
    pub sources: Vec<Source>,
    /// Which types are generated.
    pub supported: Supported,
    /// The regions that have a description.
    pub regions: Vec<Region>,
    /// Which type is offered in which region. Regions that only this knows join the region enum.
    pub availability: Availability,
    /// What services do that no schema states.
    pub semantics: Semantics,
    /// Where several sources do not agree, when the schemas come from several.
    pub merge: Option<MergeReport>,
    /// The documentation source, which may be empty.
    pub docs: Docs,
    /// What that source is, or why there is none, for the report.
    pub docs_source: String,
    /// Whether to trace how names and types come about.
    pub trace: bool,
    /// Whether to keep what the published metadata layout needs, see [`Output::runtime`].
    pub runtime: bool,
    /// Names that were published and whose they are. With `None`, names are what the published rule alone gives, in which
    /// a resource type that joins a module can take the name of another's type.
    pub names: Option<NameLock>,
}

impl Input {
    /// The schemas with the committed tables; nothing is known about regions, nothing beyond the schemas, and no name is
    /// locked.
    pub fn new(sources: Vec<Source>) -> Input {
        Input {
            sources,
            supported: Supported::Handlers { extras: crate::data::supported_extras() },
            regions: crate::data::regions(),
            availability: Availability::default(),
            semantics: Semantics::default(),
            merge: None,
            docs: Docs::default(),
            docs_source: "the schemas alone".to_owned(),
            trace: false,
            runtime: true,
            names: None,
        }
    }
}

/// What a run makes.
#[derive(Debug)]
pub struct Output {
    /// The package schema.
    pub package: Package,
    /// The runtime metadata, sorted by token.
    pub resources: Vec<model::Resource>,
    /// What the published metadata layout needs beyond `package`, by resource token; empty unless that was asked for.
    pub runtime: BTreeMap<String, RuntimeResource>,
    /// Schemas that became no resource, sorted by type name and file.
    pub skips: Vec<Skip>,
    /// What a maintainer may want to look at.
    pub report: Report,
    /// Which type is offered in which region, as it was given.
    pub availability: Availability,
    /// How names and types came about, by resource in the order of processing; empty unless that was asked for.
    pub traces: Vec<ResourceTrace>,
    /// Entries of the semantics that changed nothing, in order of place.
    pub unused: Vec<Unused>,
    /// Whose the types are, by token; those that are written by hand are nobody's.
    pub claims: BTreeMap<String, Claims>,
    /// The locked names, as they were given. [`NameLock::after`] makes those after this run.
    pub names: Option<NameLock>,
}

/// Generates everything from `input`.
///
/// Schemas are taken in order of type name, whatever the order of `input`, because the later one decides
/// where two resources give one nested type different contents. A schema that cannot be used is skipped with its reason and
/// leaves no trace in the output.
pub fn generate(input: Input) -> Output {
    let mut run = Run::new(&input);
    let mut resolver = Resolver::new(input.names.as_ref());
    let mut sources = input.sources;
    sources.sort_by(|a, b| (type_name(a), &a.file).cmp(&(type_name(b), &b.file)));
    let mut siblings = docs::describe::Siblings::default();
    sources.iter().filter_map(|source| source.schema.as_ref().ok()).for_each(|schema| siblings.add(schema));
    let mut last: Option<(String, String)> = None;
    for Source { file, schema, faults } in sources {
        let mut schema = match schema {
            Ok(schema) => schema,
            Err(error) => {
                run.skip(error.type_name().map(str::to_owned), file, error);
                continue;
            }
        };
        let name = schema.type_name.to_string();
        if let Some((_, first)) = last.as_ref().filter(|(last, _)| *last == name) {
            run.skip(Some(name), file, SkipReason::Duplicate { first: first.clone() });
            continue;
        }
        last = Some((name.clone(), file.clone()));
        if let Some(reason) = input.supported.refuse(&schema) {
            run.skip(Some(name), file, reason);
            continue;
        }
        docs::describe::describe(&mut schema, &input.docs, &siblings);
        let names = resolver.names(&schema.type_name, |names| run.owner_of_name(names).is_some());
        if let Some(first) = run.owner_of_name(&names) {
            run.skip(Some(name), file, SkipReason::NameTaken { name: names.token, first });
            continue;
        }
        let traced_file = input.trace.then_some(file.as_str());
        match resource::assemble(&schema, names, &resolver, &run.package.types, &input.semantics, traced_file) {
            Ok(mut resource) => {
                let at = |fault: Fault| format!("{name} ({file}) at {}: {}", fault.pointer, fault.what);
                resource.findings.warnings.extend(faults.into_iter().map(at));
                resolver.add_substitutes(std::mem::take(&mut resource.substitutes));
                run.add(resource);
            }
            Err(error) => run.skip(Some(name), file, error.into()),
        }
    }
    let output = run.finish(input.availability, &input.docs_source, &input.semantics);
    Output { names: input.names, ..output }
}

fn type_name(source: &Source) -> &str {
    match &source.schema {
        Ok(schema) => schema.type_name.as_str(),
        Err(error) => error.type_name().unwrap_or_default(),
    }
}

/// What joins a resource's description once all types are known.
struct Page {
    import: Option<String>,
    example: Result<Example, TooLarge>,
}

struct Run {
    /// By resource token.
    pages: BTreeMap<String, Page>,
    package: Package,
    namespaces: BTreeMap<String, String>,
    resources: Vec<model::Resource>,
    keeps_runtime: bool,
    runtime: BTreeMap<String, RuntimeResource>,
    skips: Vec<Skip>,
    report: Report,
    effects: Effects,
    /// CloudFormation type by generated Rust module and static.
    rust_names: BTreeMap<(String, String), String>,
    traces: Vec<ResourceTrace>,
    claims: BTreeMap<String, Claims>,
}

impl Run {
    fn new(input: &Input) -> Run {
        Run {
            pages: header::examples()
                .map(|(token, inputs)| {
                    (token.to_owned(), Page { import: None, example: Ok(Example { inputs, breaches: None }) })
                })
                .into(),
            package: header::package(&input.availability.complete(input.regions.clone())),
            namespaces: BTreeMap::new(),
            resources: Vec::new(),
            keeps_runtime: input.runtime,
            runtime: BTreeMap::new(),
            skips: Vec::new(),
            effects: Effects::default(),
            report: Report {
                undescribed_regions: input.availability.undescribed(&input.regions),
                merge: input.merge.clone(),
                ..Report::default()
            },
            rust_names: BTreeMap::new(),
            traces: Vec::new(),
            claims: BTreeMap::new(),
        }
    }

    /// What has one of the names that a resource would get already: what the package itself brings, or an earlier type.
    fn owner_of_name(&self, names: &Names) -> Option<String> {
        let rust_owner = rust_names(&names.token).and_then(|rust_names| self.rust_names.get(&rust_names));
        let is_resource = self.package.resources.contains_key(&names.token).then_some(&names.token);
        let is_function = self.package.functions.contains_key(&names.getter).then_some(&names.getter);
        rust_owner.or(is_resource).or(is_function).cloned()
    }

    fn skip(&mut self, type_name: Option<String>, file: String, reason: SkipReason) {
        self.skips.push(Skip { type_name, file, reason });
    }

    /// Lets a resource join the package.
    fn add(&mut self, resource: Resource) {
        self.report.add(&resource);
        if let Some(rust_names) = rust_names(&resource.names.token) {
            self.rust_names.insert(rust_names, resource.model.cfn_type.clone());
        }
        let Resource { names, import, example, spec, getter, types, model, runtime, findings, claims, trace, .. } =
            resource;
        self.traces.extend(trace);
        for (token, claims) in claims {
            self.claims.entry(token).or_default().extend(claims);
        }
        self.pages.insert(names.token.clone(), Page { import, example });
        self.effects.extend(findings.effects);
        let types = types.into_iter().map(|(token, registered)| (token, registered.definition));
        self.package.types.extend(types);
        if let Some(getter) = getter {
            self.package.functions.insert(names.getter, getter);
        }
        self.namespaces.insert(names.module, names.display_module);
        self.package.resources.insert(names.token.clone(), spec);
        if self.keeps_runtime {
            self.runtime.insert(names.token, runtime);
        }
        self.resources.push(model);
    }

    /// Writes examples and the forms of identifiers into the descriptions of resources.
    fn write_pages(&mut self) {
        for (token, Page { import, example }) in std::mem::take(&mut self.pages) {
            let example = match example::section(&self.package, &token, example) {
                Ok((section, example)) => {
                    self.report.examples.add(token.clone(), example.breaches.as_deref());
                    Some(section)
                }
                Err(reason) => {
                    self.report.examples.without.insert(token.clone(), reason);
                    None
                }
            };
            let Some(resource) = self.package.resources.get_mut(&token) else { continue };
            let text = resource.description.take();
            let parts = [text.as_deref(), example.as_deref(), import.as_deref()];
            let page = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
            resource.description = Some(Text::from(page)).filter(|page| !page.is_empty());
        }
    }

    fn finish(mut self, availability: Availability, docs_source: &str, semantics: &Semantics) -> Output {
        self.write_pages();
        self.package.language = header::language_block(&self.namespaces);
        self.resources.sort_unstable_by(|a, b| a.token.cmp(&b.token));
        self.report.count(&self.package, &self.skips);
        self.report.coverage = Coverage::of(&self.package, docs_source);
        Output {
            package: self.package,
            resources: self.resources,
            runtime: self.runtime,
            skips: self.skips,
            report: self.report,
            availability,
            traces: self.traces,
            unused: semantics.unused(&self.effects),
            claims: self.claims,
            names: None,
        }
    }
}
