//! `src/regions.rs`: which record's type is offered in which region.

use metadata::regions;
use proc_macro2::Literal;
use syn::parse_quote;

use super::names::Entry;
use super::services::rust_file;
use super::{EmitError, OutputFile};
use crate::availability::Availability;

/// `src/regions.rs`, with the sets of the records in their order.
///
/// # Errors
///
/// [`EmitError::TooManyResources`].
pub fn emit(entries: &[Entry<'_>], availability: &Availability) -> Result<OutputFile, EmitError> {
    let names = availability.regions();
    let offered = entries.iter().map(|entry| availability.offered(&entry.resource.cfn_type));
    let packed = regions::pack(names.len(), offered).ok_or(EmitError::TooManyResources { count: entries.len() })?;
    let sets = packed.sets.iter().map(|word| Literal::u64_unsuffixed(*word));
    let of_record = packed.of_record.iter().map(|number| Literal::u16_unsuffixed(*number));
    let file: syn::File = parse_quote! {
        //! Which resource type is offered in which region.
        use metadata::regions::Regions;
        /// The regions of every record, in order of token.
        pub static REGIONS: Regions = Regions::new(&[#(#names),*], &[#(#sets),*], &[#(#of_record),*]);
    };
    Ok(rust_file("src/regions.rs", &file))
}
