//! `pulumi-resource-aws-native`: the provider as the plugin process that the Pulumi engine starts.

use std::process::ExitCode;

use cfn::bundle::Bundle;
use protocol::plugin::{self, GrpcService, Plugin};
use protocol::schema::WithSchema;
use provider::rpc::{Catalog, Knowledge, Provider, install_panic_hook};

/// Property values are many small allocations, which this one makes in less than half the system's instructions.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PROGRAM: &str = "pulumi-resource-aws-native";

fn main() -> ExitCode {
    install_panic_hook();
    plugin::main(PROGRAM, start)
}

/// The service with the embedded tables. Nothing is read, connected or allocated in size here: the port is announced
/// after this.
fn start(plugin: Plugin) -> impl GrpcService {
    provider::log::install(plugin.arguments.verbosity);
    let catalog = Catalog { resource: generated::resource, package_schema: generated::PACKAGE_SCHEMA_ZST };
    let knowledge = Knowledge {
        schema: resource_schema,
        offered: generated::is_offered_in,
        regions: |resource| generated::regions_offering(resource).map(Iterator::collect),
    };
    let provider = Provider::new(catalog, plugin.engine, &plugin.shutdown, variable).knowing(knowledge);
    let (inflight, shutdown) = (provider.inflight(), plugin.shutdown);
    tokio::spawn(async move {
        shutdown.cancelled().await;
        for words in inflight.last_words() {
            tracing::warn!("{words}");
        }
    });
    let schema = provider.schema_source();
    WithSchema::new(plugin::resource_provider(provider), schema)
}

/// The schema of a type. That a part of the program is damaged is no reason to refuse what it is not needed for.
fn resource_schema(type_name: &str) -> Option<String> {
    Bundle::open(generated::RESOURCE_SCHEMAS_ZST).ok()?.read(type_name).ok()?
}

#[allow(clippy::disallowed_methods)] // the edge of the program
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
