//! Values at the depth limit fit the stack that threads get by default.

use value::{MAX_DEPTH, Value, equality, json};

/// Runs `test` on a stack of 2 MiB, however the test runner is configured.
fn on_a_default_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(test).expect("threads can be made");
    assert!(thread.join().is_ok(), "the test failed");
}

/// A value of the given number of levels, made by `wrap`.
fn nested(levels: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(Value::from("leaf"), |value, _| wrap(value))
}

fn exercise(value: &Value) {
    let copy = value.clone();
    assert!(copy == *value);
    assert!(equality::equal(value, &copy));
    assert!(equality::equal_ignoring_secrets(value, &copy));
    assert!(!value.contains_unknown());
    assert!(!format!("{value:?}").is_empty());
    let projected = json::to_json(value).expect("the value has a JSON form");
    assert!(!projected.to_string().is_empty());
    let read = json::from_json(&projected);
    assert!(equality::equal_ignoring_secrets(value, &read));
}

#[test]
fn objects() {
    on_a_default_stack(|| exercise(&nested(MAX_DEPTH, |value| Value::object([("k", value)]))));
}

#[test]
fn arrays() {
    on_a_default_stack(|| exercise(&nested(MAX_DEPTH, |value| vec![value].into())));
}

#[test]
fn objects_in_secrets_in_arrays() {
    on_a_default_stack(|| {
        exercise(&nested(MAX_DEPTH / 3, |value| vec![Value::secret(Value::object([("k", value)]))].into()));
    });
}
