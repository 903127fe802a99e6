//! What somebody may have meant by a name that does not exist.

/// How many names are suggested.
const SUGGESTIONS: usize = 5;
/// How alike two names must be, from 0 to 1, when neither contains the other.
const LIKENESS: f64 = 0.8;
/// The same for single words, which are short.
const LIKENESS_OF_WORDS: f64 = 0.6;

/// The names of the same kind (CloudFormation's, or tokens) that are most like `wanted`, the best first: by the letters
/// of the whole name, or because the last part of one contains that of the other.
pub fn similar<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = wanted.to_lowercase();
    let is_token = wanted.contains(':') && !wanted.contains("::");
    let wanted_part = last_part(&lower);
    let rate = |name: &'a str| {
        let name_lower = name.to_lowercase();
        let part = last_part(&name_lower);
        let contains = !wanted_part.is_empty() && (part.contains(wanted_part) || wanted_part.contains(part));
        // A name without its service is compared with names without theirs.
        let likeness = match wanted.contains(':') {
            true => strsim::normalized_damerau_levenshtein(&lower, &name_lower),
            false => strsim::normalized_damerau_levenshtein(wanted_part, part),
        };
        (contains || likeness >= LIKENESS).then_some((likeness, name))
    };
    let mut rated: Vec<(f64, &str)> = names.filter(|name| is_token != name.contains("::")).filter_map(rate).collect();
    rated.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
    rated.into_iter().map(|(_, name)| name).take(SUGGESTIONS).collect()
}

/// The words that are most like `wanted`, the best first, by all their letters or because one contains the other.
pub fn similar_words<'a>(wanted: &str, words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = wanted.to_lowercase();
    let rate = |word: &'a str| {
        let word_lower = word.to_lowercase();
        let contains =
            !lower.is_empty() && word_lower.len() > 2 && (word_lower.contains(&lower) || lower.contains(&word_lower));
        let likeness = strsim::normalized_damerau_levenshtein(&lower, &word_lower);
        (contains || likeness >= LIKENESS_OF_WORDS).then_some((likeness, word))
    };
    let mut rated: Vec<(f64, &str)> = words.filter_map(rate).collect();
    rated.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
    rated.into_iter().map(|(_, word)| word).take(SUGGESTIONS).collect()
}

fn last_part(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_for_words() {
        let check = |wanted: &str, expected: &[&str]| {
            let words = ["bucketName", "tags", "versioningConfiguration", "arn"];
            assert_eq!(similar_words(wanted, words.into_iter()), expected, "{wanted}");
        };
        check("buckteName", &["bucketName"]);
        check("Name", &["bucketName"]);
        check("versioning", &["versioningConfiguration"]);
        check("tag", &["tags"]);
        check("zebra", &[]);
        check("", &[]);
    }

    #[test]
    fn suggestions_for_names() {
        let names = [
            "AWS::S3::Bucket",
            "aws-native:s3:Bucket",
            "AWS::S3::BucketPolicy",
            "AWS::SQS::Queue",
            "aws-native:sqs:Queue",
            "AWS::SQS::QueuePolicy",
        ];
        let check = |wanted: &str, expected: &[&str]| {
            assert_eq!(similar(wanted, names.into_iter()), expected, "{wanted}");
        };
        check("AWS::S3::Buckets", &["AWS::S3::Bucket", "AWS::S3::BucketPolicy"][..1]);
        check("AWS::S3::Buckte", &["AWS::S3::Bucket"]);
        check("AWS::SQS::Qeue", &["AWS::SQS::Queue"]);
        check("AWS::SNS::Queue", &["AWS::SQS::Queue", "AWS::SQS::QueuePolicy"]);
        check("bucket", &["AWS::S3::Bucket", "AWS::S3::BucketPolicy"]);
        check("quee", &["AWS::SQS::Queue"]);
        check("aws-native:s3:bucket", &["aws-native:s3:Bucket"]);
        check("AWS::", &[]);
        check("", &[]);
    }
}
