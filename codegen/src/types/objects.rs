//! Object types: from definitions, once per resource, and from inline objects, at every visit.

use super::{Registered, TypeBuilder, Typed};
use crate::combine::{declaration, with_members_of_alternatives};
use crate::error::LowerError;
use crate::names::Standing;
use crate::package::{ObjectType, PropertySpec, Token, TypeDefinition, TypeSpec};
use crate::place::declaring;
use crate::text;
use crate::trace::rules::Rule;
use cfn::Node;
use cfn::naming::{has_acronym, lower_acronyms, to_cfn, to_sdk};
use metadata::model;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// C# class members may not be called like their class; this one's generator could not tell by itself.
const CSHARP_NAMES: &[(&str, &str, &str)] =
    &[("ClusterLogging", "ClusterLoggingValue", "the class around it is called ClusterLogging in EKS")];

impl<'a> TypeBuilder<'a> {
    /// The object type of a definition. It is marked as known before its properties are looked at, so that it may
    /// contain itself.
    pub(super) fn definition_object(
        &mut self,
        definition: &'a str,
        name: &str,
        node: &Node,
    ) -> Result<Typed, LowerError> {
        if let Some((token, index)) = self.by_definition.get(definition).cloned() {
            self.note(Rule::KnownDefinition);
            return Ok(Typed::new(TypeSpec::Ref(token), model::Type::Object(index)));
        }
        self.check_name(name, Some(definition))?;
        let token = self.object_token(name);
        // Another definition may have got the token first; the published type is that one's.
        if let Some(index) = self.by_token.get(&token).copied() {
            self.note(Rule::KnownDefinition);
            return Ok(Typed::new(TypeSpec::Ref(token), model::Type::Object(index)));
        }
        let index = self.reserve(&token);
        self.by_definition.insert(definition, (token.clone(), index));
        self.by_token.insert(token.clone(), index);
        // Inside an object, every definition may be looked through again.
        let outside = std::mem::take(&mut self.looking_through);
        // The node may be a copy, and marks are known by place.
        let origin = self.schema.definitions.get(definition).unwrap_or(node);
        let object = self.object(name, node, origin);
        self.looking_through = outside;
        let (object, members) = object?;
        self.registered.insert(token.clone(), Registered { definition: TypeDefinition::Object(object), inline: false });
        self.trace_registered(&token);
        self.fill(index, members);
        Ok(Typed::new(TypeSpec::Ref(token), model::Type::Object(index)))
    }

    /// The object type of a node that has its properties in place. Its name has no resource prefix, and every visit
    /// registers it anew, over whatever had the name.
    pub(super) fn inline_object(&mut self, parent: &str, node: &Node) -> Result<Typed, LowerError> {
        let name = format!("{parent}Properties");
        self.check_name(&name, None)?;
        self.note(Rule::InlineName);
        let token = self.object_token(&name);
        let index = self.reserve(&token);
        let (object, members) = self.object(&name, node, node)?;
        self.registered.insert(token.clone(), Registered { definition: TypeDefinition::Object(object), inline: true });
        self.trace_registered(&token);
        self.fill(index, members);
        let index = self.reuse(index);
        Ok(Typed::new(TypeSpec::Ref(token), model::Type::Object(index)))
    }

    /// The token of an object type: the locked one, or else the published one, or, where that is another resource's, the
    /// next free one.
    fn object_token(&mut self, name: &str) -> Token {
        let wanted = self.token(name);
        let token = match self.resolver.object(self.names, name) {
            Standing::Own(own) if own == name => wanted.clone(),
            Standing::Own(own) => self.token(own),
            Standing::Free if !self.is_substitute(&wanted) => self.beside_enums(name, &wanted),
            Standing::Free | Standing::Taken => self.substitute(name, &wanted),
        };
        self.claim(&wanted, &token, Rule::ObjectNameTaken);
        token
    }

    /// Where an enum has the token, references to the enum would turn into references to an object, so the object takes a
    /// longer one.
    fn beside_enums(&self, name: &str, wanted: &Token) -> Token {
        let (mut name, mut token) = (name.to_owned(), wanted.clone());
        while matches!(self.lookup(&token), Some(TypeDefinition::Enum(_)))
            || self.resolver.is_locked(&self.names.module, &name)
        {
            name.push_str("Object");
            token = self.token(&name);
        }
        token
    }

    /// Whether the token was given to an object in this run that wanted another one.
    fn is_substitute(&self, token: &Token) -> bool {
        self.resolver.is_substitute(token) || self.substitutes.values().any(|substitute| substitute == token)
    }

    /// The first free token in place of one that is another resource's, the same at every visit.
    fn substitute(&mut self, name: &str, wanted: &Token) -> Token {
        if let Some(token) = self.substitutes.get(wanted) {
            return token.clone();
        }
        let mut number = 2;
        let token = loop {
            let name = format!("{name}{number}");
            let token = self.token(&name);
            let is_taken = self.resolver.is_locked(&self.names.module, &name)
                || self.lookup(&token).is_some()
                || self.claims.contains_key(&token);
            if !is_taken {
                break token;
            }
            number += 1;
        };
        self.substitutes.insert(wanted.clone(), token.clone());
        token
    }

    /// The object type of `node`, which may be made of `origin`, where the schema has it.
    fn object(
        &mut self,
        name: &str,
        node: &Node,
        origin: &Node,
    ) -> Result<(ObjectType, Vec<model::Property>), LowerError> {
        let node = &*with_members_of_alternatives(node, self.schema);
        let mut object = ObjectType { description: text::shared(node.description.as_deref()), ..ObjectType::default() };
        let mut members = Vec::with_capacity(node.properties.len());
        let mut cfn_names = BTreeMap::new();
        let all_required: HashSet<&str> = node.required.iter().map(String::as_str).collect();
        for (cfn_name, property) in node.properties.iter() {
            self.check_property(cfn_name)?;
            let sdk_name = to_sdk(cfn_name);
            if let Some(first) = cfn_names.insert(sdk_name.clone(), cfn_name) {
                return Err(LowerError::NameCollision {
                    pointer: declaring(self.schema, first, cfn_name).unwrap_or_else(|| "#".to_owned()),
                    place: name.to_owned(),
                    first: first.to_owned(),
                    second: cfn_name.to_owned(),
                    sdk_name,
                });
            }
            self.trace_member(cfn_name, &sdk_name, Rule::PropertyName);
            let typed = self.type_of(&format!("{name}{}", lower_acronyms(cfn_name)), property)?;
            let mut spec = PropertySpec::new(typed.spec);
            spec.description = Some(self.marks.text(
                self.schema,
                property,
                declaration(origin, self.schema, cfn_name).unwrap_or(property),
            ));
            if let Some((_, to, _)) = CSHARP_NAMES.iter().find(|(from, ..)| *from == cfn_name) {
                spec.extras_mut().csharp_name = Some((*to).to_owned());
            }
            if has_acronym(cfn_name) {
                object.irreversible.insert(sdk_name.clone(), cfn_name.to_owned());
            }
            if to_cfn(&sdk_name) != cfn_name {
                object.cfn_names.insert(sdk_name.clone(), cfn_name.to_owned());
            }
            let required = all_required.contains(cfn_name);
            if required {
                object.required.push(sdk_name.clone());
            }
            members.push(model::Property {
                name: sdk_name.clone(),
                cfn_name: cfn_name.to_owned(),
                ty: typed.view,
                input: true,
                required,
                default: self.scalar_default(property),
            });
            object.properties.insert(sdk_name, spec);
        }
        object.required.sort_unstable();
        members.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok((object, members))
    }

    /// The scalar default of a property as JSON text: its own, or that of the definition it refers to.
    pub(crate) fn scalar_default(&self, property: &Node) -> Option<String> {
        let own = property.default_value();
        let default = own.or_else(|| self.schema.resolve(property).and_then(Node::default_value))?;
        match default {
            Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(default.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// A place in the resource's own view, to be filled once the members are known.
    fn reserve(&mut self, token: &str) -> u32 {
        let index = u32::try_from(self.view.len()).unwrap_or(u32::MAX);
        self.view.push(model::ObjectType { token: token.to_owned(), properties: Vec::new() });
        self.view_by_token.entry(token.to_owned()).or_default().push(index);
        index
    }

    fn fill(&mut self, index: u32, members: Vec<model::Property>) {
        if let Some(object) = self.view.get_mut(index as usize) {
            object.properties = members;
        }
    }

    /// Gives a place back that turned out to hold what another one holds already, which every further visit of an
    /// inline object does.
    fn reuse(&mut self, index: u32) -> u32 {
        if index as usize + 1 != self.view.len() {
            return index;
        }
        let Some(last) = self.view.last() else { return index };
        let Some(same_token) = self.view_by_token.get_mut(&last.token) else { return index };
        let is_last = |known: &u32| self.view.get(*known as usize) == Some(last);
        match same_token.iter().copied().find(is_last) {
            Some(known) if known != index => {
                same_token.pop();
                self.view.pop();
                known
            }
            Some(_) | None => index,
        }
    }
}
