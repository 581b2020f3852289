//! `reply`: what to send back to the model.

use serde_json::json;

use super::*;

fn world() -> World {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\nthe total\n")]);
    world.transcript(
        [
            replace("1", "a.txt", "one", "two"),
            replace("2", "b.txt", "the  total", "the sum"),
            read("3", "a.txt"),
        ]
        .concat(),
    );
    world
}

/// The ids that replies name, each with whether it is done.
fn told(replies: &str) -> Vec<&str> {
    replies.lines().filter(|line| line.starts_with("id: ") || line.starts_with("ok: ")).collect()
}

#[test]
fn a_block_that_waits_has_no_reply_yet() {
    let world = world();
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    assert_eq!(told(&ran.out), ["id: 2", "ok: false", "id: 3", "ok: true"]);
    ran.says("no reply yet to 1 block that can still be applied or rejected");
}

#[test]
fn after_apply_all_of_it_is_told_again() {
    let world = world();
    world.run(&["apply", "--yes", "../chat.md"]).exits(1);
    let before = world.text("a.txt");
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    assert_eq!(told(&ran.out), ["id: 1", "ok: true", "id: 2", "ok: false", "id: 3", "ok: true"]);
    assert_eq!(world.text("a.txt"), before, "it changes nothing");
    let json = world.run(&["reply", "--format", "json", "../chat.md"]).exits(1);
    let report: Value = serde_json::from_str(&json.out).unwrap();
    let summary = json!({"blocks": 3, "applied": 2, "waiting": 0, "failed": 1});
    assert_eq!(report["summary"], summary);
    let texts = report["replies"].as_array().unwrap().iter();
    assert_eq!(texts.map(|reply| reply["text"].as_str().unwrap()).collect::<String>(), ran.out);
}

#[test]
fn a_failed_block_is_told_what_is_there_and_what_to_do() {
    let world = world();
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    let failed = ran.out.split("OPERATOR_RESULT").nth(1).unwrap();
    let details = failed.lines().find_map(|line| line.strip_prefix("details_b64: ")).unwrap();
    let details: Value =
        serde_json::from_slice(&BASE64.decode(details.as_bytes()).unwrap()).unwrap();
    assert_eq!(details["details"]["nearest"], json!([{"line": 2, "text": "the total"}]));
    assert_eq!(details["next"], "send the corrected block again, whole, with a new id");
}

#[test]
fn what_the_transcript_answers_already_is_left_out() {
    let world = World::new(&[("a.txt", "one\n")]);
    world.transcript(read("1", "a.txt"));
    let reply = world.run(&["reply", "../chat.md"]).exits(0);
    world.transcript(read("1", "a.txt") + &reply.out);
    let again = world.run(&["reply", "../chat.md"]).exits(0);
    assert_eq!(again.out, "");
    again.says("nothing to send");
}

#[test]
fn without_a_block_there_is_nothing_to_reply_to() {
    let world = World::new(&[]);
    world.transcript("words\n");
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    assert_eq!(ran.out, "");
    ran.says("no blocks found");
    world.run(&["reply", "../none.md"]).exits(2).says("no such file");
}
