//! AWS's archives, from a server made here.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread::{JoinHandle, spawn};

use checkout::{PROGRAM, archive, checkout, schema};
use codegen::fetch::FetchError;
use codegen::fetch::aws::{self, Arrival, Site};

/// A server that gives one answer to each of as many connections, then ends with the requests' heads.
fn serve(answers: Vec<Vec<u8>>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("127.0.0.1:{}", listener.local_addr().unwrap().port());
    let requests = spawn(move || {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            requests.push(head.join("\n"));
            stream.write_all(&answer).unwrap();
        }
        requests
    });
    (address, requests)
}

fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn zip(property: &str) -> Vec<u8> {
    archive(&[("aws-some-thing.json", schema("AWS::Some::Thing", property))])
}

/// Asks a server with these answers for one region's archive, once per answer.
fn ask(folder: &Path, answers: Vec<Vec<u8>>) -> (Vec<Result<Arrival, FetchError>>, Vec<String>) {
    let count = answers.len();
    let (address, requests) = serve(answers);
    let site = Site::At(format!("http://{address}"));
    let results = (0..count).map(|_| aws::ensure(&site, "eu-west-1", folder)).collect();
    (results, requests.join().unwrap())
}

#[test]
fn an_archive_is_transferred_only_when_it_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = aws::archive(folder.path(), "eu-west-1");
    let (address, requests) = serve(vec![
        answer("200 OK", "ETag: \"one\"\r\n", &zip("One")),
        answer("304 Not Modified", "", b""),
        answer("200 OK", "Last-Modified: Sun, 29 Nov 2026 00:00:00 GMT\r\n", &zip("Two")),
        answer("304 Not Modified", "", b""),
        answer("200 OK", "", &zip("Three")),
    ]);
    let site = Site::At(format!("http://{address}"));
    let ensure = || aws::ensure(&site, "eu-west-1", folder.path()).unwrap();
    assert_eq!(ensure(), Arrival::Transferred);
    assert_eq!(ensure(), Arrival::Current);
    assert_eq!(fs::read(&path).unwrap(), zip("One"));
    assert_eq!(ensure(), Arrival::Transferred);
    assert_eq!(ensure(), Arrival::Current);
    assert_eq!(fs::read(&path).unwrap(), zip("Two"));
    // What somebody changed is not what the server means by current.
    fs::write(&path, "changed").unwrap();
    assert_eq!(ensure(), Arrival::Transferred);
    assert_eq!(fs::read(&path).unwrap(), zip("Three"));

    let requests = requests.join().unwrap();
    let conditions: Vec<Option<&str>> =
        requests.iter().map(|head| head.lines().find(|line| line.to_lowercase().starts_with("if-"))).collect();
    let expected = [
        None,
        Some("if-none-match: \"one\""),
        Some("if-none-match: \"one\""),
        Some("if-modified-since: Sun, 29 Nov 2026 00:00:00 GMT"),
        None,
    ];
    assert_eq!(conditions, expected, "{requests:#?}");
    assert!(requests.iter().all(|head| head.starts_with("GET /eu-west-1/CloudformationSchema.zip HTTP/1.1\n")));
}

#[test]
fn what_cannot_be_had_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = aws::archive(folder.path(), "eu-west-1");
    let whole = answer("200 OK", "", &zip("New"));
    let failures = [
        (answer("404 Not Found", "", b"no"), "the server answered 404 Not Found"),
        (answer("200 OK", "", b"<html>Sign in</html>"), "what came is no zip archive (20 bytes)"),
        (whole[..whole.len() - 9].to_vec(), ""),
        (Vec::new(), ""),
    ];
    let (answers, reasons): (Vec<_>, Vec<_>) = failures.into_iter().unzip();
    let errors = |hint: &str| {
        let (results, _) = ask(folder.path(), answers.clone());
        for (result, reason) in results.into_iter().zip(&reasons) {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("/eu-west-1/CloudformationSchema.zip: ") && error.contains(reason), "{error}");
            assert!(error.ends_with(hint), "{error}");
        }
    };
    errors("check the network, the proxy, and that eu-west-1 is a region; or name schemas with --source");
    assert!(!path.exists());

    // The note belongs to one address, so the server has to stay the same.
    let mut all = vec![answer("200 OK", "", &zip("Old"))];
    all.extend(answers.clone());
    let (mut results, _) = ask(folder.path(), all);
    assert_eq!(results.remove(0).unwrap(), Arrival::Transferred);
    for result in results {
        let error = result.unwrap_err().to_string();
        let hint = format!("to use the last one, name it: --source eu-west-1={}", path.display());
        assert!(error.ends_with(&hint), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), zip("Old"));
}

#[test]
fn the_command_asks_aws_through_the_proxy_of_the_environment() {
    let checkout = checkout();
    let (address, requests) = serve(vec![answer("502 Bad Gateway", "", b"")]);
    let mut command = Command::new(PROGRAM);
    for name in ["ALL_PROXY", "all_proxy", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"] {
        command.env_remove(name);
    }
    let output = command
        .args(["generate", "--source", "aws", "--region", "cn-north-1"])
        .env("HTTPS_PROXY", format!("http://{address}"))
        .current_dir(checkout.path())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(error.starts_with("asking AWS for the schemas of cn-north-1\nerror: https://schema."), "{error}");
    let requests = requests.join().unwrap();
    let expected = "CONNECT schema.cloudformation.cn-north-1.amazonaws.com.cn:443 HTTP/1.1\n";
    assert!(requests[0].starts_with(expected), "{requests:?}");
    assert!(!checkout.path().join("generated").exists());
}
