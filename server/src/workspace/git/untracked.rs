//! How many untracked files a step puts into a stash, and the refusal of more.

use std::collections::HashSet;

use super::commit::is_covered;
use super::repository::listed;
use super::status::Entry;
use super::{GitCode, GitError, Repository};

/// How many files.
const FILES: usize = 10_000;
/// How many MiB they have together.
const MIB: u64 = 64;
/// How many of the largest a refusal names.
const NAMED: usize = 5;

impl Repository {
    /// Refuses where more untracked files would go into a stash than it takes. Nothing is changed
    /// by then.
    ///
    /// A stash cannot be taken out where an untracked file is at the path of a tracked one that is
    /// gone: git finds the tracked one in its way.
    pub(super) fn refuse_untracked(&self) -> Result<(), GitError> {
        let entries = self.status()?;
        let gone: HashSet<&[u8]> =
            entries.iter().filter(|it| it.gone).map(|it| it.path.as_slice()).collect();
        let is_at_one = |entry: &&Entry| entry.untracked && is_covered(&entry.path, &gone);
        let mut at_one: Vec<String> = entries.iter().filter(is_at_one).map(Entry::name).collect();
        let untracked: HashSet<&[u8]> =
            entries.iter().filter(|it| it.untracked).map(|it| it.path.as_slice()).collect();
        let is_below_one = |it: &&Entry| {
            it.gone && !untracked.contains(&*it.path) && is_covered(&it.path, &untracked)
        };
        at_one.extend(entries.iter().filter(is_below_one).map(Entry::name));
        if !at_one.is_empty() {
            let message = format!(
                "these are removed from git, and something untracked is at their paths, which a stash \
                 does not bring back: {}; `git add` them or move them away first",
                listed(&at_one)
            );
            return Err(GitError::new(GitCode::InTheWay, message));
        }
        let untracked = entries.iter().filter(|entry| entry.untracked);
        let sized = untracked.map(|entry| {
            let data = self.top.join(entry.os_path()).symlink_metadata();
            // One that is gone by now is not put into the stash either.
            (data.map_or(0, |data| data.len()), entry.name())
        });
        match refusal(sized.collect()) {
            Some(message) => Err(GitError::new(GitCode::TooMuchUntracked, message)),
            None => Ok(()),
        }
    }
}

/// Why these files, each with its size, do not go into a stash; `None` where they do.
fn refusal(mut files: Vec<(u64, String)>) -> Option<String> {
    let all = files.iter().fold(0_u64, |all, (bytes, _)| all.saturating_add(*bytes));
    if files.len() <= FILES && all <= MIB << 20 {
        return None;
    }
    files.sort_by(|(a, first), (b, second)| b.cmp(a).then_with(|| first.cmp(second)));
    let largest =
        files.iter().take(NAMED).map(|(bytes, name)| format!("{name} ({})", size(*bytes)));
    Some(format!(
        "untracked files would go into a stash, which takes at most {FILES} files and {MIB} MiB; \
         here are {} file{} with {}, the largest of them: {}; commit them, let git ignore them or \
         move them away first",
        files.len(),
        if files.len() == 1 { "" } else { "s" },
        size(all),
        largest.collect::<Vec<_>>().join(", ")
    ))
}

/// A size as people read it, rounded up so that what is over a limit never reads like the limit.
fn size(bytes: u64) -> String {
    let in_units = |shift: u32, unit: &str| {
        let tenths = (u128::from(bytes) * 10).div_ceil(1 << shift);
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    };
    match bytes {
        1 => "1 byte".to_owned(),
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => in_units(10, "KiB"),
        _ => in_units(20, "MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(number: usize, bytes: u64) -> Vec<(u64, String)> {
        (0..number).map(|number| (bytes, format!("f{number:05}"))).collect()
    }

    #[test]
    fn what_reaches_a_limit_is_not_over_it() {
        assert_eq!(refusal(files(FILES, 0)), None);
        assert_eq!(refusal(files(1, MIB << 20)), None);
        assert!(refusal(files(FILES + 1, 0)).is_some());
        assert!(refusal(files(1, (MIB << 20) + 1)).is_some());
        assert!(refusal(files(2, u64::MAX)).is_some());
    }

    #[test]
    fn a_refusal_names_the_largest_first() {
        let files = [(1, "b"), (65 << 20, "big"), (1, "a")];
        let message = refusal(files.map(|(bytes, name)| (bytes, name.to_owned())).to_vec());
        let says = "here are 3 files with 65.1 MiB, the largest of them: big (65.0 MiB), a (1 \
                    byte), b (1 byte); commit them";
        assert!(message.is_some_and(|message| message.contains(says)));
    }

    #[test]
    fn sizes_are_rounded_up() {
        let sizes = [0, 1, 1023, 1024, 1025, 1 << 20, (64 << 20) + 1];
        let expected =
            ["0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "1.1 KiB", "1.0 MiB", "64.1 MiB"];
        assert_eq!(sizes.map(size), expected);
    }
}
