//! The methods of `pulumirpc.ResourceProvider`: every one is shielded from panics and can be logged.

use std::pin::Pin;
use std::sync::atomic::Ordering;

use protocol::pulumirpc::resource_provider_server::ResourceProvider;
use serde_json::json;
use tonic::{Request, Response, Status};

use super::record::{Form, around};
use super::shield::shield;
use super::{Provider, VERSION, absent, functions, pb, schema};
use crate::journal::decide;

/// The stream type of List, which never yields anything yet.
type Results = Pin<Box<dyn tonic::codegen::tokio_stream::Stream<Item = Result<pb::ListResponse, Status>> + Send>>;

impl Provider {
    /// Answers one request. `about` says in the text of a bug what the call was about.
    async fn answer<Q: Form, R: Form, F: Future<Output = Result<R, Status>>>(
        &self,
        method: &'static str,
        about: &str,
        request: Q,
        handler: impl FnOnce(Q) -> F,
    ) -> Result<Response<R>, Status> {
        let line = self.recorder.line(method, &request);
        around(line, shield(method, about, handler(request)), R::form).await.map(Response::new)
    }
}

#[tonic::async_trait]
impl ResourceProvider for Provider {
    async fn handshake(
        &self,
        request: Request<pb::ProviderHandshakeRequest>,
    ) -> Result<Response<pb::ProviderHandshakeResponse>, Status> {
        let handler = async |request: pb::ProviderHandshakeRequest| {
            if !request.engine_address.is_empty() {
                self.engine.attach(&request.engine_address);
            }
            self.engine_reads_first.store(request.supports_refresh_before_update, Ordering::Relaxed);
            Ok(pb::ProviderHandshakeResponse {
                accept_secrets: true,
                accept_resources: true,
                accept_outputs: false,
                supports_autonaming_configuration: true,
                ..pb::ProviderHandshakeResponse::default()
            })
        };
        self.answer("Handshake", "", request.into_inner(), handler).await
    }

    async fn attach(&self, request: Request<pb::PluginAttach>) -> Result<Response<()>, Status> {
        let handler = async |request: pb::PluginAttach| {
            self.engine.attach(&request.address);
            Ok(())
        };
        self.answer("Attach", "", request.into_inner(), handler).await
    }

    async fn get_plugin_info(&self, request: Request<()>) -> Result<Response<pb::PluginInfo>, Status> {
        let handler = async |()| Ok(pb::PluginInfo { version: VERSION.to_owned() });
        self.answer("GetPluginInfo", "", request.into_inner(), handler).await
    }

    async fn get_schema(
        &self,
        request: Request<pb::GetSchemaRequest>,
    ) -> Result<Response<pb::GetSchemaResponse>, Status> {
        let handler = async |request: pb::GetSchemaRequest| {
            let schema = schema::read(self.catalog.package_schema, &request)?;
            Ok(pb::GetSchemaResponse { schema })
        };
        self.answer("GetSchema", "", request.into_inner(), handler).await
    }

    async fn check_config(&self, request: Request<pb::CheckRequest>) -> Result<Response<pb::CheckResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        let handler = async |request: pb::CheckRequest| self.check_config(&request).await;
        self.answer("CheckConfig", &urn, request, handler).await
    }

    async fn diff_config(&self, request: Request<pb::DiffRequest>) -> Result<Response<pb::DiffResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        let handler = async |request: pb::DiffRequest| self.diff_config(&request);
        self.answer("DiffConfig", &urn, request, handler).await
    }

    async fn configure(
        &self,
        request: Request<pb::ConfigureRequest>,
    ) -> Result<Response<pb::ConfigureResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone().unwrap_or_default();
        self.answer("Configure", &urn, request, |request| self.set_configuration(request)).await
    }

    async fn check(&self, request: Request<pb::CheckRequest>) -> Result<Response<pb::CheckResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        self.answer("Check", &urn, request, |request| self.check_resource(request)).await
    }

    async fn diff(&self, request: Request<pb::DiffRequest>) -> Result<Response<pb::DiffResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        self.answer("Diff", &urn, request, |request| self.diff_resource(request)).await
    }

    async fn create(&self, request: Request<pb::CreateRequest>) -> Result<Response<pb::CreateResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        self.answer("Create", &urn, request, |request| self.create_resource(request)).await
    }

    async fn read(&self, request: Request<pb::ReadRequest>) -> Result<Response<pb::ReadResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        self.answer("Read", &urn, request, |request| self.read_resource(request)).await
    }

    async fn update(&self, request: Request<pb::UpdateRequest>) -> Result<Response<pb::UpdateResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        self.answer("Update", &urn, request, |request| self.update_resource(request)).await
    }

    async fn delete(&self, request: Request<pb::DeleteRequest>) -> Result<Response<()>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        self.answer("Delete", &urn, request, |request| self.delete_resource(request)).await
    }

    async fn cancel(&self, request: Request<()>) -> Result<Response<()>, Status> {
        // The answer goes out first; the engine interrupts the process afterwards. Cancelling runs the wakers of whoever
        // waits, hence the shield.
        let handler = async |()| {
            self.operations.cancel();
            // Every engine that ends its work says so, and has all answers then that it was given.
            if let Some(configured) = self.configured.get() {
                configured.journal.settle_answered();
                for entry in configured.journal.forsaken() {
                    let text = match configured.journal.is_of_another(&entry) {
                        true => decide::of_another(&entry),
                        false => decide::forsaken(&entry),
                    };
                    tracing::warn!("{text}");
                }
            }
            Ok(())
        };
        self.answer("Cancel", "", request.into_inner(), handler).await
    }

    async fn invoke(&self, request: Request<pb::InvokeRequest>) -> Result<Response<pb::InvokeResponse>, Status> {
        let request = request.into_inner();
        let token = request.tok.clone();
        let handler = async |request: pb::InvokeRequest| {
            self.configured()?;
            match functions::instead(&request.tok, self.catalog.resource) {
                Some(way) => Err(absent(&format!("function {}", request.tok), &way)),
                None => Err(Status::not_found(format!(
                    "function {} not found: version {VERSION} of the aws-native plugin does not have it; check the \
                     spelling, or use the plugin version that belongs to the SDK",
                    request.tok
                ))),
            }
        };
        self.answer("Invoke", &token, request, handler).await
    }

    type ListStream = Results;

    async fn list(&self, request: Request<pb::ListRequest>) -> Result<Response<Self::ListStream>, Status> {
        let request = request.into_inner();
        let handler = async {
            self.configured()?;
            let what = format!("List of {}", request.token);
            Err(absent(&what, "find identifiers with `aws cloudcontrol list-resources`"))
        };
        let line = self.recorder.line("List", &request);
        around(line, shield("List", &request.token, handler), |_| json!("(a stream)")).await
    }

    async fn call(&self, request: Request<pb::CallRequest>) -> Result<Response<pb::CallResponse>, Status> {
        let handler = async |_| Err(Status::unimplemented("Call is not yet implemented"));
        self.answer("Call", "", request.into_inner(), handler).await
    }

    async fn construct(
        &self,
        request: Request<pb::ConstructRequest>,
    ) -> Result<Response<pb::ConstructResponse>, Status> {
        let handler = async |request: pb::ConstructRequest| {
            let token = request.r#type;
            Err(Status::unimplemented(format!("Construct of {token}: the aws-native provider has no components")))
        };
        self.answer("Construct", "", request.into_inner(), handler).await
    }

    async fn parameterize(
        &self,
        request: Request<pb::ParameterizeRequest>,
    ) -> Result<Response<pb::ParameterizeResponse>, Status> {
        let handler = async |_| Err(Status::unimplemented("Parameterize: the aws-native provider has no sub-packages"));
        self.answer("Parameterize", "", request.into_inner(), handler).await
    }

    async fn get_mapping(
        &self,
        request: Request<pb::GetMappingRequest>,
    ) -> Result<Response<pb::GetMappingResponse>, Status> {
        let handler = async |_| Ok(pb::GetMappingResponse::default());
        self.answer("GetMapping", "", request.into_inner(), handler).await
    }

    async fn get_mappings(
        &self,
        request: Request<pb::GetMappingsRequest>,
    ) -> Result<Response<pb::GetMappingsResponse>, Status> {
        let handler = async |_| Ok(pb::GetMappingsResponse::default());
        self.answer("GetMappings", "", request.into_inner(), handler).await
    }
}
