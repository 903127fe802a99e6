//! XML answers of the AWS Query protocol.

use super::Answer;

/// An answer with a document.
pub(crate) fn document(status: u16, body: String) -> Answer {
    Answer::new(status, "text/xml", body)
}

/// The answer to a Query call: its result in the documents' namespace.
pub(crate) fn result(operation: &str, namespace: &str, result: &str, request_id: &str) -> Answer {
    document(
        200,
        format!(
            "<{operation}Response xmlns=\"{namespace}\"><{operation}Result>{result}</{operation}Result>\
             <ResponseMetadata><RequestId>{request_id}</RequestId></ResponseMetadata></{operation}Response>"
        ),
    )
}

/// An error as Query services write it; `namespace` is that of the service's documents.
pub(crate) fn error(status: u16, namespace: &str, code: &str, message: &str, request_id: &str) -> Answer {
    let side = if status < 500 { "Sender" } else { "Receiver" };
    let message = escape(message);
    document(
        status,
        format!(
            "<ErrorResponse xmlns=\"{namespace}\"><Error><Type>{side}</Type><Code>{code}</Code>\
             <Message>{message}</Message></Error><RequestId>{request_id}</RequestId></ErrorResponse>"
        ),
    )
}

/// A text as it may stand between tags.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").chars().filter(|c| !c.is_control()).collect()
}
