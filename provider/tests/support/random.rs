//! Resource types and values made up from a seed: every kind of type, nested three deep, with marks that fit together.
//!
//! A seed always gives the same [`Case`], and a case the same values for the same number, so that a failing seed is all
//! that a report needs.

use metadata::model::{self, Tags, TagsStyle, Type};
use metadata::view;
use serde_json::{Map as JsonMap, Value as Json, json};

use crate::models;
use crate::numbers::Random;

/// A resource type, in both forms.
pub struct Case {
    pub resource: view::Resource,
    pub model: model::Resource,
}

/// The names of members, so that objects share some and nesting repeats them.
const NAMES: [&str; 12] =
    ["alpha", "beta", "gammaRay", "deltaId", "epsilon", "zetaList", "eta", "theta", "iotaArn", "kappa", "lambda", "mu"];
/// The property that names the resource.
pub const NAME: &str = "thingName";

impl Case {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut made = None;
        let resource = models::resource(|resource| {
            Builder { random: &mut random, resource }.build();
            made = Some(resource.clone());
        });
        let mut model = made.unwrap();
        model.properties.sort_by(|one, other| one.name.cmp(&other.name));
        Self { resource, model }
    }

    /// Inputs: members present or not, each time others for another `number`.
    pub fn inputs(&self, number: u64) -> Json {
        let mut random = Random::new(number.wrapping_mul(0x0101_0101).wrapping_add(7));
        let mut members = JsonMap::new();
        for property in &self.model.properties {
            if !property.input || property.name == NAME || random.once_in(3) {
                continue;
            }
            let value = match &self.model.tags {
                Some(tags) if tags.property == property.name => self.tags(tags, &mut random),
                _ => self.value(&property.ty, &mut random),
            };
            members.insert(property.name.clone(), value);
        }
        members.insert(NAME.to_owned(), json!("n"));
        Json::Object(members)
    }

    /// Tags with keys that differ, as services demand.
    fn tags(&self, tags: &Tags, random: &mut Random) -> Json {
        let keys: Vec<&str> = ["env", "team", "aws-like", "x/y"].into_iter().filter(|_| random.once_in(2)).collect();
        let pairs: Vec<_> = keys.into_iter().map(|key| (key.to_owned(), self.text(random))).collect();
        match tags.style {
            TagsStyle::StringMap => pairs.into_iter().collect(),
            _ => pairs.into_iter().map(|(key, value)| json!({"key": key, "value": value})).collect(),
        }
    }

    fn text(&self, random: &mut Random) -> Json {
        json!(random.pick(&["a", "b", "c", "Key-1", "x/y~z", ""]))
    }

    fn value(&self, ty: &Type, random: &mut Random) -> Json {
        match ty {
            Type::Any => free(random, 3),
            Type::Boolean => json!(random.once_in(2)),
            Type::Integer => json!(*random.pick(&[0_i64, 1, -7, 443, 9_007_199_254_740_992])),
            Type::Number => json!(*random.pick(&[0.0, 1.5, -2.25, 1e6])),
            Type::String => self.text(random),
            Type::Enum(values) => json!(random.pick(values)),
            Type::Array(element) => {
                let items = (0..random.below(4)).map(|_| self.value(element, random)).collect::<Vec<_>>();
                json!(items)
            }
            Type::Map(element) => {
                let keys: Vec<&str> = ["a", "Key-1", "x/y"].into_iter().filter(|_| random.once_in(2)).collect();
                keys.into_iter().map(|key| (key.to_owned(), self.value(element, random))).collect()
            }
            Type::Object(index) => {
                let object = &self.model.types[*index as usize];
                let mut members = JsonMap::new();
                for member in object.properties.iter().filter(|member| member.input) {
                    if member.required || random.once_in(2) {
                        members.insert(member.name.clone(), self.value(&member.ty, random));
                    }
                }
                Json::Object(members)
            }
            Type::Union(arms) => {
                let arm = random.below(arms.len());
                self.value(&arms[arm], random)
            }
        }
    }
}

/// A free-form document.
fn free(random: &mut Random, depth: usize) -> Json {
    match random.below(if depth == 0 { 3 } else { 5 }) {
        0 => json!(random.pick(&["a", "UPPER", ""])),
        1 => json!(random.once_in(2)),
        2 => json!(*random.pick(&[0, 5, -1])),
        3 => (0..random.below(3)).map(|_| free(random, depth - 1)).collect(),
        _ => {
            let keys: Vec<&str> = ["Key", "key", "K-1"].into_iter().filter(|_| random.once_in(2)).collect();
            keys.into_iter().map(|key| (key.to_owned(), free(random, depth - 1))).collect()
        }
    }
}

struct Builder<'a> {
    random: &'a mut Random,
    resource: &'a mut model::Resource,
}

impl Builder<'_> {
    fn build(mut self) {
        self.resource.properties.push(models::prop(NAME, Type::String));
        self.resource.primary_identifier = vec![NAME.to_owned()];
        self.resource.create_only = vec![NAME.to_owned()];
        if self.random.once_in(2) {
            self.resource.auto_name = Some(models::auto_name(NAME));
        }
        for name in NAMES {
            if self.random.once_in(3) {
                continue;
            }
            let path = name.to_owned();
            if self.random.once_in(6) {
                // What only the service sets.
                self.resource.properties.push(models::output(name, Type::String));
                self.resource.read_only.push(path);
                continue;
            }
            let ty = self.ty(&path, 0, true);
            let default = match &ty {
                Type::Boolean if self.random.once_in(2) => Some("false".to_owned()),
                Type::Integer if self.random.once_in(3) => Some("443".to_owned()),
                Type::String if self.random.once_in(4) => Some("\"a\"".to_owned()),
                _ => None,
            };
            let property = models::prop(name, ty);
            match self.random.below(8) {
                0 => self.resource.write_only.push(path),
                1 => self.resource.create_only.push(path),
                2 => self.resource.conditional_create_only.push(path),
                _ => {}
            }
            // A value that no read returns is never compared with a default.
            let default = default.filter(|_| !self.resource.write_only.contains(&property.name));
            self.resource.properties.push(model::Property { default, ..property });
        }
        match self.random.below(4) {
            0 => models::tag_map(self.resource),
            1 | 2 => {
                models::tag_list(self.resource);
                self.resource.unordered.push("tags".to_owned());
            }
            _ => {}
        }
    }

    /// A type at `path`; marks of what is inside are added on the way, where `marks` allows it.
    fn ty(&mut self, path: &str, depth: usize, marks: bool) -> Type {
        let inner = format!("{path}/*");
        match self.random.below(if depth == 3 { 6 } else { 11 }) {
            0 => Type::Boolean,
            1 => Type::Integer,
            2 => Type::Number,
            3 => Type::Enum(vec!["ON".to_owned(), "OFF".to_owned()]),
            4 | 5 => Type::String,
            6 => Type::Any,
            7 => {
                if marks && self.random.once_in(2) {
                    self.resource.unordered.push(path.to_owned());
                }
                models::list(self.ty(&inner, depth + 1, marks))
            }
            8 => models::map(self.ty(&inner, depth + 1, marks)),
            9 => {
                // Arms that no value can be taken for the other of.
                let arm = |this: &mut Self, name: &str| {
                    let other = this.ty(&format!("{path}/{name}Part"), 3, false);
                    let members = [models::required(name, Type::String), models::prop(&format!("{name}Part"), other)];
                    models::object(this.resource, members)
                };
                Type::Union(vec![arm(self, "glue"), arm(self, "redshift")])
            }
            _ => self.object(path, depth, marks),
        }
    }

    fn object(&mut self, path: &str, depth: usize, marks: bool) -> Type {
        let mut members = Vec::new();
        for name in NAMES {
            if !self.random.once_in(3) {
                continue;
            }
            let path = format!("{path}/{name}");
            if marks && self.random.once_in(8) {
                members.push(models::output(name, Type::String));
                self.resource.read_only.push(path);
                continue;
            }
            let ty = self.ty(&path, depth + 1, marks);
            let required = self.random.once_in(6);
            let mut default = (matches!(ty, Type::Boolean) && !required).then(|| "false".to_owned());
            if marks && !required {
                match self.random.below(12) {
                    0 => {
                        self.resource.write_only.push(path);
                        default = None;
                    }
                    1 => self.resource.create_only.push(path),
                    _ => {}
                }
            }
            members.push(model::Property { required, default, ..models::prop(name, ty) });
        }
        models::object(self.resource, members)
    }
}
