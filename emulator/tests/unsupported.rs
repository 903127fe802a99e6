//! Operations that a type of the published schemas has no handler for.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use serde_json::json;
use support::published;

const ACTIONS: [(&str, &str, &str); 5] = [
    ("CreateResource", "CREATE", "create"),
    ("GetResource", "READ", "read"),
    ("UpdateResource", "UPDATE", "update"),
    ("DeleteResource", "DELETE", "delete"),
    ("ListResources", "LIST", "list"),
];

#[test]
fn operations_without_a_handler_are_refused_by_name() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let mut counts = [0; 6];
    for schema in &schemas {
        let type_name = schema["typeName"].as_str().unwrap();
        let has = |handler: &str| schema["handlers"].get(handler).is_some();
        let is_bare = ACTIONS.iter().all(|(_, _, handler)| !has(handler));
        counts[5] += usize::from(is_bare);
        for (index, (operation, action, handler)) in
            ACTIONS.iter().enumerate().filter(|(_, (_, _, handler))| !has(handler))
        {
            counts[index] += usize::from(!is_bare);
            let body = json!({"TypeName": type_name, "Identifier": "x", "DesiredState": "{}", "PatchDocument": "[]"});
            let expected =
                format!("UnsupportedActionException: Resource type {type_name} does not support {action} action");
            assert_eq!(client.refused(operation, &body), expected, "{handler}");
        }
    }
    // Create, read, update, delete, list of types with other handlers; types with none at all.
    assert_eq!(counts, [0, 7, 174, 0, 78, 135]);
    let unknown = client.refused("GetResource", &json!({"TypeName": "AWS::No::Such", "Identifier": "x"}));
    assert_eq!(unknown, "TypeNotFoundException: The type 'AWS::No::Such' cannot be found.");
}
