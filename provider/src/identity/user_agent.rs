//! The user agent by which AWS attributes requests of this provider.

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::BeforeTransmitInterceptorContextMut;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::config_bag::ConfigBag;

/// The value that the Go provider sends, with the partner's product code.
const VALUE: &str = "APN/1.1 (c7qiae2l6usvzoynupds6v7hf)";

/// Replaces the SDK's `User-Agent`; that header is not signed.
#[derive(Debug)]
pub(super) struct UserAgent;

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for UserAgent {
    fn name(&self) -> &'static str {
        "UserAgent"
    }

    fn modify_before_transmit(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        context.request_mut().headers_mut().insert("user-agent", VALUE);
        Ok(())
    }
}
