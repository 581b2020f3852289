//! The table of what may be done with a proposal, as text.

use std::fmt::Write as _;

use super::*;
use crate::ledger::{By, OperationId};

/// A write, a read, a program, and a block whose action is not known.
fn kinds() -> [(&'static str, Proposal); 4] {
    let program = "#!SHAM [@three-char-SHA-256: abc]\naction = \"exec\"\nlang = \"bash\"\n\
                   code = \"ls\"\n#!END_SHAM_abc\n";
    let text = [
        block("w", "fs.write", &[("path", ".envrc"), ("content_b64", &encode("ls\n"))]),
        block("r", "fs.read", &[("path", "a.txt")]),
        program.to_owned(),
        block("u", "fs.reed", &[("path", "a.txt")]),
    ];
    let review = Desk::new(&text.join("\n"), &[("a.txt", "one\n")]).review();
    let proposals: Vec<Proposal> = review.proposals().collect();
    let [write, read, exec, unknown] = <[Proposal; 4]>::try_from(proposals).ok().unwrap();
    assert_eq!(exec.effect(), Some(Effect::Exec));
    [("write", write), ("read", read), ("exec", exec), ("unknown", unknown)]
}

/// What the ledger knows of a block that was applied.
fn by(door: Door) -> Option<By> {
    let transcript = crate::ledger::Transcript::new("chat");
    Some(By { operation: OperationId(1), door, time: 0, transcript, part: None })
}

/// The offers: those of menus alone in parentheses, those that cannot be taken with a dash.
fn shown(proposal: &Proposal, limitations: Limitations<'_>) -> String {
    let offers = offers(proposal, limitations);
    let word = |(offer, availability): (Offer, &Availability)| match availability {
        Availability::Button => offer.as_str().to_owned(),
        Availability::Menu => format!("({})", offer.as_str()),
        Availability::Disabled(_) => format!("-{}", offer.as_str()),
    };
    offers.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn with_others(proposal: &Proposal) -> &'static str {
    match proposal.with_others() {
        WithOthers::Now => "now",
        WithOthers::InTurn => "in turn",
        WithOthers::AfterALook => "after a look",
        WithOthers::Never => "never",
    }
}

/// A line for each status and effect: what is offered, and whether it is applied with others.
fn table(of: impl Fn(Proposal) -> Proposal, limitations: Limitations<'_>) -> String {
    let mut table = String::new();
    let kinds = kinds();
    for status in Status::ALL {
        for (kind, proposal) in &kinds {
            let proposal = of(Proposal { status, ..proposal.clone() });
            let (offers, together) = (shown(&proposal, limitations), with_others(&proposal));
            let offers = if offers.is_empty() { "nothing" } else { &offers };
            writeln!(table, "{} {kind}: {offers}; {together}", status.as_str()).unwrap();
        }
    }
    table
}

/// A write to a file that nothing runs needs no look of its own.
fn without_caution(mut proposal: Proposal) -> Proposal {
    Arc::make_mut(&mut proposal.check_result).cautions.clear();
    proposal
}

#[test]
fn each_status_and_effect_has_its_offers() {
    let known = |proposal: Proposal| Proposal { by: by(Door::Lsp), ..without_caution(proposal) };
    let known = |proposal: Proposal| match proposal.status {
        Status::Applied => known(proposal),
        _ => without_caution(proposal),
    };
    assert_eq!(
        table(known, Limitations::default()),
        "\
ready write: preview apply applyAndReply reject; now
ready read: run reject; now
ready exec: run reject; never
ready unknown: run reject; never
invalid write: -apply -applyAndReply (reject); never
invalid read: -run (reject); never
invalid exec: -run (reject); never
invalid unknown: -apply (reject); never
blocked write: -apply -applyAndReply reject; in turn
blocked read: -run reject; in turn
blocked exec: -run reject; never
blocked unknown: -run reject; never
stale write: preview -apply -applyAndReply reject; in turn
stale read: -run reject; in turn
stale exec: -run reject; never
stale unknown: -run reject; never
applied write: undo applyAgain; never
applied read: (runAgain); never
applied exec: (runAgain); never
applied unknown: (runAgain); never
satisfied write: nothing; in turn
satisfied read: nothing; never
satisfied exec: nothing; never
satisfied unknown: nothing; never
rejected write: nothing; never
rejected read: nothing; never
rejected exec: nothing; never
rejected unknown: nothing; never
superseded write: nothing; never
superseded read: nothing; never
superseded exec: nothing; never
superseded unknown: nothing; never
"
    );
}

#[test]
fn what_needs_a_look_is_applied_by_itself_and_never_by_a_key() {
    let [(_, write), ..] = kinds();
    assert_eq!(
        (with_others(&write), offers(&write, Limitations::default()).preferred()),
        ("after a look", None)
    );
    assert_eq!(shown(&write, Limitations::default()), "preview apply applyAndReply reject");
    let sure = without_caution(write.clone());
    assert_eq!(with_others(&sure), "now");
    assert_eq!(offers(&sure, Limitations::default()).preferred(), Some(Offer::Apply));
    let barred = Proposal { barred: true, status: Status::Blocked, ..sure };
    assert_eq!(with_others(&barred), "never");
}

#[test]
fn only_what_the_ledger_knows_is_undone_or_applied_again() {
    let [(_, write), ..] = kinds();
    let applied = |by| Proposal { status: Status::Applied, by, ..write.clone() };
    let all = |by| shown(&applied(by), Limitations::default());
    assert_eq!(all(by(Door::Cli)), "undo applyAgain");
    assert_eq!(all(by(Door::Hand)), "applyAgain", "the editor undoes what was typed");
    assert_eq!(all(None), "", "a reply alone says so");
}

#[test]
fn a_client_that_takes_no_edits_is_offered_actions_alone() {
    let limitations = Limitations { no_edits: true, ..Limitations::default() };
    let [(_, write), (_, read), ..] = kinds();
    assert_eq!(shown(&write, limitations), "preview (apply) (applyAndReply) (reject)");
    assert_eq!(shown(&read, limitations), "(run) (reject)");
    let applied = Proposal { status: Status::Applied, by: by(Door::Lsp), ..write };
    assert_eq!(shown(&applied, limitations), "");
}

#[test]
fn a_program_that_cannot_be_run_is_disabled_with_the_reason() {
    let limitations = Limitations { cannot_run: Some("too long"), ..Limitations::default() };
    let [.., (_, exec), _] = kinds();
    let ready = Proposal { status: Status::Ready, ..exec };
    let reason = |proposal: &Proposal| {
        let offers = offers(proposal, limitations);
        let first = offers.iter().next().map(|(offer, it)| (offer, it.clone()));
        first.unwrap()
    };
    let too_long = Availability::Disabled("too long".to_owned());
    assert_eq!(reason(&ready), (Offer::Run, too_long.clone()));
    let applied = Proposal { status: Status::Applied, ..ready.clone() };
    assert_eq!(reason(&applied), (Offer::RunAgain, too_long));
    assert_eq!(offers(&ready, limitations).reason(), Some("too long"));
    assert_eq!(offers(&applied, limitations).reason(), None, "it was run");
    // What keeps it from being run anywhere is said first.
    let stale = Proposal { status: Status::Stale, ..ready };
    assert_eq!(reason(&stale).1, Availability::Disabled(stale.why_not()));
}

#[test]
fn a_block_without_the_id_that_it_needs_cannot_be_rejected() {
    let text = "OPERATOR_CMD\nversion: 1\naction: fs.read\npath: a.txt\nEND_OPERATOR_CMD\n";
    let proposal = Desk::new(text, &[("a.txt", "one\n")]).review().proposal(0).unwrap();
    assert_eq!(shown(&proposal, Limitations::default()), "-run");
}

#[test]
fn whatever_can_be_applied_can_be_previewed() {
    for status in Status::ALL {
        for (_, proposal) in kinds() {
            let offers = offers(&Proposal { status, ..proposal }, Limitations::default());
            assert!(!offers.allow(Offer::Apply) || offers.allow(Offer::Preview));
        }
    }
}

#[test]
fn a_reason_names_the_block_that_another_waits_for() {
    let edit = r#"{"version":1,"edits":[{"op":"replaceAll","find":"new","text":"newer"}]}"#;
    let text = [
        block("one", "fs.write", &[("path", "b.txt"), ("content_b64", &encode("new\n"))]),
        block("two", "fs.applyEdits", &[("path", "b.txt"), ("edits_b64", &encode(edit))]),
    ];
    let waiting = Desk::new(&text.join("\n"), &[]).review().proposal(1).unwrap();
    assert_eq!(waiting.why_not(), "blocked: ready once block 1 (one) is applied");
}

#[test]
fn what_was_decided_is_not_asked_about() {
    let [(_, write), (_, read), (_, exec), _] = kinds();
    let of = |proposal: &Proposal, status| Proposal { status, ..proposal.clone() };
    assert_eq!(of(&write, Status::Ready).decided(false), None);
    assert_eq!(of(&write, Status::Superseded).decided(true), Some(Decided::Superseded));
    let rejected = of(&write, Status::Rejected);
    assert_eq!(rejected.decided(false), Some(Decided::Rejected));
    assert_eq!(rejected.decided(true), None, "no reply in the transcript says so");
    let applied = Proposal { by: by(Door::Cli), ..of(&write, Status::Applied) };
    assert!(
        matches!(applied.decided(false), Some(Decided::Applied(by)) if by.operation == OperationId(1))
    );
    assert_eq!(applied.decided(true), None);
    let answered = Proposal { answered: true, ..applied };
    assert!(matches!(answered.decided(false), Some(Decided::Applied(_))));
    assert_eq!(answered.decided(true), Some(Decided::Answered));
    let ran = of(&exec, Status::Applied);
    assert_eq!((ran.decided(false), ran.decided(true)), (Some(Decided::Ran), None));
    assert_eq!(of(&read, Status::Applied).decided(false), None, "it is read again");
}
