//! Packs a [`model::Resource`](crate::model::Resource) into the words and the string of a record.
//!
//! The same model always gives the same words. The layout is described in `layout.rs`; reading it back is
//! [`crate::view`]'s part.

use std::collections::HashMap;

use crate::{error::EncodeError, layout, model, view::Record};

/// A packed resource: what a generated `static` holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// All texts of the resource, one after the other, each once.
    pub strings: String,
    /// The structure; see `layout.rs`.
    pub words: Vec<u32>,
}

impl Encoded {
    /// Makes a record that lives until the process ends, as the generated ones do. Meant for tests and tools.
    #[must_use]
    pub fn leak(self) -> &'static Record {
        Box::leak(Box::new(Record::new(self.strings.leak(), self.words.leak())))
    }
}

/// Packs `resource`.
///
/// # Errors
///
/// [`EncodeError`] when properties are not sorted by SDK name, a CloudFormation name is repeated, an object type index
/// is out of range, a type nests too deeply, or the result exceeds 2^28 words or 2^32 bytes of text.
pub fn encode(resource: &model::Resource) -> Result<Encoded, EncodeError> {
    let mut encoder = Encoder::new(resource);
    encoder.resource()?;
    encoder.finish()
}

/// The words so far, and what is already in the pool.
struct Encoder<'m> {
    resource: &'m model::Resource,
    words: Vec<u32>,
    strings: String,
    starts: Vec<u32>,
    known_strings: HashMap<&'m str, u32>,
    known_lists: HashMap<&'m [String], u32>,
}

/// The property whose type is being written, for messages.
#[derive(Clone, Copy)]
struct Site<'m> {
    owner: &'m str,
    name: &'m str,
}

impl<'m> Encoder<'m> {
    fn new(resource: &'m model::Resource) -> Self {
        Self {
            resource,
            words: vec![0; layout::HEADER_WORDS],
            strings: String::new(),
            starts: Vec::new(),
            known_strings: HashMap::new(),
            known_lists: HashMap::new(),
        }
    }

    fn resource(&mut self) -> Result<(), EncodeError> {
        let resource = self.resource;
        self.words[layout::TOKEN] = self.string(&resource.token);
        self.words[layout::CFN_TYPE] = self.string(&resource.cfn_type);
        self.words[layout::PROPERTIES] = self.properties(&resource.token, &resource.properties)?;
        self.words[layout::OBJECT_TYPES] = self.object_types(&resource.types)?;
        for (slot, list) in [
            (layout::CREATE_ONLY, &resource.create_only),
            (layout::CONDITIONAL_CREATE_ONLY, &resource.conditional_create_only),
            (layout::READ_ONLY, &resource.read_only),
            (layout::WRITE_ONLY, &resource.write_only),
            (layout::UNORDERED, &resource.unordered),
            (layout::PRIMARY_IDENTIFIER, &resource.primary_identifier),
        ] {
            self.words[slot] = self.list(list);
        }
        self.words[layout::TAGS] = resource.tags.as_ref().map_or(0, |tags| self.tags(tags));
        self.words[layout::AUTO_NAME] = resource.auto_name.as_ref().map_or(0, |name| self.auto_name(name));
        self.words[layout::PROPERTY_TRANSFORMS] = self.property_transforms(&resource.property_transforms);
        self.words[layout::EQUALITY] = self.equality(&resource.equality);
        let handlers = &resource.handlers;
        for (index, handler) in [&handlers.create, &handlers.read, &handlers.update, &handlers.delete, &handlers.list]
            .into_iter()
            .enumerate()
        {
            self.words[layout::HANDLERS + index] = handler.as_ref().map_or(Ok(0), |handler| self.handler(handler))?;
        }
        self.words[layout::REPLACEMENT_STRATEGY] = match resource.replacement_strategy {
            None => 0,
            Some(model::ReplacementStrategy::DeleteThenCreate) => layout::DELETE_THEN_CREATE,
            Some(model::ReplacementStrategy::CreateThenDelete) => layout::CREATE_THEN_DELETE,
        };
        self.words[layout::GETTER] = resource.getter.as_ref().map_or(0, |getter| self.getter(getter));
        Ok(())
    }

    /// Appends the string table and checks the limits of the format.
    fn finish(mut self) -> Result<Encoded, EncodeError> {
        self.words[layout::STRING_TABLE] = self.here();
        self.starts.push(truncated(self.strings.len()));
        self.words.append(&mut self.starts);
        let fits = self.words.len() < 1 << (u32::BITS - layout::TAG_BITS) && u32::try_from(self.strings.len()).is_ok();
        match fits {
            true => Ok(Encoded { strings: self.strings, words: self.words }),
            false => Err(self.too_large()),
        }
    }

    fn properties(&mut self, owner: &'m str, properties: &'m [model::Property]) -> Result<u32, EncodeError> {
        if properties.is_empty() {
            return Ok(0);
        }
        if let Some(pair) = properties.windows(2).find(|pair| pair[0].name >= pair[1].name) {
            let (cfn_type, owner, name) = (self.resource.cfn_type.clone(), owner.to_owned(), pair[1].name.clone());
            return Err(EncodeError::NotSorted { cfn_type, owner, name });
        }
        let mut by_cfn_name: Vec<usize> = (0..properties.len()).collect();
        by_cfn_name.sort_by_key(|&index| properties[index].cfn_name.as_str());
        let cfn_name = |index: usize| properties[index].cfn_name.as_str();
        if let Some(pair) = by_cfn_name.windows(2).find(|pair| cfn_name(pair[0]) == cfn_name(pair[1])) {
            let (cfn_type, owner, name) =
                (self.resource.cfn_type.clone(), owner.to_owned(), cfn_name(pair[0]).to_owned());
            return Err(EncodeError::DuplicateCfnName { cfn_type, owner, name });
        }

        let same_order = by_cfn_name.iter().enumerate().all(|(place, &index)| place == index);
        let mut block = Vec::with_capacity(1 + properties.len() * (layout::PROPERTY_WORDS + 1));
        block.push(truncated(properties.len()) << 1 | u32::from(same_order));
        for property in properties {
            let ty = self.type_word(Site { owner, name: &property.name }, &property.ty, 0)?;
            let default = property.default.as_ref().map_or(0, |text| self.string(text) + 1);
            let flags = default << 2 | u32::from(property.required) << 1 | u32::from(property.input);
            block.extend([self.string(&property.name), self.string(&property.cfn_name), ty, flags]);
        }
        if !same_order {
            block.extend(by_cfn_name.into_iter().map(truncated));
        }
        Ok(self.append(&block))
    }

    fn object_types(&mut self, types: &'m [model::ObjectType]) -> Result<u32, EncodeError> {
        if types.is_empty() {
            return Ok(0);
        }
        let mut block = vec![truncated(types.len())];
        for ty in types {
            let properties = self.properties(&ty.token, &ty.properties)?;
            block.extend([self.string(&ty.token), properties]);
        }
        Ok(self.append(&block))
    }

    /// The word for `ty`; what it refers to is appended first. Nothing of a type is shared between properties, so that
    /// a reader of the whole record never meets more types than there are words.
    fn type_word(&mut self, site: Site<'m>, ty: &'m model::Type, depth: usize) -> Result<u32, EncodeError> {
        if depth > layout::MAX_TYPE_DEPTH {
            return Err(EncodeError::TooDeep {
                cfn_type: self.resource.cfn_type.clone(),
                owner: site.owner.to_owned(),
                name: site.name.to_owned(),
                limit: layout::MAX_TYPE_DEPTH,
            });
        }
        let (tag, payload) = match ty {
            model::Type::Any => (layout::ANY, 0),
            model::Type::Boolean => (layout::BOOLEAN, 0),
            model::Type::Integer => (layout::INTEGER, 0),
            model::Type::Number => (layout::NUMBER, 0),
            model::Type::String => (layout::STRING, 0),
            model::Type::Enum(values) => (layout::ENUM, self.list(values)),
            model::Type::Array(element) => {
                let element = self.type_word(site, element, depth + 1)?;
                (layout::ARRAY, self.append(&[element]))
            }
            model::Type::Map(value) => {
                let value = self.type_word(site, value, depth + 1)?;
                (layout::MAP, self.append(&[value]))
            }
            model::Type::Object(index) => (layout::OBJECT, self.object_index(site, *index)?),
            model::Type::Union(arms) => {
                let mut block = vec![truncated(arms.len())];
                for arm in arms {
                    block.push(self.type_word(site, arm, depth + 1)?);
                }
                (layout::UNION, self.append(&block))
            }
        };
        Ok(payload << layout::TAG_BITS | tag)
    }

    fn object_index(&self, site: Site<'m>, index: u32) -> Result<u32, EncodeError> {
        let count = self.resource.types.len();
        match (index as usize) < count {
            true => Ok(index),
            false => Err(EncodeError::UnknownObjectType {
                cfn_type: self.resource.cfn_type.clone(),
                owner: site.owner.to_owned(),
                name: site.name.to_owned(),
                index,
                count,
            }),
        }
    }

    fn tags(&mut self, tags: &'m model::Tags) -> u32 {
        let style = layout::TAGS_STYLES.iter().position(|style| *style == tags.style).unwrap_or(0);
        let block = [self.string(&tags.property), truncated(style) << 1 | u32::from(tags.updatable)];
        self.append(&block)
    }

    fn auto_name(&mut self, name: &'m model::AutoName) -> u32 {
        let rule = name.suffix_rule.as_ref().map_or(0, |rule| {
            let block = [self.string(&rule.field), u32::from(rule.equals), self.string(&rule.suffix)];
            self.append(&block)
        });
        let separator = layout::SEPARATORS.iter().position(|separator| *separator == name.form.separator).unwrap_or(0);
        let form = truncated(separator) << 1 | u32::from(name.form.lower_case);
        let block = [self.string(&name.property), name.min_length, name.max_length, rule, form];
        self.append(&block)
    }

    fn property_transforms(&mut self, transforms: &'m [(String, String)]) -> u32 {
        if transforms.is_empty() {
            return 0;
        }
        let mut block = vec![truncated(transforms.len())];
        for (path, expression) in transforms {
            block.extend([self.string(path), self.string(expression)]);
        }
        self.append(&block)
    }

    fn equality(&mut self, hints: &'m [(String, model::EqualityHint)]) -> u32 {
        if hints.is_empty() {
            return 0;
        }
        let mut block = vec![truncated(hints.len())];
        for (path, hint) in hints {
            let code = layout::EQUALITY_HINTS.iter().position(|known| known == hint).unwrap_or(0);
            block.extend([self.string(path), truncated(code)]);
        }
        self.append(&block)
    }

    fn handler(&mut self, handler: &'m model::Handler) -> Result<u32, EncodeError> {
        let timeout = match handler.timeout_minutes {
            None => 0,
            Some(minutes) => minutes.checked_add(1).ok_or_else(|| self.too_large())?,
        };
        let block = [timeout, self.list(&handler.permissions)];
        Ok(self.append(&block))
    }

    fn getter(&mut self, getter: &'m model::Getter) -> u32 {
        let block = [self.string(&getter.token), self.list(&getter.ids)];
        self.append(&block)
    }

    /// The offset of `list`, which is written once however often it is used.
    fn list(&mut self, list: &'m [String]) -> u32 {
        if list.is_empty() {
            return 0;
        }
        if let Some(offset) = self.known_lists.get(list) {
            return *offset;
        }
        let mut block = vec![truncated(list.len())];
        block.extend(list.iter().map(|text| self.string(text)));
        let offset = self.append(&block);
        self.known_lists.insert(list, offset);
        offset
    }

    /// The index of `text` in the string table.
    fn string(&mut self, text: &'m str) -> u32 {
        let next = truncated(self.starts.len());
        *self.known_strings.entry(text).or_insert_with(|| {
            self.starts.push(truncated(self.strings.len()));
            self.strings.push_str(text);
            next
        })
    }

    fn append(&mut self, block: &[u32]) -> u32 {
        let offset = self.here();
        self.words.extend_from_slice(block);
        offset
    }

    fn here(&self) -> u32 {
        truncated(self.words.len())
    }

    fn too_large(&self) -> EncodeError {
        EncodeError::TooLarge { cfn_type: self.resource.cfn_type.clone() }
    }
}

/// `value` as a word. [`Encoder::finish`] refuses a record in which anything could have been cut off here: every offset
/// and index is below the number of words or of bytes.
fn truncated(value: usize) -> u32 {
    value as u32
}
