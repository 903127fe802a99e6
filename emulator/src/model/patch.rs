//! Patch documents (RFC 6902) as the service takes them: a leading slash may be missing, numbers are compared by value,
//! and nothing is changed unless every operation applies.

use json_patch::PatchOperation;
use serde_json::Value;

/// The largest model that a patch may build, in bytes of JSON text; `copy` could double it with every operation.
const LARGEST_RESULT: usize = 1 << 20;

/// How much the operations of one patch may copy, walk through and shift, in bytes of JSON text. It bounds the time that
/// a small patch of a large model takes; no patch that changes what it says once comes near it.
const MOST_WORK: usize = 16 << 20;

/// How many elements that a list moves aside count as one byte of work.
const SHIFTED: usize = 4;

/// Applies a patch document given as text.
///
/// # Errors
///
/// A text that names the operation, its path and the reason. Values are not repeated.
pub(crate) fn apply(document: &str, model: &Value) -> Result<Value, String> {
    let mut operations = match crate::json::parse(document) {
        Ok(Value::Array(operations)) => operations,
        Ok(_) => return Err("Invalid patch update: the patch document is not an array of operations".to_owned()),
        Err(error) => return Err(format!("Invalid patch update: the patch document is {error}")),
    };
    let mut patched = Patched { model: model.clone(), size: size(model), work: 0 };
    for (index, operation) in operations.iter_mut().enumerate() {
        add_leading_slashes(operation);
        patched.apply(operation).map_err(|reason| {
            let word = |member: &str| operation.get(member).and_then(Value::as_str).unwrap_or("?").to_owned();
            format!("Invalid patch update: operation {index} ({} {}) {reason}", word("op"), word("path"))
        })?;
    }
    Ok(patched.model)
}

/// The steps of the path of an operation, with or without its leading slash.
pub(crate) fn steps(path: &str) -> Vec<String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let steps = path.split('/').map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.filter(|_| !path.is_empty()).collect()
}

fn add_leading_slashes(operation: &mut Value) {
    for member in ["path", "from"] {
        if let Some(Value::String(path)) = operation.get_mut(member)
            && !path.is_empty()
            && !path.starts_with('/')
        {
            path.insert(0, '/');
        }
    }
}

/// A model between two operations.
struct Patched {
    model: Value,
    /// About its size in bytes of JSON text.
    size: usize,
    /// What was copied, walked through and shifted so far.
    work: usize,
}

impl Patched {
    fn apply(&mut self, operation: &Value) -> Result<(), String> {
        // The reader's own text may repeat values, which may be secrets.
        let operation: PatchOperation = serde::Deserialize::deserialize(operation)
            .map_err(|_| "is not a valid operation of RFC 6902".to_owned())?;
        match &operation {
            PatchOperation::Test(test) => {
                let found = self.model.pointer(test.path.as_str()).ok_or("failed: there is no value at the path")?;
                let is_equal = crate::json::equal(found, &test.value);
                return if is_equal { Ok(()) } else { Err("failed: the value differs".to_owned()) };
            }
            PatchOperation::Add(add) => self.will_put(add.path.as_str(), &add.value)?,
            PatchOperation::Replace(replace) => {
                self.will_go(replace.path.as_str());
                self.will_come(replace.path.as_str(), &Weight::of(&replace.value))?;
            }
            PatchOperation::Remove(remove) => {
                self.will_shift(remove.path.as_str())?;
                self.will_go(remove.path.as_str());
            }
            PatchOperation::Copy(copy) => self.will_take(copy.from.as_str(), copy.path.as_str())?,
            PatchOperation::Move(moved) => {
                let (from, path) = (moved.from.as_str(), moved.path.as_str());
                if path.starts_with(&format!("{from}/")) {
                    return Err("cannot move a value into itself".to_owned());
                }
                self.will_shift(from)?;
                self.will_take(from, path)?;
                self.will_go(from);
            }
        }
        json_patch::patch(&mut self.model, &[operation]).map_err(|error| format!("cannot be applied: {}", error.kind))
    }

    /// Notes that what stands at `from` will stand at `path`. Whoever applies the operation says what is wrong with a
    /// place that there is not.
    fn will_take(&mut self, from: &str, path: &str) -> Result<(), String> {
        self.model.pointer(from).map(Weight::of).map_or(Ok(()), |weight| self.will_come_between(path, &weight))
    }

    /// Notes that a value will be put at a place.
    fn will_put(&mut self, path: &str, value: &Value) -> Result<(), String> {
        self.will_come_between(path, &Weight::of(value))
    }

    /// The same of something put into an object, where it takes the place of what has its name, or into a list.
    fn will_come_between(&mut self, path: &str, weight: &Weight) -> Result<(), String> {
        self.will_shift(path)?;
        if !parent(&self.model, path).is_some_and(Value::is_array) {
            self.will_go(path);
        }
        self.will_come(path, weight)
    }

    /// Holds what an operation adds against the limits, before it is added.
    fn will_come(&mut self, path: &str, weight: &Weight) -> Result<(), String> {
        self.will_work(weight.size)?;
        if weight.depth > 0 && steps_of(path) + weight.depth > crate::json::DEPTH_LIMIT {
            return Err(format!("makes the model {}", crate::json::JsonError::TooDeep));
        }
        self.size += weight.size + name_size(path);
        if self.size > LARGEST_RESULT {
            return Err(format!("makes the model larger than {LARGEST_RESULT} bytes"));
        }
        Ok(())
    }

    /// Notes that what stands at a place, if anything does, will not any more.
    fn will_go(&mut self, path: &str) {
        if let Some(value) = self.model.pointer(path) {
            self.size = self.size.saturating_sub(Weight::of(value).size + name_size(path));
        }
    }

    /// Notes that the elements of the list that a place is in may move.
    fn will_shift(&mut self, path: &str) -> Result<(), String> {
        let elements = parent(&self.model, path).and_then(Value::as_array).map_or(0, Vec::len);
        self.will_work(elements / SHIFTED)
    }

    fn will_work(&mut self, work: usize) -> Result<(), String> {
        self.work += work;
        if self.work > MOST_WORK {
            return Err(format!(
                "is too much: the operations up to it copy or move more than {MOST_WORK} bytes; send fewer in one patch"
            ));
        }
        Ok(())
    }
}

/// What a place is in.
fn parent<'m>(model: &'m Value, path: &str) -> Option<&'m Value> {
    model.pointer(path.rsplit_once('/')?.0)
}

/// How many values the value at a place is in.
fn steps_of(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'/').count()
}

/// About what a member takes beside its value: name, quotes, colon and comma.
fn name_size(path: &str) -> usize {
    path.rsplit('/').next().unwrap_or_default().len() + 4
}

/// What a value adds to a model.
struct Weight {
    /// Bytes of JSON text.
    size: usize,
    depth: usize,
}

impl Weight {
    fn of(value: &Value) -> Weight {
        Weight { size: size(value), depth: crate::json::depth(value, crate::json::DEPTH_LIMIT) }
    }
}

/// The size of a value in bytes of JSON text.
fn size(value: &Value) -> usize {
    struct Counted(usize);
    impl std::io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counted = Counted(0);
    // Neither the values nor the counter can fail.
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn patches_apply_fully_or_not_at_all() {
        let model = json!({"A": 1, "L": [1, 2], "O": {"x/y": {"z": true}}});
        for (document, expected) in [
            (json!([]), Ok(model.clone())),
            (
                json!([{"op": "replace", "path": "A", "value": 2}]),
                Ok(json!({"A": 2, "L": [1, 2], "O": {"x/y": {"z": true}}})),
            ),
            (
                json!([{"op": "add", "path": "/L/-", "value": 3}, {"op": "remove", "path": "/O"}]),
                Ok(json!({"A": 1, "L": [1, 2, 3]})),
            ),
            (
                json!([{"op": "test", "path": "/A", "value": 1.0}, {"op": "move", "from": "/A", "path": "/B"}]),
                Ok(json!({"B": 1, "L": [1, 2], "O": {"x/y": {"z": true}}})),
            ),
            (
                json!([{"op": "copy", "from": "/O/x~1y", "path": "/O/c"}, {"op": "remove", "path": "/O/x~1y"}]),
                Ok(json!({"A": 1, "L": [1, 2], "O": {"c": {"z": true}}})),
            ),
            (json!([{"op": "add", "path": "", "value": {"N": 1}}]), Ok(json!({"N": 1}))),
            (json!([{"op": "replace", "path": "/None", "value": 1}]), Err("(replace /None) cannot be applied")),
            (
                json!([{"op": "remove", "path": "/A"}, {"op": "test", "path": "/A", "value": 1}]),
                Err("operation 1 (test /A) failed: there is no value"),
            ),
            (json!([{"op": "test", "path": "/A", "value": "1"}]), Err("failed: the value differs")),
            (json!([{"op": "add", "path": "/L/5", "value": 1}]), Err("cannot be applied")),
            (json!([{"op": "move", "from": "/O", "path": "/O/in"}]), Err("cannot move a value into itself")),
            (json!([{"op": "frob", "path": "/A"}]), Err("not a valid operation")),
            (json!({"op": "add"}), Err("not an array")),
        ] {
            match (apply(&document.to_string(), &model), expected) {
                (Ok(patched), Ok(expected)) => assert_eq!(patched, expected, "{document}"),
                (Err(text), Err(part)) => assert!(text.contains(part), "{document}: {text}"),
                (result, expected) => assert_eq!(result, expected.map_err(str::to_owned), "{document}"),
            }
        }
    }

    #[test]
    fn a_patch_cannot_grow_a_model_without_bound() {
        let copy = r#"{"op":"copy","from":"","path":"/A"}"#;
        let document = format!("[{}]", vec![copy; 300].join(","));
        let text = apply(&document, &json!({"A": "x".repeat(1000), "B": "y".repeat(1000)}));
        assert!(matches!(&text, Err(text) if text.contains("makes the model")), "{text:?}");
        assert!(apply("not json \"secret\"", &json!({})).is_err_and(|text| !text.contains("secret")));
    }

    #[test]
    fn the_work_of_a_patch_is_bounded_whatever_it_does() {
        let model = json!({"A": vec!["x"; 60_000], "L": [], "D": {"E": {}}});
        let long: Vec<u32> = (0..60_000).collect();
        let lists = json!({"A": long, "B": [1]});
        for (about, operation, model) in [
            ("copies over each other", r#"{"op":"copy","from":"/A","path":"/L"}"#, &model),
            ("copies that stay", r#"{"op":"copy","from":"/A","path":"/L/-"}"#, &model),
            ("inserts", r#"{"op":"add","path":"/A/0","value":1}"#, &lists),
            ("moves within a list", r#"{"op":"move","from":"/A/0","path":"/A/-"}"#, &lists),
            (
                "moves down and up",
                r#"{"op":"move","from":"/A","path":"/D/E/A"},{"op":"move","from":"/D/E/A","path":"/A"}"#,
                &model,
            ),
            ("values that are replaced", r#"{"op":"add","path":"/L","value":[]}"#, &model),
        ] {
            let document = format!("[{}]", vec![operation; 6_000].join(","));
            let began = std::time::Instant::now();
            let outcome = apply(&document, model);
            let took = began.elapsed();
            assert!(took.as_secs() < 5, "{about}: {took:?}");
            match outcome {
                Ok(_) => assert_eq!(about, "values that are replaced"),
                Err(text) => {
                    let is_told = text.contains("send fewer in one patch") || text.contains("makes the model larger");
                    assert!(is_told, "{about}: {text}");
                }
            }
        }
    }

    #[test]
    fn limits_are_those_of_the_result() {
        let nested = |depth: usize| (0..depth).fold(json!([]), |inner, _| json!([inner]));
        let add = |path: &str, value: Value| json!([{"op": "add", "path": path, "value": value}]).to_string();
        let deep = json!({"A": {"B": nested(100)}, "C": {"D": {}}});
        for (document, expected) in [
            (add("/A/B", nested(125)), None),
            (add("/A/B", nested(126)), Some("nested deeper than 128 levels")),
            (json!([{"op": "move", "from": "/A/B", "path": "/C/D/E"}]).to_string(), None),
            (json!([{"op": "copy", "from": "", "path": "/C/D/E"}]).to_string(), None),
            (
                json!([{"op": "copy", "from": "", "path": "/C/D/E"}, {"op": "move", "from": "/C", "path": "/A/B/-"}])
                    .to_string(),
                None,
            ),
            (
                json!(vec![json!({"op": "copy", "from": "", "path": "/C/D"}); 20]).to_string(),
                Some("nested deeper than 128 levels"),
            ),
        ] {
            let outcome = apply(&document, &deep).err();
            assert_eq!(outcome.is_some(), expected.is_some(), "{document}: {outcome:?}");
            assert!(outcome.is_none_or(|text| text.contains(expected.unwrap_or_default())), "{document}");
        }
        // Room that is made counts: a large value may take the place of another again and again.
        let value = "x".repeat(200_000);
        for operations in [
            json!([{"op": "replace", "path": "/V", "value": value}]),
            json!([{"op": "add", "path": "/V", "value": value}]),
            json!([{"op": "replace", "path": "/L/0", "value": value}]),
            json!([{"op": "remove", "path": "/L/0"}, {"op": "add", "path": "/L/0", "value": value}]),
            json!([{"op": "move", "from": "/V", "path": "/O/V"}, {"op": "move", "from": "/O/V", "path": "/V"}]),
            json!([{"op": "copy", "from": "/V", "path": "/O/V"}]),
        ] {
            let repeated: Vec<&Value> = (0..20).flat_map(|_| operations.as_array().unwrap()).collect();
            let model = json!({"V": value, "L": [1], "O": {}});
            let outcome = apply(&json!(repeated).to_string(), &model);
            assert!(outcome.is_ok(), "{:?}", outcome.err());
        }
    }
}
