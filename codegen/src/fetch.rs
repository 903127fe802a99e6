//! Where schemas come from: the pinned package, or a folder or archive that the user names.
//!
//! | module | what is in it |
//! |---|---|
//! | [`lock`] | `cf-schemas/lock.json`: which package, with which hash and how many schemas |
//! | [`download`] | getting that package with pip, checking it, unpacking it |
//! | [`npm`] | getting the pinned documentation with npm, checking it |
//! | [`contents`] | whether what was unpacked is still there |
//! | [`providers`] | which type the package knows in which region |
//! | [`origin`] | what `--source` and `--region` name |
//! | [`aws`] | getting AWS's archives, one per region |
//! | [`source`] | listing and reading schema files in a folder or a zip archive |
//!
//! What the files mean is not looked at here.

pub mod aws;
pub mod contents;
pub mod download;
mod error;
pub mod lock;
pub mod npm;
pub mod origin;
pub mod providers;
pub mod source;

pub use error::FetchError;
