//! Signatures against those that AWS publishes: its test suite for signers, and the examples of the S3 documentation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::*;
use axum::http::Request;

/// The credentials of both sets of examples, from their documentation.
const SUITE_SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const S3_SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

#[test]
fn signatures_are_those_of_the_published_examples() {
    let table = include_str!("../../../../tests/vectors/sigv4.tsv");
    let mut count = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<String> = line.split('\t').map(|field| field.replace("\\n", "\n")).collect();
        let [name, scope, time, method, path, query, headers, body, expected] = fields.as_slice() else {
            panic!("{line}");
        };
        let is_s3 = scope.contains("/s3/");
        let mut request = Request::builder().method(method.as_str()).uri("/");
        let mut signed: Vec<String> = Vec::new();
        for header in headers.split('\n') {
            let (name, value) = header.split_once(':').unwrap();
            request = request.header(name, value);
            signed.push(name.to_ascii_lowercase());
        }
        signed.sort();
        signed.dedup();
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let is_presigned = query.contains("X-Amz-Expires");
        let payload = Payload { is_s3, is_presigned };
        // The examples of the suite have paths that no request line may have, so they go around it.
        let canonical = canonical::request(&parts, &signed, body.as_bytes(), &payload).unwrap();
        let mut lines: Vec<&str> = canonical.split('\n').collect();
        let (path, query) = (canonical::path(path, is_s3), canonical::query(query));
        lines[1] = &path;
        lines[2] = &query;
        let canonical = lines.join("\n");
        let text = format!("{ALGORITHM}\n{time}\n{scope}\n{}", digest_bytes(canonical.as_bytes()));
        let secret = if is_s3 { S3_SECRET } else { SUITE_SECRET };
        assert!(is_right(secret, scope, &text, expected), "{name}\n{canonical}");
        for wrong in [
            expected.replace(['0', '1', '2', '3', '4', '5', '6', '7'], "8"),
            expected.replacen('a', "é", 1),
            String::new(),
        ] {
            assert!(wrong == *expected || !is_right(secret, scope, &text, &wrong), "{name} {wrong}");
        }
        count += 1;
    }
    assert!(count >= 20, "{count} examples");
}

fn parts(uri: &str, headers: &[(&str, &str)]) -> Parts {
    let request =
        headers.iter().fold(Request::builder().uri(uri), |request, (name, value)| request.header(*name, *value));
    request.body(()).unwrap().into_parts().0
}

#[test]
fn signatures_are_read_or_it_is_said_what_they_lack() {
    const DATE: (&str, &str) = ("x-amz-date", "20150830T123600Z");
    let header = |text: &str| read(&parts("/", &[DATE, ("authorization", text)]));
    let whole = "AWS4-HMAC-SHA256 Credential=K/20150830/r/s/aws4_request, SignedHeaders=host;x-amz-date,Signature=f0";
    let signed = header(whole).unwrap();
    assert_eq!((&*signed.key, &*signed.scope), ("K", "20150830/r/s/aws4_request"));
    assert_eq!(signed.headers, ["host", "x-amz-date"]);
    assert_eq!(read(&parts("/", &[])), Err(Refusal::Missing));
    let lacks = |text: &str| match header(text) {
        Err(Refusal::Incomplete(text)) => text,
        other => format!("{other:?}"),
    };
    for (from, to, expected) in [
        ("AWS4-HMAC-SHA256 ", "AWS ", "the Authorization header does not begin with AWS4-HMAC-SHA256"),
        ("Credential=", "C=", "Authorization header requires 'Credential' parameter."),
        ("SignedHeaders=", "S=", "Authorization header requires 'SignedHeaders' parameter."),
        ("Signature=", "S=", "Authorization header requires 'Signature' parameter."),
        (
            "20150830",
            "20150831",
            "the credential must be KEY/DATE/REGION/SERVICE/aws4_request, with the date of the signature",
        ),
        ("host;", "", "host must be among the signed headers"),
    ] {
        assert_eq!(lacks(&whole.replace(from, to)), expected);
    }
    let without = read(&parts("/", &[("authorization", whole)]));
    assert_eq!(without, Err(Refusal::Incomplete("Authorization header requires 'X-Amz-Date' parameter.".to_owned())));
    let uri = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=K%2F20150830%2Fr%2Fs3%2Faws4_request\
               &X-Amz-Date=20150830T123600Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=f0";
    assert_eq!(read(&parts(uri, &[])).unwrap().expires, Some(60));
    let too_long = read(&parts(&uri.replace("=60&", "=604801&"), &[]));
    assert_eq!(too_long, Err(Refusal::Incomplete("X-Amz-Expires is no number from 1 to 604800".to_owned())));
}

#[test]
fn signatures_are_good_for_five_minutes_and_urls_as_long_as_they_say() {
    let made = 1_440_938_160;
    let text = "AWS4-HMAC-SHA256 Credential=K/20150830/r/s/aws4_request, SignedHeaders=host, Signature=f0";
    let signed = read(&parts("/", &[("x-amz-date", "20150830T123600Z"), ("authorization", text)])).unwrap();
    assert_eq!(is_current(&signed, made), Ok(()));
    assert_eq!(is_current(&signed, made + 300), Ok(()));
    assert_eq!(is_current(&signed, made - 300), Ok(()));
    let late = "Signature expired: 20150830T123600Z is now earlier than 20150830T123601Z (20150830T124101Z - 5 min.)";
    assert_eq!(is_current(&signed, made + 301), Err(Refusal::Skewed(late.to_owned())));
    let early =
        "Signature not yet current: 20150830T123600Z is still later than 20150830T123559Z (20150830T123059Z + 5 min.)";
    assert_eq!(is_current(&signed, made - 301), Err(Refusal::Skewed(early.to_owned())));
    let url = Signed { expires: Some(3_600), ..signed };
    assert_eq!(is_current(&url, made + 3_600), Ok(()));
    assert_eq!(is_current(&url, made + 3_601), Err(Refusal::Expired("Request has expired".to_owned())));
}
