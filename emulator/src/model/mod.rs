//! Rules about models: what a read shows, how a resource is named, what an update may change.
//!
//! Pure functions over values and a [`crate::schema::ResourceType`]; what is stored is in [`crate::store`].

pub(crate) mod coerce;
pub(crate) mod conditional;
pub(crate) mod defaults;
pub(crate) mod identifier;
pub(crate) mod patch;
pub(crate) mod protection;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod reorder;
pub(crate) mod tags;
