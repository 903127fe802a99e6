//! The provider, and the cloud that it works in.

use bytes::Bytes;
use emulator::{Defaults, Emulator, Options, Profile};
use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Knowledge, Provider};
use serde_json::json;
use tests::provider::structure;
use tokio_util::sync::CancellationToken;
use tonic::Request;
use value::Map;

/// The provider and its cloud.
pub struct World {
    /// The provider, as its process has it.
    pub provider: Provider,
    /// The cloud.
    pub cloud: Emulator,
    /// Another one, which makes up other values.
    pub elsewhere: Emulator,
}

impl World {
    /// A configured provider, and a cloud that fills in and rewrites.
    pub async fn start() -> Self {
        let mut options = Options::default();
        options.switches.defaults = Defaults::Full;
        options.switches.transforms = true;
        // Every look at a request is a wait of the provider: it is over at the first, however many there are.
        options.switches.concurrency = 1024;
        options.profile = Profile::test();
        options.profile.looks = 1;
        let cloud = Emulator::builder().options(options).start().await.unwrap();
        let elsewhere = Emulator::builder().seed(2).start().await.unwrap();
        let catalog = Catalog { resource: generated::resource, package_schema: generated::PACKAGE_SCHEMA_ZST };
        let provider = Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), |_| None)
            .knowing(Knowledge { schema, ..Knowledge::NONE });
        let url = cloud.url();
        let args = structure(&json!({
            "region": "us-east-1", "accessKey": "AK", "secretKey": "SK", "skipCredentialsValidation": "true",
            "endpoints": [{"cloudcontrol": url}, {"sts": url}],
        }));
        let configure = pb::ConfigureRequest { args: Some(args), ..Default::default() };
        provider.configure(Request::new(configure)).await.unwrap();
        Self { provider, cloud, elsewhere }
    }
}

fn schema(type_name: &str) -> Option<String> {
    cfn::bundle::Bundle::open(generated::RESOURCE_SCHEMAS_ZST).ok()?.read(type_name).ok()?
}

/// Values on their way to the provider.
pub fn wire(map: &Map) -> Bytes {
    encode(map, EncodeOptions::KEEP)
}

/// Values on their way back.
pub fn read(wire: &Bytes) -> Map {
    decode(wire, DecodeOptions::KEEP).unwrap()
}
