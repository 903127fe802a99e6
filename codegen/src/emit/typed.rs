//! One Rust file per service with a struct per resource and nested object type: the typed modules.
//!
//! | module | what it decides |
//! |---|---|
//! | [`names`] | the Rust names of modules, types, members and values |
//! | [`cycles`] | which members are boxed, because their type contains itself |
//! | [`marks`] | which members are create-only, read-only and write-only |
//! | [`plan`] | from a resource's metadata to the items of its module |
//! | [`items`] | from those to syntax trees |
//! | [`features`] | the cargo features that the modules are behind |
//!
//! Every resource has a module of its own, so that inline types of one published name lose nothing; the service's module
//! re-exports them all. How values are read and written is in the macros of the `generated` crate, `src/typed/`.

mod cycles;
pub mod features;
mod items;
mod marks;
pub mod names;
mod plan;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Item, parse_quote};

use super::names::Entry;
use super::services::{add_item, rust_file, rust_text};
use super::share::Share;
use super::{EmitError, OutputFile};
use crate::package::Package;

/// The entries of a service.
pub(super) type Service<'e> = &'e [Entry<'e>];

/// `src/types/<service>.rs` for every service that no other thread has taken.
///
/// # Errors
///
/// [`EmitError::Token`], for a token that [`super::names::entries`] would have refused.
pub(super) fn emit(services: &Share<Service<'_>>, package: &Package) -> Result<Vec<OutputFile>, EmitError> {
    services.map(|service| emit_service(service, package))
}

/// The services of `entries`, to be shared.
pub(super) fn services<'e>(entries: &'e [Entry<'e>]) -> Share<Service<'e>> {
    Share::new(entries.chunk_by(|one, other| one.module == other.module).collect())
}

/// The file that declares a module per service, each behind the feature of its name.
pub(super) fn emit_modules(entries: &[Entry<'_>]) -> OutputFile {
    let services = entries.chunk_by(|one, other| one.module == other.module);
    let modules = services.flat_map(|service| service.first()).map(|entry| {
        let (feature, module) = (features::name(&entry.module), format_ident!("{}", entry.module));
        let all = features::ALL;
        quote! { #[cfg(any(feature = #feature, feature = #all))] pub mod #module; }
    });
    let modules: TokenStream = modules.collect();
    let file = parse_quote! {
        //! One module per service, each behind the feature of its name.
        #modules
    };
    rust_file("src/types/mod.rs", &file)
}

/// The file of one service, whose entries these are.
fn emit_service(entries: &[Entry<'_>], package: &Package) -> Result<OutputFile, EmitError> {
    let service = entries.first().map_or("", |entry| entry.module.as_str());
    let doc = format!(" Typed resources of the service `{service}`.");
    let mut file: syn::File = parse_quote! { #![doc = #doc] };
    let mut modules = String::new();
    for entry in entries {
        let module = plan::module(entry.resource, package).ok_or_else(|| EmitError::Token {
            cfn_type: entry.resource.cfn_type.clone(),
            token: entry.resource.token.clone(),
        })?;
        let (name, resource) = (format_ident!("{}", module.name), format_ident!("{}", module.resource));
        // Of two types of one name, only an explicit re-export is unambiguous: the resource's own struct.
        file.items.push(parse_quote! { pub use #name::#resource; });
        if module.items.len() > 1 {
            file.items.push(parse_quote! { pub use #name::*; });
        }
        add_item(&mut modules, Item::Mod(items::module(&module)));
    }
    Ok(OutputFile::new(format!("src/types/{service}.rs"), rust_text(&file) + &modules))
}
