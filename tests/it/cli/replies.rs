//! The replies of one run have a limit together.

use super::*;

const MEGABYTES: usize = 10 << 20;

#[test]
fn what_is_beyond_the_limit_is_said_and_the_rest_is_done() {
    let world = World::new(&[("small.txt", "small\n")]);
    world.put("large.txt", "a line of text.\n".repeat(MEGABYTES / 16));
    let reads = (1..=8).map(|number| read(&format!("r-{number}"), "large.txt"));
    let chat: String =
        reads.chain([write("w-1", "b.txt", "b\n"), read("r-9", "small.txt")]).collect();
    let ran = world.run_on(chat, &["apply", "--yes"]).exits(1);
    let ok: Vec<bool> = ran
        .out
        .lines()
        .filter(|line| line.starts_with("ok: "))
        .map(|line| line == "ok: true")
        .collect();
    let expected = [true, true, true, false, false, false, false, false, true, true];
    assert_eq!(ok, expected);
    assert_eq!(ran.out.matches("summary: the reply has 104857").count(), 5);
    assert_eq!(ran.err.matches("error[plan/reply-too-large]").count(), 5);
    assert!(ran.out.contains(&BASE64.encode(b"small\n")));
    assert_eq!(world.text("b.txt"), "b\n");
}
