//! The smallest plugin process; the process tests start it.

use std::process::ExitCode;

#[path = "../tests/support/provider.rs"]
mod provider;

fn main() -> ExitCode {
    protocol::plugin::main("pulumi-resource-tiny", |plugin| {
        protocol::plugin::resource_provider(provider::TinyProvider {
            engine: plugin.engine,
            shutdown: plugin.shutdown,
            schema: Vec::new,
        })
    })
}
