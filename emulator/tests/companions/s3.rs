//! S3: objects in buckets that Cloud Control made.

use super::support::Answer;
use super::{element, elements, start, start_in};
use emulator::{Options, Switches};
use serde_json::json;

fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    let lines = answer.head.lines().filter_map(|line| line.split_once(": "));
    lines.into_iter().find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

fn code(answer: &Answer) -> (u16, Option<String>) {
    (answer.status, element(&answer.text, "Code"))
}

#[test]
fn objects_are_written_read_and_deleted_and_outlive_the_emulator() {
    let folder = tempfile::tempdir().unwrap();
    let client = start_in(folder.path(), Switches::default());
    let missing = client.send("PUT", "/orders/a", "", "x");
    assert_eq!(code(&missing), (404, Some("NoSuchBucket".to_owned())));
    let made = client.create("AWS::S3::Bucket", &json!({"BucketName": "orders"}));
    assert_eq!(made["OperationStatus"], "SUCCESS", "{made}");
    let kind = "content-type: text/plain\r\nx-amz-meta-owner: me\r\n";
    let put = client.send("PUT", "/orders/deep/a%20b+c", kind, "hello");
    assert_eq!(put.status, 200, "{}", put.text);
    client.emulator.stop();

    let client = start_in(folder.path(), Switches::default());
    let got = client.send("GET", "/orders/deep/a%20b+c?x-id=GetObject", "", "");
    assert_eq!((got.status, got.text.as_str()), (200, "hello"));
    assert_eq!(header(&got, "content-type"), Some("text/plain"));
    assert_eq!(header(&got, "x-amz-meta-owner"), Some("me"));
    assert_eq!(header(&got, "etag"), header(&put, "etag"));
    assert!(header(&got, "last-modified").is_some_and(|time| time.ends_with(" GMT")));
    let head = client.send("HEAD", "/orders/deep/a%20b+c", "", "");
    assert_eq!((head.status, header(&head, "content-length"), head.text.as_str()), (200, Some("5"), ""));
    let none = client.send("HEAD", "/orders/none", "", "");
    assert_eq!((none.status, none.text.as_str()), (404, ""));
    let part = client.send("GET", "/orders/deep/a%20b+c", "range: bytes=1-3\r\n", "");
    assert_eq!((part.status, part.text.as_str(), header(&part, "content-range")), (206, "ell", Some("bytes 1-3/5")));
    let beyond = client.send("GET", "/orders/deep/a%20b+c", "range: bytes=9-\r\n", "");
    assert_eq!(code(&beyond), (416, Some("InvalidRange".to_owned())));
    let etag = header(&put, "etag").unwrap();
    let known = client.send("GET", "/orders/deep/a%20b+c", &format!("if-none-match: {etag}\r\n"), "");
    assert_eq!((known.status, known.text.as_str()), (304, ""));
    let other = client.send("GET", "/orders/deep/a%20b+c", "if-match: \"x\"\r\n", "");
    assert_eq!(code(&other), (412, Some("PreconditionFailed".to_owned())));
    assert_eq!(client.send("DELETE", "/orders/deep/a%20b+c", "", "").status, 204);
    assert_eq!(client.send("DELETE", "/orders/deep/a%20b+c", "", "").status, 204, "it is gone either way");
    assert_eq!(code(&client.send("GET", "/orders/deep/a%20b+c", "", "")), (404, Some("NoSuchKey".to_owned())));
}

#[test]
fn urls_presigned_with_version_2_are_told_what_is_wanted() {
    let client = start(Options::default());
    let url = "/orders/a?AWSAccessKeyId=123456789012&Signature=x%3D&Expires=1800000000";
    for method in ["GET", "PUT"] {
        let refused = client.send(method, url, "", "");
        assert_eq!(code(&refused), (400, Some("InvalidRequest".to_owned())));
        assert!(refused.text.contains("s3v4"), "{}", refused.text);
    }
}

#[test]
fn a_new_bucket_of_an_old_name_is_empty() {
    let clock =
        emulator::Clock::by_hand(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_800_000_000));
    let client = start(Options { clock, ..Options::default() });
    let bucket = json!({"BucketName": "orders"});
    client.create("AWS::S3::Bucket", &bucket);
    assert_eq!(client.send("PUT", "/orders/a", "", "x").status, 200);
    assert_eq!(client.delete("AWS::S3::Bucket", "orders")["OperationStatus"], "SUCCESS");
    assert_eq!(code(&client.send("GET", "/orders/a", "", "")), (404, Some("NoSuchBucket".to_owned())));
    client.emulator.admin().advance(std::time::Duration::from_secs(5));
    client.create("AWS::S3::Bucket", &bucket);
    assert_eq!(code(&client.send("GET", "/orders/a", "", "")), (404, Some("NoSuchKey".to_owned())));
    assert_eq!(element(&client.send("GET", "/orders?list-type=2", "", "").text, "KeyCount").as_deref(), Some("0"));
}

#[test]
fn buckets_are_found_by_path_and_by_host() {
    let client =
        start(Options { switches: Switches { s3_auto_bucket: true, ..Switches::default() }, ..Options::default() });
    for host in ["b.s3.eu-west-1.amazonaws.com", "b.localhost:80", "b.s3.localhost"] {
        assert_eq!(client.send_to(host, "PUT", "/key", "", host).status, 200, "{host}");
        assert_eq!(client.send_to("127.0.0.1", "GET", "/b/key", "", "").text, host);
    }
    assert_eq!(client.send_to("s3.eu-west-1.amazonaws.com", "GET", "/b/key", "", "").text, "b.s3.localhost");
    assert_eq!(client.send_to("b.s3.amazonaws.com", "HEAD", "/", "", "").status, 200);
    let place = client.send_to("b.s3.eu-west-1.amazonaws.com", "GET", "/?location", "", "").text;
    assert!(place.contains(">eu-west-1</LocationConstraint>"), "{place}");
}

#[test]
fn bodies_in_chunks_are_put_together() {
    let client =
        start(Options { switches: Switches { s3_auto_bucket: true, ..Switches::default() }, ..Options::default() });
    let headers = "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\r\ncontent-encoding: aws-chunked\r\n";
    let body = "5\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n";
    assert_eq!(client.send("PUT", "/b/key", headers, body).status, 200);
    let got = client.send("GET", "/b/key", "", "");
    assert_eq!((got.text.as_str(), header(&got, "content-encoding")), ("hello world", None));
    let broken = client.send("PUT", "/b/key", headers, "5\r\nhe");
    assert_eq!(code(&broken), (400, Some("InvalidRequest".to_owned())));
}

#[test]
fn keys_are_listed_in_pages_and_folded_at_a_delimiter() {
    let client =
        start(Options { switches: Switches { s3_auto_bucket: true, ..Switches::default() }, ..Options::default() });
    for key in ["a", "b/1", "b/2", "c"] {
        client.send("PUT", &format!("/list/{key}"), "", key);
    }
    client.send("PUT", "/list2/other", "", "x");
    let all = client.send("GET", "/list?list-type=2", "", "").text;
    assert_eq!(elements(&all, "Key"), ["a", "b/1", "b/2", "c"]);
    let folded = client.send("GET", "/list?list-type=2&delimiter=%2F", "", "").text;
    assert_eq!(
        (elements(&folded, "Key"), element(&folded, "KeyCount").as_deref()),
        (vec!["a".to_owned(), "c".to_owned()], Some("3"))
    );
    let page = client.send("GET", "/list?list-type=2&max-keys=3", "", "").text;
    let token = element(&page, "NextContinuationToken").unwrap().replace('=', "%3D");
    let next = client.send("GET", &format!("/list?list-type=2&continuation-token={token}"), "", "").text;
    assert_eq!(elements(&next, "Key"), ["c"]);
    assert_eq!(elements(&client.send("GET", "/list?list-type=2&prefix=b/", "", "").text, "Key"), ["b/1", "b/2"]);
}

#[test]
fn objects_over_the_limit_are_refused() {
    let client =
        start(Options { switches: Switches { s3_auto_bucket: true, ..Switches::default() }, ..Options::default() });
    let large = "x".repeat((16 << 20) + 1);
    assert_eq!(code(&client.send("PUT", "/b/large", "", &large)), (400, Some("EntityTooLarge".to_owned())));
    assert_eq!(client.send("PUT", "/b/large", "", &large[1..]).status, 200);
    assert_eq!(
        code(&client.send("PUT", &format!("/b/{}", "k".repeat(1_025)), "", "")).1.as_deref(),
        Some("KeyTooLongError")
    );
}
