//! The service from outside: what it refuses, and how it ends.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::json;

use super::doors::{Profile, Server, binary, run};
use super::provider::Provider;
use super::{proposal, request};

const PATH: &str = "/api/v1/editor/edit-ops";

fn server() -> Server {
    Server::start(&[], &Profile::default())
}

#[test]
fn every_refusal_is_json_with_its_status() {
    let server = server();
    let body = request().to_string();
    let body = body.as_bytes();
    let typed = "content-type: application/json";
    let check = |method, path, headers: &[&str], body, status, code: &str| {
        let reply = server.send(method, path, headers, body);
        assert_eq!((reply.status, reply.code().as_str()), (status, code), "{reply:?}");
        assert!(reply.head.contains("content-type: application/json"), "{reply:?}");
        reply
    };
    check("POST", "/", &[typed], body, 404, "not_found");
    check("GET", "/api/v1/editor", &[], b"", 404, "not_found");
    let reply = check("GET", PATH, &[], b"", 405, "method_not_allowed");
    assert!(reply.head.contains("allow: post"), "{reply:?}");
    check("DELETE", "/healthz", &[], b"", 405, "method_not_allowed");
    check("OPTIONS", PATH, &[], b"", 405, "method_not_allowed");
    check("POST", PATH, &[], body, 415, "unsupported_media_type");
    check("POST", PATH, &["content-type: text/plain"], body, 415, "unsupported_media_type");
    check("POST", PATH, &["content-type: application/jsonp"], body, 415, "unsupported_media_type");
    check("POST", PATH, &[typed, "content-length: 16777217"], b"", 413, "too_large");
    check("POST", PATH, &[typed], b"", 422, "not_a_request");
    check("POST", PATH, &[typed], b"\xff", 422, "not_a_request");
    let reply = check("POST", PATH, &[typed], b"{\"a\":\n1,}", 422, "not_a_request");
    assert_eq!(reply.json()["error"]["line"], 2, "{reply:?}");
    let reply = check("POST", PATH, &[typed], b"{\"tool_id\": 7}", 422, "not_a_request");
    assert_eq!(reply.json()["error"]["pointer"], "/instruction", "{reply:?}");
    let reply = server.send("POST", PATH, &["content-type: Application/JSON; charset=utf-8"], body);
    assert_eq!(reply.status, 200, "{reply:?}");
}

#[test]
fn a_body_without_a_stated_length_is_cut_off_at_the_limit() {
    let server = server();
    let mut stream = std::net::TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut chunk = b"100000\r\n".to_vec();
    chunk.resize(chunk.len() + (1 << 20), b' ');
    chunk.extend_from_slice(b"\r\n");
    // The server may close before it has taken all of it.
    let _ = (0..17).try_for_each(|_| stream.write_all(&chunk));
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[test]
fn a_client_that_sends_much_still_sees_why_it_is_refused() {
    let provider = Provider::hangs();
    let server = Server::start(&["--max-concurrent", "1"], &Profile::of(&provider));
    let _under_way = server.begin(&request());
    provider.wait_for(1);
    let large = vec![b' '; 17 << 20];
    assert_eq!(server.post(&[], &large[..10 << 20]).status, 503);
    assert_eq!(server.send("POST", PATH, &["content-type: text/plain"], &large).status, 415);
    assert_eq!(self::server().post(&[], &large).status, 413);
}

#[test]
fn requests_that_arrive_slowly_keep_nobody_from_being_answered() {
    let provider = Provider::says(&proposal());
    let server = Server::start(&["--max-concurrent", "2"], &Profile::of(&provider));
    let slow: Vec<_> = (0..8)
        .map(|_| {
            let headers = ["content-type: application/json", "content-length: 1000000"];
            let mut stream = server.open("POST", PATH, &headers, b"");
            stream.write_all(b"{\"tool\":").unwrap();
            stream
        })
        .collect();
    for _ in 0..3 {
        assert_eq!(server.ask(&request()).status, 200);
    }
    drop(slow);
}

#[test]
fn a_page_of_another_origin_cannot_use_it() {
    let server = server();
    let body = request().to_string();
    for header in [
        "origin: https://example.org",
        "origin: null",
        "origin: http://localhost:1",
        "host: example.org",
    ] {
        let reply = server.post(&[header], body.as_bytes());
        assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"), "{header}");
        assert!(!reply.head.contains("access-control"), "{reply:?}");
    }
    assert_eq!(server.send("GET", "/healthz", &["host: example.org"], b"").status, 403);
    let origin = format!("origin: http://{}", server.address());
    assert_eq!(server.post(&[&origin], body.as_bytes()).status, 200);
}

#[test]
fn a_token_is_asked_for_wherever_it_is_set() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("token");
    std::fs::write(&file, "from-a-file\n").unwrap();
    let by_file = Server::start(&["--token-file", file.to_str().unwrap()], &Profile::default());
    let mut command = binary(&["serve-http", "--listen", "127.0.0.1:0"], &Profile::default());
    command.env("OPERATOR_HTTP_TOKEN", "from-the-environment");
    let by_variable = Server::spawn(command);
    for (server, token) in [(by_file, "from-a-file"), (by_variable, "from-the-environment")] {
        let body = request().to_string();
        let right = format!("authorization: Bearer {token}");
        let reply = server.post(&[&right], body.as_bytes());
        assert_eq!(reply.status, 200, "{reply:?}");
        for wrong in ["x-nothing: 1", "authorization: Bearer wrong", "authorization: Basic wrong"] {
            let reply = server.post(&[wrong], body.as_bytes());
            assert_eq!((reply.status, reply.code().as_str()), (401, "unauthorized"), "{wrong}");
            assert!(reply.head.contains("www-authenticate: bearer"), "{reply:?}");
        }
        assert_eq!(server.send("GET", "/healthz", &[], b"").status, 200);
        assert!(!server.log().contains(token), "{}", server.log());
    }
}

#[test]
fn it_does_not_begin_where_it_would_be_open_to_others() {
    for (arguments, says) in [
        (&["--listen", "0.0.0.0:0"][..], "give a token"),
        (&["--listen", "[::]:0"], "give a token"),
        (&["--listen", "example.org:80"], "an address and a port are expected"),
        (&["--listen", "127.0.0.1"], "an address and a port are expected"),
        (&["--token-file", "nowhere"], "cannot read nowhere: no such file"),
        (&["--max-concurrent", "0"], "--max-concurrent"),
    ] {
        let command = binary(&[&["serve-http"], arguments].concat(), &Profile::default());
        let (code, out, err) = run(command, b"");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(says), "{err}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, _, err) =
        run(binary(&["serve-http", "--listen", &address], &Profile::default()), b"");
    assert_eq!(code, Some(2));
    assert!(err.contains(&format!("cannot listen on {address}")), "{err}");
}

#[test]
fn health_has_the_outcomes_in_eval_mode_for_those_who_may_ask() {
    let plain = server().send("GET", "/healthz", &[], b"");
    assert_eq!((plain.status, plain.json()), (200, json!({"status": "ok"})));
    let provider = Provider::says(&proposal());
    let mut command = binary(&["serve-http", "--listen", "127.0.0.1:0"], &Profile::of(&provider));
    command.env("OPERATOR_HTTP_TOKEN", "secret");
    let server = Server::spawn(command);
    let token = "authorization: Bearer secret";
    server.post(&[token], request().to_string().as_bytes());
    assert_eq!(server.send("GET", "/healthz", &[], b"").json(), json!({"status": "ok"}));
    let health = server.send("GET", "/healthz", &[token], b"").json();
    let expected = json!({"ok": 1, "disabled": 0, "over_budget": 0, "truncated": 0,
        "invalid_response": 0, "provider_error": 0, "timeout": 0, "cancelled": 0});
    assert_eq!(health["outcomes"], expected);
}

#[cfg(unix)]
#[test]
fn what_is_under_way_is_answered_before_the_end() {
    for signal in ["TERM", "INT"] {
        let provider = Provider::slow(&proposal(), Duration::from_millis(500));
        let mut server = Server::start(&[], &Profile::of(&provider));
        let mut stream = server.begin(&request());
        provider.wait_for(1);
        let id = server.id().to_string();
        std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("\"outcome\":\"ok\""), "{answer}");
        assert_eq!(server.ended(), Some(0), "{signal}: {}", server.log());
    }
}

#[cfg(unix)]
#[test]
fn what_takes_too_long_at_the_end_is_answered_as_cancelled() {
    let provider = Provider::hangs();
    let mut server = Server::start(&[], &Profile::of(&provider));
    let mut stream = server.begin(&request());
    provider.wait_for(1);
    std::process::Command::new("kill").arg(server.id().to_string()).status().unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"outcome\":\"cancelled\""),
        "{answer}"
    );
    assert_eq!(server.ended(), Some(0));
}
