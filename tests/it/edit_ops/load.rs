//! Many requests at once, to a model that takes its time.

use std::fs;
use std::time::Duration;

use super::doors::{Profile, Server};
use super::provider::Provider;
use super::{proposal, request};

/// How many requests come at once.
const REQUESTS: usize = 200;
/// How many bytes of memory the service may have taken at most. It takes a small part of that.
const MEMORY: usize = 256 << 20;

#[test]
fn two_hundred_requests_at_once_are_answered_or_told_to_come_again() {
    let provider = Provider::slow(&proposal(), Duration::from_millis(500));
    let server = Server::start(&[], &Profile::of(&provider));
    let replies: Vec<_> = std::thread::scope(|scope| {
        let ask = || scope.spawn(|| server.ask(&request()));
        let asked: Vec<_> = (0..REQUESTS).map(|_| ask()).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let (mut answered, mut busy) = (0, 0);
    for reply in replies {
        match reply.status {
            200 => {
                assert_eq!(reply.json()["eval"]["outcome"], "ok", "{reply:?}");
                answered += 1;
            }
            503 => {
                assert!(
                    reply.head.contains("retry-after: ") && reply.code() == "busy",
                    "{reply:?}"
                );
                busy += 1;
            }
            _ => panic!("{reply:?}"),
        }
    }
    assert_eq!(answered + busy, REQUESTS);
    assert!(
        answered >= 64 && provider.heard().len() == answered,
        "{answered} answered, {busy} not"
    );
    if let Some(peak) = peak_memory(server.id()) {
        assert!(peak < MEMORY, "{peak} bytes");
    }
    // It is as before.
    assert_eq!(server.ask(&request()).status, 200);
}

/// The most memory that a process had, where the system says so.
fn peak_memory(id: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kilobytes| kilobytes << 10)
}
