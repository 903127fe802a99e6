//! The list of all records, and the tables that find one by token or by CloudFormation type.

use metadata::{FORMAT, index};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::parse_quote;

use super::names::Entry;
use super::services::rust_file;
use super::{EmitError, OutputFile};

/// `src/index.rs`.
///
/// # Errors
///
/// [`EmitError::TooManyResources`].
pub fn emit(entries: &[Entry<'_>]) -> Result<OutputFile, EmitError> {
    let count = entries.len();
    let slots = |slots: Option<Vec<u16>>| slots.ok_or(EmitError::TooManyResources { count });
    let by_token = slots(index::slots(entries.iter().map(|entry| entry.resource.token.as_str())))?;
    let by_cfn_type = slots(index::slots(entries.iter().map(|entry| entry.resource.cfn_type.as_str())))?;

    let records = entries.iter().map(|entry| {
        let (module, name) = (format_ident!("{}", entry.module), format_ident!("{}", entry.name));
        quote! { &services::#module::#name }
    });
    let format = Literal::u32_unsuffixed(FORMAT);
    let (token_slots, cfn_type_slots) = (slot_list(&by_token), slot_list(&by_cfn_type));
    let (token_len, cfn_type_len) = (by_token.len(), by_cfn_type.len());
    let file: syn::File = parse_quote! {
        //! All records in order of token, and the tables that find them by name.
        use metadata::index::Index;
        use metadata::view::Record;
        use crate::services;
        const _: () = assert!(metadata::FORMAT == #format, "the generated metadata is out of date: run `make generate`");
        /// Every record, in order of token.
        pub static RECORDS: [&Record; #count] = [#(#records),*];
        /// Finds a record by its token.
        pub static BY_TOKEN: Index = Index::new(&TOKEN_SLOTS, &RECORDS);
        /// Finds a record by its CloudFormation type.
        pub static BY_CFN_TYPE: Index = Index::new(&CFN_TYPE_SLOTS, &RECORDS);
        static TOKEN_SLOTS: [u16; #token_len] = [#token_slots];
        static CFN_TYPE_SLOTS: [u16; #cfn_type_len] = [#cfn_type_slots];
    };
    Ok(rust_file("src/index.rs", &file))
}

fn slot_list(slots: &[u16]) -> TokenStream {
    let slots = slots.iter().map(|slot| Literal::u16_unsuffixed(*slot));
    quote! { #(#slots),* }
}
