//! Every input that is kept in `corpus` goes through its target once more, and some of random bytes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use operator_fuzz::{Check, TARGETS};

/// The targets whose inputs are choices, so that any bytes mean something.
const OF_CHOICES: [&str; 6] = ["conversation", "cost", "dialects", "disk", "ledger", "texts"];

/// One check at a time: faults and folders are those of the process.
static ALONE: Mutex<()> = Mutex::new(());

/// The inputs of a target: each a length of four bytes, the lowest one first, and so many bytes.
fn inputs(pack: &[u8]) -> Vec<&[u8]> {
    let (mut rest, mut all) = (pack, Vec::new());
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap();
        let (input, after) = after.split_at(length);
        all.push(input);
        rest = after;
    }
    assert!(rest.is_empty(), "the pack ends within a length");
    all
}

/// The targets; `TARGET=cost` has this one alone be checked.
fn targets() -> impl Iterator<Item = (&'static str, Check)> {
    let wanted = std::env::var("TARGET").ok();
    TARGETS.into_iter().filter(move |(name, _)| wanted.as_ref().is_none_or(|it| it == name))
}

/// Checks inputs; which of them failed.
fn failures<'a>(name: &str, check: Check, inputs: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
    let (start, mut count, mut failed) = (Instant::now(), 0, Vec::new());
    for input in inputs {
        count += 1;
        if catch_unwind(AssertUnwindSafe(|| check(input))).is_err() {
            failed.push(format!("{name}, input {count}: {}", input.escape_ascii()));
        }
    }
    assert!(count > 0, "{name} has no inputs");
    println!("{name}: {count} inputs in {:.1} s", start.elapsed().as_secs_f64());
    failed
}

#[test]
fn every_input_of_the_corpus_holds() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut failed = Vec::new();
    for (name, check) in targets() {
        let pack = std::fs::read(folder.join(name)).unwrap();
        failed.extend(failures(name, check, inputs(&pack).into_iter()));
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// `INPUTS=N` says how many of each target, `SEED=N` which.
#[test]
fn inputs_of_random_bytes_hold() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let (count, mut seed) = (number("INPUTS").unwrap_or(60), number("SEED").unwrap_or(1_u64));
    let mut byte = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed.to_be_bytes()[0]
    };
    let mut failed = Vec::new();
    for (name, check) in targets().filter(|(name, _)| OF_CHOICES.contains(name)) {
        let random = |_| (0..2 + usize::from(byte())).map(|_| byte()).collect();
        let inputs: Vec<Vec<u8>> = (0..count).map(random).collect();
        failed.extend(failures(name, check, inputs.iter().map(Vec::as_slice)));
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
