//! The smallest resource provider: it checks whatever it is given, and waits when it is told to.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::pin::Pin;

use protocol::engine::EngineClient;
use protocol::pulumirpc::resource_provider_server::ResourceProvider;
use protocol::pulumirpc::*;
use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

pub struct TinyProvider {
    pub engine: EngineClient,
    pub shutdown: CancellationToken,
    /// Makes the text that `GetSchema` answers, when nothing around this provider answers it.
    pub schema: fn() -> Vec<u8>,
}

/// Calls that this provider does not have, in the form that `async_trait` gives to others: it does not look into macros.
macro_rules! unimplemented_calls {
    ($($name:ident($request:ty) -> $response:ty;)*) => {$(
        fn $name<'s, 'f>(
            &'s self,
            _: Request<$request>,
        ) -> Pin<Box<dyn Future<Output = Result<Response<$response>, Status>> + Send + 'f>>
        where
            's: 'f,
            Self: 'f,
        {
            Box::pin(async { Err(Status::unimplemented(stringify!($name))) })
        }
    )*};
}

#[tonic::async_trait]
impl ResourceProvider for TinyProvider {
    type ListStream = Pin<Box<dyn Stream<Item = Result<ListResponse, Status>> + Send>>;

    async fn attach(&self, request: Request<PluginAttach>) -> Result<Response<()>, Status> {
        self.engine.attach(&request.get_ref().address);
        Ok(Response::new(()))
    }

    async fn get_plugin_info(&self, _: Request<()>) -> Result<Response<PluginInfo>, Status> {
        Ok(Response::new(PluginInfo { version: "1.2.3".into() }))
    }

    async fn get_schema(&self, _: Request<GetSchemaRequest>) -> Result<Response<GetSchemaResponse>, Status> {
        Ok(Response::new(GetSchemaResponse { schema: (self.schema)().into() }))
    }

    /// Answers the new inputs as they are, and says so to the user.
    async fn check(&self, request: Request<CheckRequest>) -> Result<Response<CheckResponse>, Status> {
        let request = request.into_inner();
        self.engine.warning(&request.urn, "checked").await;
        Ok(Response::new(CheckResponse { inputs: request.news, failures: Vec::new() }))
    }

    /// Waits until the process ends, as a wait for the cloud would.
    async fn read(&self, _: Request<ReadRequest>) -> Result<Response<ReadResponse>, Status> {
        self.shutdown.cancelled().await;
        Err(Status::cancelled("the provider is shutting down"))
    }

    /// Waits for ever, as no wait should.
    async fn create(&self, _: Request<CreateRequest>) -> Result<Response<CreateResponse>, Status> {
        std::future::pending().await
    }

    unimplemented_calls! {
        handshake(ProviderHandshakeRequest) -> ProviderHandshakeResponse;
        parameterize(ParameterizeRequest) -> ParameterizeResponse;
        check_config(CheckRequest) -> CheckResponse;
        diff_config(DiffRequest) -> DiffResponse;
        configure(ConfigureRequest) -> ConfigureResponse;
        invoke(InvokeRequest) -> InvokeResponse;
        call(CallRequest) -> CallResponse;
        diff(DiffRequest) -> DiffResponse;
        list(ListRequest) -> Self::ListStream;
        update(UpdateRequest) -> UpdateResponse;
        delete(DeleteRequest) -> ();
        construct(ConstructRequest) -> ConstructResponse;
        cancel(()) -> ();
        get_mapping(GetMappingRequest) -> GetMappingResponse;
        get_mappings(GetMappingsRequest) -> GetMappingsResponse;
    }
}
