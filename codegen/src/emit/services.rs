//! One Rust file per service, with one documented `static` per resource.
//!
//! Items are `syn` trees printed with `prettyplease`. The words of a record are put into the tree directly: half a
//! million numbers would otherwise be written as tokens only to be parsed again.

use metadata::Encoded;
use proc_macro2::Span;
use quote::format_ident;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprArray, ExprCall, ExprLit, ExprReference, Item, ItemStatic, Lit, LitInt, LitStr, parse_quote};

use super::names::Entry;
use super::{EmitError, MARKER, OutputFile};

/// `src/services/<service>.rs` for every service of `entries`, and the `mod.rs` that declares them.
///
/// # Errors
///
/// [`EmitError::Encode`] names the resource that cannot be packed.
pub fn emit(entries: &[Entry<'_>]) -> Result<Vec<OutputFile>, EmitError> {
    let services: Vec<&[Entry<'_>]> = entries.chunk_by(|one, other| one.module == other.module).collect();
    let files = services.iter().map(|service| emit_service(service));
    std::iter::once(Ok(emit_modules(&services))).chain(files).collect()
}

/// The file that declares a module per service.
fn emit_modules(services: &[&[Entry<'_>]]) -> OutputFile {
    let modules = services.iter().flat_map(|service| service.first());
    let modules = modules.map(|entry| format_ident!("{}", entry.module));
    let file = parse_quote! {
        //! One module per service, one record per resource type.
        #(pub mod #modules;)*
    };
    rust_file("src/services/mod.rs", &file)
}

/// The file of one service, whose entries these are.
fn emit_service(entries: &[Entry<'_>]) -> Result<OutputFile, EmitError> {
    let module = entries.first().map_or("", |entry| entry.module.as_str());
    let doc = format!(" Resource types of the service `{module}`.");
    let mut text = rust_text(&parse_quote! {
        #![doc = #doc]
        use metadata::view::Record;
    });
    for entry in entries {
        let encoded = metadata::encode(entry.resource)?;
        add_item(&mut text, Item::Static(record_item(entry, &encoded)));
    }
    Ok(OutputFile::new(format!("src/services/{module}.rs"), text))
}

/// `pub static NAME: Record = Record::new("…", &[…]);`
fn record_item(entry: &Entry<'_>, encoded: &Encoded) -> ItemStatic {
    let doc = format!(" CloudFormation type `{}`, Pulumi token `{}`.", entry.resource.cfn_type, entry.resource.token);
    let name = format_ident!("{}", entry.name);
    let mut item: ItemStatic = parse_quote! { #[doc = #doc] pub static #name: Record = (); };

    let strings = literal(Lit::Str(LitStr::new(&encoded.strings, Span::call_site())));
    let words = encoded.words.iter().map(|word| literal(Lit::Int(LitInt::new(&word.to_string(), Span::call_site()))));
    let words = Expr::Array(ExprArray {
        attrs: Vec::new(),
        bracket_token: syn::token::Bracket::default(),
        elems: words.collect(),
    });
    let words = Expr::Reference(ExprReference {
        attrs: Vec::new(),
        and_token: syn::token::And::default(),
        mutability: None,
        expr: Box::new(words),
    });
    *item.expr = Expr::Call(ExprCall {
        attrs: Vec::new(),
        func: parse_quote! { Record::new },
        paren_token: syn::token::Paren::default(),
        args: Punctuated::from_iter([strings, words]),
    });
    item
}

fn literal(lit: Lit) -> Expr {
    Expr::Lit(ExprLit { attrs: Vec::new(), lit })
}

/// Prints a generated file below its first line.
pub(super) fn rust_file(path: &str, file: &syn::File) -> OutputFile {
    OutputFile::new(path, rust_text(file))
}

/// The text of a generated file, its first line included.
pub(super) fn rust_text(file: &syn::File) -> String {
    let mut text = MARKER.to_owned();
    text.push_str(&prettyplease::unparse(file));
    text
}

/// Prints one more item below `text`. The tree of a large service is many times the size of its text, so
/// that files with many items are printed item by item.
pub(super) fn add_item(text: &mut String, item: Item) {
    let file = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
    text.push_str(&prettyplease::unparse(&file));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;
    use crate::emit::names::entries;
    use metadata::model::{Property, Resource, Type};

    #[test]
    fn the_text_of_a_service() {
        let queue = Resource {
            token: "aws-native:sqs:Queue".to_owned(),
            cfn_type: "AWS::SQS::Queue".to_owned(),
            properties: vec![Property {
                name: "queueName".to_owned(),
                cfn_name: "QueueName".to_owned(),
                ty: Type::String,
                input: true,
                ..Property::default()
            }],
            ..Resource::default()
        };
        let resources = [queue];
        let files = emit(&entries(&resources).unwrap()).unwrap();
        let text = |index: usize| String::from_utf8(files[index].bytes.clone()).unwrap();
        assert_eq!(
            text(0),
            "// @generated by `make generate`; changes are lost.\n\
             //! One module per service, one record per resource type.\n\
             pub mod sqs;\n"
        );
        assert_eq!(
            text(1),
            "// @generated by `make generate`; changes are lost.\n\
             //! Resource types of the service `sqs`.\n\
             use metadata::view::Record;\n\
             /// CloudFormation type `AWS::SQS::Queue`, Pulumi token `aws-native:sqs:Queue`.\n\
             pub static QUEUE: Record = Record::new(\n    \
                 \"aws-native:sqs:QueueAWS::SQS::QueuequeueNameQueueName\",\n    \
                 &[\n        \
                     27, 0, 1, 22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 3, 4,\n        \
                     1, 0, 20, 35, 44, 53,\n    \
                 ],\n\
             );\n"
        );
    }
}
