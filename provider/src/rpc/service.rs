//! The methods of `pulumirpc.ResourceProvider`, shielded from panics; those without a shield answer with a constant.

use std::pin::Pin;

use protocol::pulumirpc::resource_provider_server::ResourceProvider;
use tonic::{Request, Response, Status};

use super::shield::shield;
use super::{Provider, VERSION, absent, pb, schema};

/// The stream type of List, which never yields anything yet.
type Results = Pin<Box<dyn tonic::codegen::tokio_stream::Stream<Item = Result<pb::ListResponse, Status>> + Send>>;

#[tonic::async_trait]
impl ResourceProvider for Provider {
    async fn handshake(
        &self,
        request: Request<pb::ProviderHandshakeRequest>,
    ) -> Result<Response<pb::ProviderHandshakeResponse>, Status> {
        let address = request.into_inner().engine_address;
        let handler = async {
            if !address.is_empty() {
                self.engine.attach(&address);
            }
            Ok(pb::ProviderHandshakeResponse {
                accept_secrets: true,
                accept_resources: true,
                accept_outputs: false,
                supports_autonaming_configuration: true,
                ..pb::ProviderHandshakeResponse::default()
            })
        };
        shield("Handshake", "", handler).await.map(Response::new)
    }

    async fn attach(&self, request: Request<pb::PluginAttach>) -> Result<Response<()>, Status> {
        let address = request.into_inner().address;
        let handler = async {
            self.engine.attach(&address);
            Ok(())
        };
        shield("Attach", "", handler).await.map(Response::new)
    }

    async fn get_plugin_info(&self, _request: Request<()>) -> Result<Response<pb::PluginInfo>, Status> {
        Ok(Response::new(pb::PluginInfo { version: VERSION.to_owned() }))
    }

    async fn get_schema(
        &self,
        request: Request<pb::GetSchemaRequest>,
    ) -> Result<Response<pb::GetSchemaResponse>, Status> {
        let handler = async { schema::read(self.catalog.package_schema, request.get_ref()) };
        let schema = shield("GetSchema", "", handler).await?;
        Ok(Response::new(pb::GetSchemaResponse { schema }))
    }

    async fn check_config(&self, request: Request<pb::CheckRequest>) -> Result<Response<pb::CheckResponse>, Status> {
        let request = request.into_inner();
        shield("CheckConfig", &request.urn, async { self.check_config(&request) }).await.map(Response::new)
    }

    async fn diff_config(&self, request: Request<pb::DiffRequest>) -> Result<Response<pb::DiffResponse>, Status> {
        let request = request.into_inner();
        shield("DiffConfig", &request.urn, async { self.diff_config(&request) }).await.map(Response::new)
    }

    async fn configure(
        &self,
        request: Request<pb::ConfigureRequest>,
    ) -> Result<Response<pb::ConfigureResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone().unwrap_or_default();
        shield("Configure", &urn, self.set_configuration(request)).await.map(Response::new)
    }

    async fn check(&self, request: Request<pb::CheckRequest>) -> Result<Response<pb::CheckResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        shield("Check", &urn, self.check_resource(request)).await.map(Response::new)
    }

    async fn diff(&self, request: Request<pb::DiffRequest>) -> Result<Response<pb::DiffResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        shield("Diff", &urn, self.diff_resource(request)).await.map(Response::new)
    }

    async fn create(&self, request: Request<pb::CreateRequest>) -> Result<Response<pb::CreateResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        shield("Create", &urn, self.create_resource(request)).await.map(Response::new)
    }

    async fn read(&self, request: Request<pb::ReadRequest>) -> Result<Response<pb::ReadResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        shield("Read", &urn, self.read_resource(request)).await.map(Response::new)
    }

    async fn update(&self, request: Request<pb::UpdateRequest>) -> Result<Response<pb::UpdateResponse>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        shield("Update", &urn, self.update_resource(request)).await.map(Response::new)
    }

    async fn delete(&self, request: Request<pb::DeleteRequest>) -> Result<Response<()>, Status> {
        let request = request.into_inner();
        let urn = request.urn.clone();
        shield("Delete", &urn, self.delete_resource(request)).await.map(Response::new)
    }

    async fn cancel(&self, _request: Request<()>) -> Result<Response<()>, Status> {
        // The answer goes out first; the engine interrupts the process afterwards. Cancelling runs the wakers of whoever
        // waits, hence the shield.
        let handler = async {
            self.operations.cancel();
            Ok(())
        };
        shield("Cancel", "", handler).await.map(Response::new)
    }

    async fn invoke(&self, request: Request<pb::InvokeRequest>) -> Result<Response<pb::InvokeResponse>, Status> {
        let token = request.into_inner().tok;
        let handler = async {
            self.configured()?;
            Err(absent(&format!("function {token}"), "read the resource with its `get` method instead"))
        };
        shield("Invoke", &token, handler).await
    }

    type ListStream = Results;

    async fn list(&self, request: Request<pb::ListRequest>) -> Result<Response<Self::ListStream>, Status> {
        let token = request.into_inner().token;
        let handler = async {
            self.configured()?;
            Err(absent(&format!("List of {token}"), "find identifiers with `aws cloudcontrol list-resources`"))
        };
        shield("List", &token, handler).await
    }

    async fn call(&self, _request: Request<pb::CallRequest>) -> Result<Response<pb::CallResponse>, Status> {
        Err(Status::unimplemented("Call is not yet implemented"))
    }

    async fn construct(
        &self,
        request: Request<pb::ConstructRequest>,
    ) -> Result<Response<pb::ConstructResponse>, Status> {
        let token = request.into_inner().r#type;
        Err(Status::unimplemented(format!("Construct of {token}: the aws-native provider has no components")))
    }

    async fn parameterize(
        &self,
        _request: Request<pb::ParameterizeRequest>,
    ) -> Result<Response<pb::ParameterizeResponse>, Status> {
        Err(Status::unimplemented("Parameterize: the aws-native provider has no sub-packages"))
    }

    async fn get_mapping(
        &self,
        _request: Request<pb::GetMappingRequest>,
    ) -> Result<Response<pb::GetMappingResponse>, Status> {
        Ok(Response::new(pb::GetMappingResponse::default()))
    }

    async fn get_mappings(
        &self,
        _request: Request<pb::GetMappingsRequest>,
    ) -> Result<Response<pb::GetMappingsResponse>, Status> {
        Ok(Response::new(pb::GetMappingsResponse::default()))
    }
}
