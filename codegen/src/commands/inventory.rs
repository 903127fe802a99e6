//! `cf-schemas/inventory.tsv`: one line per type, kept in version control so that a refresh can be reviewed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::schemas::Document;

/// The inventory: type, token (`-` when the type is left out), number of properties, and a hash of the corrected schema
/// without descriptions, separated by tabs, in order of type name.
pub fn inventory<'a>(
    documents: &BTreeMap<String, Document>,
    tokens: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let tokens: BTreeMap<&str, &str> = tokens.into_iter().collect();
    let mut text = "type\ttoken\tproperties\thash\n".to_owned();
    for (type_name, document) in documents {
        let token = tokens.get(type_name.as_str()).unwrap_or(&"-");
        let _ = writeln!(text, "{type_name}\t{token}\t{}\t{}", document.properties, document.hash);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_inventory() {
        let document = |properties| Document { text: String::new(), hash: "0123456789ab".to_owned(), properties };
        let documents =
            BTreeMap::from([("AWS::S3::Bucket".to_owned(), document(3)), ("AWS::A::B".to_owned(), document(0))]);
        assert_eq!(
            inventory(&documents, [("AWS::S3::Bucket", "aws-native:s3:Bucket")]),
            "type\ttoken\tproperties\thash\n\
             AWS::A::B\t-\t0\t0123456789ab\n\
             AWS::S3::Bucket\taws-native:s3:Bucket\t3\t0123456789ab\n"
        );
    }
}
