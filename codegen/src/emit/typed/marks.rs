//! What the schema's path lists say about single members: create-only, read-only, write-only.

use std::collections::HashMap;

use metadata::model::{self, Property, Type};

/// Where a member stands: `None` for the resource itself, else the index of the object type; and its SDK name.
type Place<'a> = (Option<u32>, &'a str);

/// The marks of the members of one resource, as words in a fixed order.
#[derive(Debug, Default)]
pub(super) struct Marks<'a> {
    words: HashMap<Place<'a>, Vec<&'static str>>,
}

impl<'a> Marks<'a> {
    /// The marks that the path lists of `resource` give.
    pub(super) fn of(resource: &'a model::Resource) -> Self {
        let mut marks = Self::default();
        for (word, paths) in [
            ("create-only", &resource.create_only),
            ("conditionally create-only", &resource.conditional_create_only),
            ("read-only", &resource.read_only),
            ("write-only", &resource.write_only),
        ] {
            for path in paths {
                marks.add(resource, path, word);
            }
        }
        marks
    }

    /// What is said about the member `name` of that type.
    pub(super) fn get(&self, owner: Option<u32>, name: &'a str) -> &[&'static str] {
        self.words.get(&(owner, name)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Follows `path`, on which a name leads into an object and `*` into a list or map.
    fn add(&mut self, resource: &'a model::Resource, path: &str, word: &'static str) {
        let mut here: Vec<(Option<u32>, &'a [Property])> = vec![(None, &resource.properties)];
        let mut segments = path.split('/').peekable();
        while let Some(name) = segments.next() {
            let mut found: Vec<(Place<'a>, &'a Type)> = Vec::new();
            for (owner, members) in &here {
                let index = members.binary_search_by(|member| member.name.as_str().cmp(name));
                let member = index.ok().and_then(|index| members.get(index));
                found.extend(member.map(|member| ((*owner, member.name.as_str()), &member.ty)));
            }
            let mut types: Vec<&'a Type> = found.iter().map(|(_, ty)| *ty).collect();
            while segments.next_if_eq(&"*").is_some() {
                types = types.into_iter().flat_map(elements).collect();
            }
            if segments.peek().is_none() {
                for (place, _) in found {
                    let words = self.words.entry(place).or_default();
                    if !words.contains(&word) {
                        words.push(word);
                    }
                }
                return;
            }
            here = types.into_iter().flat_map(|ty| objects(&resource.types, ty)).collect();
        }
    }
}

fn elements(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(element) | Type::Map(element) => vec![element],
        Type::Union(arms) => arms.iter().flat_map(elements).collect(),
        _ => Vec::new(),
    }
}

fn objects<'a>(types: &'a [model::ObjectType], ty: &Type) -> Vec<(Option<u32>, &'a [Property])> {
    match ty {
        Type::Object(index) => {
            types.get(*index as usize).map(|object| (Some(*index), object.properties.as_slice())).into_iter().collect()
        }
        Type::Union(arms) => arms.iter().flat_map(|arm| objects(types, arm)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_members() {
        let member = |name: &str, ty: Type| Property { name: name.to_owned(), ty, ..Property::default() };
        let object = |properties| model::ObjectType { token: String::new(), properties };
        let resource = model::Resource {
            properties: vec![
                member("name", Type::String),
                member("rules", Type::Array(Box::new(Type::Union(vec![Type::Object(0), Type::String])))),
            ],
            types: vec![object(vec![member("id", Type::String), member("tags", Type::Array(Box::new(Type::String)))])],
            create_only: vec!["name".to_owned(), "rules/*/id".to_owned(), "rules/*/absent".to_owned()],
            read_only: vec!["name".to_owned(), "absent".to_owned(), "name/id".to_owned()],
            write_only: vec!["rules/*/tags/*".to_owned(), "rules/*".to_owned()],
            ..model::Resource::default()
        };
        let marks = Marks::of(&resource);
        assert_eq!(marks.get(None, "name"), ["create-only", "read-only"]);
        assert_eq!(marks.get(None, "rules"), ["write-only"]);
        assert_eq!(marks.get(Some(0), "id"), ["create-only"]);
        assert_eq!(marks.get(Some(0), "tags"), ["write-only"]);
        assert_eq!(marks.words.len(), 4);
    }
}
