//! "Did you mean": the name that somebody probably wanted to write.

/// The closest of `names`, if one is close enough: the same but for case and separators, or at most a third of its
/// letters apart.
pub fn closest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    /// Names longer than any property has; beyond that the distance is not worth its time.
    const LONGEST: usize = 100;
    let folded = fold(wrong);
    if folded.len() > LONGEST {
        return None;
    }
    let allowed = (folded.len() / 3).clamp(1, 3);
    let ranked = names.map(|name| (distance(&folded, &fold(name)), name));
    ranked.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name)
}

fn fold(name: &str) -> Vec<u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()).collect()
}

/// The number of letters to insert, delete or exchange.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, candidate) in other.iter().enumerate() {
            let exchanged = diagonal + usize::from(letter != candidate);
            diagonal = row[column + 1];
            row[column + 1] = exchanged.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognized() {
        check("BucketName", Some("bucketName"));
        check("bucket_name", Some("bucketName"));
        check("bucketNme", Some("bucketName"));
        check("tag", Some("tags"));
        check("versioning", None);
        check("", None);
        check(&"x".repeat(10_000), None);

        #[track_caller]
        fn check(wrong: &str, expected: Option<&str>) {
            assert_eq!(closest(wrong, ["bucketName", "tags", "versioningConfiguration"].into_iter()), expected);
        }
    }
}
