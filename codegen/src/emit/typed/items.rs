//! From the items of a module to syntax trees, put together directly: parsing half a million tokens would take longer
//! than everything else.

use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenTree};
use syn::punctuated::Punctuated;
use syn::token;
use syn::{
    AngleBracketedGenericArguments, AttrStyle, Attribute, Expr, ExprLit, Field, FieldModifiers, Fields, FieldsNamed,
    FieldsUnnamed, GenericArgument, Generics, ItemEnum, ItemMacro, ItemMod, ItemStruct, Lit, LitStr, Macro,
    MacroDelimiter, Meta, MetaList, MetaNameValue, Path, PathArguments, PathSegment, Type, TypePath, Variant,
    Visibility, parse_quote,
};

use super::names::{OTHER_MEMBER, OTHER_VARIANT};
use super::plan::{Enum, Item, Module, RustType, Struct, Union};
use crate::text::visible;

/// The module of a resource.
pub(super) fn module(module: &Module<'_>) -> ItemMod {
    let doc = format!(" CloudFormation type `{}`, Pulumi token `{}`.", module.cfn_type, module.token);
    let (name, resource) = (ident(&module.name), ident(&module.resource));
    let (cfn_type, token) = (module.cfn_type, module.token);
    let mut item: ItemMod = parse_quote! {
        #[doc = #doc]
        pub mod #name {
            use crate::typed::prelude::*;
            resource!(#resource, #cfn_type, #token);
        }
    };
    if let Some((_, items)) = &mut item.content {
        for item in &module.items {
            match item {
                Item::Struct(item) => items.extend(structure(item)),
                Item::Enum(item) => items.extend(enumeration(item)),
                Item::Union(item) => items.extend(union(item)),
            }
        }
    }
    item
}

fn structure(item: &Struct<'_>) -> [syn::Item; 2] {
    let name = ident(&item.name);
    let mut fields: Punctuated<Field, token::Comma> = Punctuated::new();
    let mut table = start_table(&name);
    for member in &item.members {
        let ty = path("Option", [rust_type(&member.ty)]);
        fields.push(field(Some(&member.doc), &member.name, ty));
        table_row(&mut table, &member.name, Some(member.cfn_name));
    }
    let other = path("BTreeMap", [path("String", []), path("Value", [])]);
    fields.push(field(Some("Members that the schema does not know."), OTHER_MEMBER, other));
    let attrs = attributes(item.doc.as_deref(), &["Clone", "Default", "PartialEq"]);
    let item = ItemStruct {
        attrs,
        vis: public(),
        struct_token: token::Struct::default(),
        ident: name,
        generics: Generics::default(),
        fields: Fields::Named(FieldsNamed { brace_token: token::Brace::default(), named: fields }),
        semi_token: None,
    };
    [syn::Item::Struct(item), call("members", table)]
}

fn enumeration(item: &Enum<'_>) -> [syn::Item; 2] {
    let name = ident(&item.name);
    let mut variants: Punctuated<Variant, token::Comma> = Punctuated::new();
    let mut table = start_table(&name);
    for (variant, value) in &item.values {
        variants.push(plain_variant(variant, value));
        table_row(&mut table, variant, Some(value));
    }
    variants.push(holding_variant("A value that the schema does not know.", OTHER_VARIANT, path("String", [])));
    [enum_item(name, item.doc.as_deref(), variants), call("values", table)]
}

fn union(item: &Union) -> [syn::Item; 2] {
    let name = ident(&item.name);
    let mut variants: Punctuated<Variant, token::Comma> = Punctuated::new();
    let mut table = start_table(&name);
    for (variant, ty) in &item.arms {
        variants.push(holding_variant("", variant, rust_type(ty)));
        table_row(&mut table, variant, None);
    }
    variants.push(holding_variant("A value that fits nothing else.", OTHER_VARIANT, path("Value", [])));
    [enum_item(name, None, variants), call("arms", table)]
}

fn enum_item(name: Ident, doc: Option<&str>, variants: Punctuated<Variant, token::Comma>) -> syn::Item {
    syn::Item::Enum(ItemEnum {
        attrs: attributes(doc, &["Clone", "PartialEq"]),
        vis: public(),
        enum_token: token::Enum::default(),
        ident: name,
        generics: Generics::default(),
        brace_token: token::Brace::default(),
        variants,
    })
}

fn plain_variant(name: &str, value: &str) -> Variant {
    Variant {
        attrs: vec![doc_attribute(&format!("`{value}`"))],
        ident: ident(name),
        fields: Fields::Unit,
        discriminant: None,
    }
}

fn holding_variant(doc: &str, name: &str, ty: Type) -> Variant {
    let field = Field {
        attrs: Vec::new(),
        vis: Visibility::Inherited,
        modifiers: FieldModifiers::default(),
        default: None,
        ident: None,
        colon_token: None,
        ty,
    };
    let fields = FieldsUnnamed { paren_token: token::Paren::default(), unnamed: Punctuated::from_iter([field]) };
    let attrs = if doc.is_empty() { Vec::new() } else { vec![doc_attribute(doc)] };
    Variant { attrs, ident: ident(name), fields: Fields::Unnamed(fields), discriminant: None }
}

fn field(doc: Option<&str>, name: &str, ty: Type) -> Field {
    Field {
        attrs: doc.map(doc_attribute).into_iter().collect(),
        vis: public(),
        modifiers: FieldModifiers::default(),
        default: None,
        ident: Some(ident(name)),
        colon_token: Some(token::Colon::default()),
        ty,
    }
}

fn rust_type(ty: &RustType) -> Type {
    match ty {
        RustType::Value => path("Value", []),
        RustType::Bool => path("bool", []),
        RustType::Integer => path("i64", []),
        RustType::Number => path("Number", []),
        RustType::String => path("String", []),
        RustType::Named(name) => path(name, []),
        RustType::Boxed(name) => path("Box", [path(name, [])]),
        RustType::List(items) => path("Vec", [rust_type(items)]),
        RustType::Map(values) => path("BTreeMap", [path("String", []), rust_type(values)]),
    }
}

/// `Name` or `Name<A, B>`.
fn path<const N: usize>(name: &str, arguments: [Type; N]) -> Type {
    let arguments = if N == 0 {
        PathArguments::None
    } else {
        PathArguments::AngleBracketed(AngleBracketedGenericArguments {
            colon2_token: None,
            lt_token: token::Lt::default(),
            args: arguments.into_iter().map(GenericArgument::Type).collect(),
            gt_token: token::Gt::default(),
        })
    };
    let segment = PathSegment { ident: ident(name), arguments };
    Type::Path(TypePath {
        attrs: Vec::new(),
        qself: None,
        path: Path { leading_colon: None, segments: Punctuated::from_iter([segment]) },
    })
}

fn attributes(doc: Option<&str>, traits: &[&str]) -> Vec<Attribute> {
    doc.map(doc_attribute).into_iter().chain([derive(traits)]).collect()
}

/// `/// text`, the text as [`visible`] makes it: rustc takes no carriage return in a comment, nor what turns the direction
/// of writing, and a line feed would end it.
fn doc_attribute(text: &str) -> Attribute {
    let text = Lit::Str(LitStr::new(&format!(" {}", visible(text)), Span::call_site()));
    Attribute {
        pound_token: token::Pound::default(),
        style: AttrStyle::Outer,
        bracket_token: token::Bracket::default(),
        meta: Meta::NameValue(MetaNameValue {
            path: simple_path("doc"),
            eq_token: token::Eq::default(),
            value: Expr::Lit(ExprLit { attrs: Vec::new(), lit: text }),
        }),
    }
}

/// `#[derive(A, B)]`
fn derive(traits: &[&str]) -> Attribute {
    let mut tokens: Vec<TokenTree> = Vec::new();
    for name in traits {
        if !tokens.is_empty() {
            tokens.push(Punct::new(',', Spacing::Alone).into());
        }
        tokens.push(ident(name).into());
    }
    Attribute {
        pound_token: token::Pound::default(),
        style: AttrStyle::Outer,
        bracket_token: token::Bracket::default(),
        meta: Meta::List(MetaList {
            path: simple_path("derive"),
            delimiter: MacroDelimiter::Paren(token::Paren::default()),
            tokens: tokens.into_iter().collect(),
        }),
    }
}

fn simple_path(name: &str) -> Path {
    let segment = PathSegment { ident: ident(name), arguments: PathArguments::None };
    Path { leading_colon: None, segments: Punctuated::from_iter([segment]) }
}

fn public() -> Visibility {
    Visibility::Public(token::Pub::default())
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

fn start_table(name: &Ident) -> Vec<TokenTree> {
    vec![name.clone().into(), Punct::new(';', Spacing::Alone).into()]
}

/// `name = "text",`, or `name,` where there is no text.
fn table_row(table: &mut Vec<TokenTree>, name: &str, text: Option<&str>) {
    table.push(ident(name).into());
    if let Some(text) = text {
        table.push(Punct::new('=', Spacing::Alone).into());
        table.push(Literal::string(text).into());
    }
    table.push(Punct::new(',', Spacing::Alone).into());
}

fn call(name: &str, tokens: Vec<TokenTree>) -> syn::Item {
    syn::Item::Macro(ItemMacro {
        attrs: Vec::new(),
        ident: None,
        mac: Macro {
            path: simple_path(name),
            bang_token: token::Not::default(),
            delimiter: MacroDelimiter::Paren(token::Paren::default()),
            tokens: tokens.into_iter().collect(),
        },
        semi_token: Some(token::Semi::default()),
    })
}
