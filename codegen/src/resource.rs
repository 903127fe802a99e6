//! One resource: everything that follows from one schema, before it joins the package.

use crate::autoname::{self, Candidate};
use crate::create_only;
use crate::docs;
use crate::error::LowerError;
use crate::example::values::{Maker, TooLarge};
use crate::example::{Example, groups, valid};
use crate::getter;
use crate::names::{Claim, Claims, Resolver};
use crate::package::{FunctionSpec, PropertySpec, ResourceSpec, Token, TypeDefinition, TypeSpec};
use crate::place::declaring;
use crate::runtime::{self, RuntimeResource};
use crate::semantics::name_limits::NameLimit;
use crate::semantics::{Effects, Semantics, Unused};
use crate::tags;
use crate::text;
use crate::tokens::Names;
use crate::trace::rules::Rule;
use crate::trace::{Recorder, ResourceTrace, listed_paths};
use crate::types::{Registered, TypeBuilder};
use crate::{list_inputs, unordered, view};
use cfn::naming::{has_acronym, lower_acronyms, to_cfn, to_sdk};
use cfn::path::top_level_sdk_name;
use cfn::{Node, PropertyPath, ResourceSchema};
use metadata::model;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What one schema became.
pub(crate) struct Resource {
    pub names: Names,
    /// The section about import, for the description.
    pub import: Option<String>,
    /// Values for the required inputs, for an example.
    pub example: Result<Example, TooLarge>,
    pub spec: ResourceSpec,
    pub getter: Option<FunctionSpec>,
    pub types: BTreeMap<Token, Registered>,
    pub model: model::Resource,
    pub runtime: RuntimeResource,
    pub findings: Findings,
    /// How it came about, when that was asked for.
    pub trace: Option<ResourceTrace>,
    /// Whose the types are.
    pub claims: BTreeMap<String, Claims>,
    /// Object types that got another name than they wanted since that one is another resource's.
    pub substitutes: Vec<Token>,
}

/// What a maintainer may want to look at.
#[derive(Default)]
pub(crate) struct Findings {
    /// Create-only paths that could not be marked.
    pub unmarked: Vec<String>,
    /// Types that had to take another name, with the token they wanted.
    pub renamed_types: Vec<(String, String)>,
    /// Faults of the schema that do not keep the resource from being generated, a sentence each.
    pub warnings: Vec<String>,
    /// What of the semantics took effect.
    pub effects: Effects,
}

/// A top-level property on its way.
pub(crate) struct TopLevel<'a> {
    pub cfn_name: &'a str,
    pub node: &'a Node,
    /// SDK name; `awsId` for `Id`.
    pub sdk_name: String,
    pub spec: PropertySpec,
    pub view: model::Type,
    pub default: Option<String>,
    pub input: bool,
    pub required_input: bool,
}

/// The path lists of a schema in their published form.
pub(crate) struct Paths {
    pub create_only: BTreeSet<String>,
    pub read_only: BTreeSet<String>,
    pub write_only: BTreeSet<String>,
}

impl Paths {
    fn new(schema: &ResourceSchema) -> Paths {
        let published = |paths: &[PropertyPath]| paths.iter().map(PropertyPath::published_sdk_path).collect();
        Paths {
            create_only: published(&schema.create_only),
            read_only: published(&schema.read_only),
            write_only: published(&schema.write_only),
        }
    }
}

/// The top-level properties that the lists of a schema name, by the text of their pointers.
pub(crate) struct Listed<'s> {
    required: HashSet<&'s str>,
    pub read_only: HashSet<&'s str>,
    pub write_only: HashSet<&'s str>,
    pub create_only: HashSet<&'s str>,
}

impl<'s> Listed<'s> {
    pub(crate) fn new(schema: &'s ResourceSchema) -> Listed<'s> {
        let names = |paths: &'s [PropertyPath]| paths.iter().map(PropertyPath::stripped).collect();
        Listed {
            required: schema.required.iter().map(String::as_str).collect(),
            read_only: names(&schema.read_only),
            write_only: names(&schema.write_only),
            create_only: names(&schema.create_only),
        }
    }
}

/// The property of that CloudFormation name, by which they are in order.
pub(crate) fn find<'p, 'a>(properties: &'p [TopLevel<'a>], cfn_name: &str) -> Option<&'p TopLevel<'a>> {
    let index = properties.binary_search_by(|property| property.cfn_name.cmp(cfn_name)).ok()?;
    properties.get(index)
}

/// Derives the resource that `schema` describes under the given names; `published` are the types of the resources before
/// it, and `resolver` knows whose names are. Traces it when given the schema's file.
pub(crate) fn assemble(
    schema: &ResourceSchema,
    names: Names,
    resolver: &Resolver<'_>,
    published: &BTreeMap<Token, TypeDefinition>,
    semantics: &Semantics,
    traced_file: Option<&str>,
) -> Result<Resource, LowerError> {
    let (paths, listed) = (Paths::new(schema), Listed::new(schema));
    let mut builder = TypeBuilder::new(schema, &names, resolver, published);
    builder.trace = traced_file.map(|_| Recorder::new(schema));
    let (properties, tags) = top_level(schema, &names, &paths, &listed, &mut builder)?;
    let TypeBuilder { registered: mut types, view: view_types, renamed, claims, substitutes, trace, .. } = builder;

    let mut found = unordered::find(schema, semantics)?;
    let name = auto_name(schema, &properties, semantics, &mut found.effects);
    let list_schema = schema.handlers.list.as_ref().and_then(|handler| list_inputs::handler_schema(schema, handler));
    let mut spec = ResourceSpec {
        description: text::shared(schema.description.as_deref()),
        list_inputs: schema.handlers.list.as_ref().map(|_| list_inputs::package_form(list_schema.as_ref())),
        typed: true,
        ..ResourceSpec::default()
    };
    let named = name.as_ref().map(|name| name.published.property.clone());
    for property in &properties {
        spec.properties.insert(property.sdk_name.clone(), property.spec.clone());
        if listed.required.contains(property.cfn_name) || listed.read_only.contains(property.cfn_name) {
            spec.required.push(property.sdk_name.clone());
        }
        if property.input {
            spec.inputs.insert(property.sdk_name.clone(), property.spec.clone());
            if property.required_input && named.as_deref() != Some(property.sdk_name.as_str()) {
                spec.required_inputs.push(property.sdk_name.clone());
            }
        }
    }
    spec.required.sort_unstable();
    spec.required_inputs.sort_unstable();

    let unmarked = create_only::mark(&paths.create_only, &mut spec.properties, &mut types);
    let paths_listed = trace.as_ref().map(|_| listed_paths(schema, &spec.properties, &types));
    let getter = getter::assemble(schema, &listed, &spec, &properties, &mut types);
    let getter_ids = getter.as_ref().ok().map(|_| getter::identifier_names(schema));
    let model = view::resource(
        schema,
        &names,
        view::Parts {
            properties: &properties,
            types: view_types,
            required_inputs: &spec.required_inputs,
            unordered: &found.unordered,
            sets: &found.sets,
            equality: found.equality,
            tags: tags.as_ref(),
            auto_name: name.as_ref().map(|name| &name.complete),
            getter_ids: getter_ids.clone(),
        },
    );
    let runtime = runtime::resource(
        schema,
        runtime::Parts {
            paths: &paths,
            required: &spec.required_inputs,
            irreversible: irreversible(&properties),
            unordered: &found.unordered,
            tags: tags.as_ref(),
            auto_name: name.map(|name| name.published),
            list_schema,
            getter_ids,
        },
    );
    let trace = trace.zip(paths_listed).map(|(recorder, paths)| ResourceTrace {
        cfn_type: schema.type_name.to_string(),
        token: names.token.clone(),
        getter: names.getter.clone(),
        file: traced_file.unwrap_or_default().to_owned(),
        names: Names::rules(&schema.type_name),
        required: schema.required.clone(),
        generated_name: named,
        no_getter: getter.as_ref().err().cloned(),
        steps: recorder.steps,
        registered: recorder.registered,
        paths,
    });
    let findings =
        Findings { unmarked, renamed_types: renamed, warnings: warnings(schema, &names), effects: found.effects };
    let import = docs::import::section(schema, &names.token);
    let example = example(schema, &spec, &properties, &types, published);
    let claims = own_claims(&names, claims);
    let substitutes = substitutes.into_values().collect();
    Ok(Resource {
        names,
        import,
        example,
        spec,
        getter: getter.ok(),
        types,
        model,
        runtime,
        findings,
        claims,
        substitutes,
        trace,
    })
}

/// The resource's claims on the types that it registered, by token.
fn own_claims(names: &Names, claims: BTreeMap<Token, BTreeSet<Token>>) -> BTreeMap<String, Claims> {
    let claim = |token: &Token, wanted: &Token| Claim {
        resource: names.resource.clone(),
        wanted: (wanted != token).then(|| wanted.rsplit(':').next().unwrap_or_default().to_owned()),
    };
    let claims = claims.into_iter();
    claims
        .map(|(token, wanted)| (token.to_string(), wanted.iter().map(|wanted| claim(&token, wanted)).collect()))
        .collect()
}

/// Values for the required inputs, and for those of which the schema demands some. Types may yet be overwritten by later
/// resources, so the values are checked at the end.
fn example(
    schema: &ResourceSchema,
    spec: &ResourceSpec,
    properties: &[TopLevel<'_>],
    types: &BTreeMap<Token, Registered>,
    published: &BTreeMap<Token, TypeDefinition>,
) -> Result<Example, TooLarge> {
    let lookup = |token: &Token| types.get(token).map(|own| &own.definition).or_else(|| published.get(token));
    let maker = Maker::new(Some(schema), &lookup);
    let required = properties.iter().filter(|property| spec.required_inputs.binary_search(&property.sdk_name).is_ok());
    let is_input = |name: &str| find(properties, name).is_some_and(|property| property.input);
    let wanted = groups::members(schema, &schema.rules, required.map(|property| property.cfn_name), is_input);
    let wanted = properties.iter().filter(|property| wanted.contains(property.cfn_name));
    let wanted = wanted.map(|property| (property.sdk_name.as_str(), &property.spec.ty, Some(property.node)));
    let inputs = maker.inputs(wanted)?;
    let breaches = valid::breaches(schema, &inputs);
    Ok(Example { inputs, breaches })
}

/// What is wrong with a schema although a resource can be made of it: without its identifier the provider can create
/// such a resource but not find it again. A name that is another type's is said here as well.
fn warnings(schema: &ResourceSchema, names: &Names) -> Vec<String> {
    let published = Names::new(&schema.type_name);
    let other_name = (published.token != names.token)
        .then(|| format!("the name {} is, or was, another type's than {}'s", published.token, schema.type_name));
    let mut warnings: Vec<String> = other_name.into_iter().collect();
    if schema.primary_identifier.is_empty() {
        warnings.push("there is no primaryIdentifier".to_owned());
    }
    let unknown = schema.primary_identifier.iter().filter(|path| schema.nodes_at(path).is_empty());
    warnings.extend(unknown.map(|path| format!("primaryIdentifier: {} names no property", path.pointer())));
    warnings
}

/// The tags property of a resource.
pub(crate) struct TagsProperty {
    /// CloudFormation name as the schema gives it, which may be a path or name nothing.
    pub cfn_name: String,
    pub style: model::TagsStyle,
}

/// The top-level properties in order of CloudFormation name, and the tags property among them.
fn top_level<'a>(
    schema: &'a ResourceSchema,
    names: &Names,
    paths: &Paths,
    listed: &Listed<'_>,
    builder: &mut TypeBuilder<'a>,
) -> Result<(Vec<TopLevel<'a>>, Option<TagsProperty>), LowerError> {
    let mut tags =
        tags::property(schema).map(|name| TagsProperty { cfn_name: name.to_owned(), style: model::TagsStyle::Unknown });
    let mut properties: Vec<TopLevel<'_>> = Vec::with_capacity(schema.properties.len());
    let mut by_sdk_name: HashMap<String, &str> = HashMap::with_capacity(schema.properties.len());
    for (cfn_name, node) in schema.properties.iter() {
        builder.check_property(cfn_name)?;
        let sdk_name = top_level_sdk_name(cfn_name);
        if let Some(first) = by_sdk_name.insert(sdk_name.clone(), cfn_name) {
            return Err(LowerError::NameCollision {
                pointer: declaring(schema, first, cfn_name).unwrap_or_else(|| "#".to_owned()),
                place: names.resource.clone(),
                first: first.to_owned(),
                second: cfn_name.to_owned(),
                sdk_name,
            });
        }
        let rule = if sdk_name == to_sdk(cfn_name) { Rule::PropertyName } else { Rule::AwsId };
        builder.trace_member(cfn_name, &sdk_name, rule);
        let typed = builder.type_of(&lower_acronyms(cfn_name), node)?;
        let mut spec = PropertySpec::new(typed.spec);
        spec.description = Some(builder.marks.text(schema, node, node));
        if names.resource.eq_ignore_ascii_case(cfn_name) {
            // C# members may not be called like their class.
            spec.extras_mut().csharp_name = Some(format!("{cfn_name}Value"));
        }
        let create_only = paths.create_only.contains(&to_sdk(cfn_name));
        if let Some(tags) = tags.as_mut().filter(|tags| tags.cfn_name == cfn_name) {
            tags.style = tags::style(&spec.ty, create_only, |token| builder.lookup(token));
            spec.ty = tags::shared_type(tags.style, spec.ty);
            builder.trace_replaced(Rule::SharedTag, &spec.ty);
        }
        if spec.ty == TypeSpec::Any {
            spec.description = Some(text::with_any_note(spec.description.as_deref(), schema.type_name.as_str()));
        }
        let input = create_only || !listed.read_only.contains(cfn_name);
        properties.push(TopLevel {
            cfn_name,
            node,
            sdk_name,
            spec,
            view: typed.view,
            default: builder.scalar_default(node),
            input,
            required_input: input && listed.required.contains(cfn_name),
        });
    }
    Ok((properties, tags))
}

fn auto_name(
    schema: &ResourceSchema,
    properties: &[TopLevel<'_>],
    semantics: &Semantics,
    effects: &mut Effects,
) -> Option<autoname::Rules> {
    let candidates: Vec<_> = properties
        .iter()
        .filter(|property| property.input && property.spec.ty == TypeSpec::String)
        // `awsId` is not what its CloudFormation name says; it never takes a generated name.
        .filter(|property| property.sdk_name == to_sdk(property.cfn_name))
        .map(|property| Candidate { cfn_name: property.cfn_name, node: property.node })
        .collect();
    let found = autoname::find(&Names::new(&schema.type_name).resource, &candidates)?;
    let limits = &semantics.name_limits;
    let is_it = |limit: &NameLimit| limit.cfn_type == schema.type_name.as_str() && limit.property == found.cfn_name;
    let position = limits.entries.iter().position(|entry| is_it(&entry.value));
    let entry = position.and_then(|position| limits.entries.get(position));
    let limit = entry.map(|entry| &entry.value);
    let rules = autoname::rules(schema, found, limit);
    effects.name_limits.extend(position);
    let unused = entry.into_iter().flat_map(|entry| {
        rules.faults.iter().map(|what| Unused { place: entry.place(&limits.file), what: what.clone() })
    });
    effects.idle.extend(unused);
    Some(rules)
}

/// SDK names from which the CloudFormation name does not follow, as the published runtime metadata lists them.
fn irreversible(properties: &[TopLevel<'_>]) -> BTreeMap<String, String> {
    properties
        .iter()
        .filter(|property| has_acronym(property.cfn_name) || to_cfn(&property.sdk_name) != property.cfn_name)
        .map(|property| (property.sdk_name.clone(), property.cfn_name.to_owned()))
        .collect()
}
