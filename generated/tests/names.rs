//! Names convert back: what a program calls a property at any path reaches the service under the schema's name.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::HashSet;

use cfn::bundle::Bundle;
use cfn::{Node, ResourceSchema};
use generated::{RESOURCE_SCHEMAS_ZST, resources};
use metadata::view::{Properties, Type};

/// The schema of one type, and what was found in it so far.
struct Walk<'s> {
    schema: &'s ResourceSchema,
    /// Node and object type that were compared already; schemas refer to themselves.
    seen: HashSet<(*const Node, usize)>,
    paths: usize,
    lower_case: usize,
    faults: Vec<String>,
}

impl<'s> Walk<'s> {
    /// Compares the properties of `node` with those of an object; `path` is where they stand.
    fn properties(&mut self, node: &'s Node, known: &[Properties], path: &str) {
        for (cfn_name, member) in node.properties.iter() {
            let path = format!("{path}/{cfn_name}");
            let found: Vec<_> =
                known.iter().filter_map(|properties| Some((properties, properties.get_cfn(cfn_name)?))).collect();
            self.paths += 1;
            self.lower_case += usize::from(cfn_name.starts_with(|first: char| first.is_ascii_lowercase()));
            if found.is_empty() {
                self.faults.push(format!("{path} is unknown"));
            }
            for (properties, property) in &found {
                let back = properties.get(property.name()).map(|property| property.cfn_name());
                if back != Some(cfn_name) {
                    self.faults.push(format!("{path} is {} in programs, which is {back:?}", property.name()));
                }
            }
            self.value(member, &found.iter().map(|(_, property)| property.ty()).collect::<Vec<_>>(), &path);
        }
    }

    /// Compares what a value may be by its schema with what it may be by the metadata.
    fn value(&mut self, node: &'s Node, types: &[Type], path: &str) {
        let arms = arms(types);
        if arms.iter().any(|arm| matches!(arm, Type::Any)) {
            return; // Free-form values keep their names.
        }
        for node in self.alternatives(node) {
            let objects: Vec<_> = arms
                .iter()
                .filter_map(|arm| match arm {
                    Type::Object(object) if object.properties().is_empty() => None,
                    Type::Object(object) if self.seen.insert((std::ptr::from_ref(node), object.index())) => {
                        Some(object.properties())
                    }
                    _ => None,
                })
                .collect();
            if !objects.is_empty() {
                self.properties(node, &objects, path);
            }
            let elements: Vec<_> =
                arms.iter().filter(|arm| matches!(arm, Type::Array(_))).map(|arm| inner(*arm)).collect();
            for items in node.items.iter().take(1).filter(|_| !elements.is_empty()) {
                self.value(items, &elements, &format!("{path}/*"));
            }
            let values: Vec<_> = arms.iter().filter(|arm| matches!(arm, Type::Map(_))).map(|arm| inner(*arm)).collect();
            for value in node.map_value().into_iter().filter(|_| !values.is_empty()) {
                self.value(value, &values, &format!("{path}/*"));
            }
        }
    }

    /// The node and everything that references and alternatives add to it, each once.
    fn alternatives(&self, node: &'s Node) -> Vec<&'s Node> {
        let mut found: Vec<&Node> = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if found.iter().any(|other| std::ptr::eq(*other, node)) {
                continue;
            }
            found.push(node);
            open.extend(node.any_of.iter().chain(&node.one_of));
            open.extend(self.schema.definition_of(node));
        }
        found
    }
}

/// The types with those of unions in place of the unions.
fn arms(types: &[Type]) -> Vec<Type> {
    types
        .iter()
        .flat_map(|ty| match ty {
            Type::Union(union) => arms(&union.iter().collect::<Vec<_>>()),
            other => vec![*other],
        })
        .collect()
}

/// The type of elements or values.
fn inner(ty: Type) -> Type {
    match ty {
        Type::Array(inner) | Type::Map(inner) => inner.get(),
        other => other,
    }
}

#[test]
fn c35_every_property_path_of_every_type_converts_back() {
    let bundle = Bundle::open(RESOURCE_SCHEMAS_ZST).unwrap();
    let (mut paths, mut lower_case, mut faults) = (0, 0, Vec::new());
    for resource in resources() {
        let schema = bundle.read(resource.cfn_type()).unwrap().unwrap();
        let schema = ResourceSchema::from_slice(schema.as_bytes()).unwrap();
        let root = Node { properties: schema.properties.clone(), ..Node::default() };
        let mut walk = Walk { schema: &schema, seen: HashSet::new(), paths: 0, lower_case: 0, faults: Vec::new() };
        walk.properties(&root, &[resource.properties()], "");
        paths += walk.paths;
        lower_case += walk.lower_case;
        faults.extend(walk.faults.iter().map(|fault| format!("\n  {}: {fault}", resource.cfn_type())));
    }
    assert!(faults.is_empty(), "{} of {paths} paths: {}", faults.len(), faults.concat());
    // Guards against a walk that stops early: the pinned schemas have more than 50,000 paths, and 73 published ones that
    // start in lower case, which no rule restores.
    assert!(paths > 40_000 && lower_case > 73, "{paths} paths, {lower_case} in lower case");
}
