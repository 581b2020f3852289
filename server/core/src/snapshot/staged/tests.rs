use proptest::prelude::*;

use super::*;
use crate::snapshot::MemorySnapshot;

fn at(path: &str) -> FilePath {
    FilePath::new(0, path)
}

/// Everything that can be asked of a snapshot, path by path.
fn everything(snapshot: &dyn super::super::Snapshot, path: &FilePath, out: &mut Vec<String>) {
    let state = snapshot.state(path);
    out.push(format!("{path} {:?} {state:?} {:?}", snapshot.kind(path), snapshot.read(path)));
    out.push(format!("{:?}", snapshot.named(0, path.name(), usize::MAX)));
    let Ok(entries) = snapshot.list(path) else { return };
    out.push(format!("{path} {:?}", snapshot.files(path, true, usize::MAX)));
    out.push(format!("{path} {:?}", snapshot.files(path, false, usize::MAX)));
    for entry in entries {
        out.push(format!("{path} {entry:?}"));
        everything(snapshot, &path.join(&entry.name), out);
    }
}

/// A change of what is there, if `wish` makes sense now: a kind of change and two places.
fn change(snapshot: &dyn super::super::Snapshot, wish: &(u8, String, String)) -> Option<Change> {
    let (what, path, to) = (wish.0, at(&wish.1), at(&wish.2));
    let kind = snapshot.kind(&path).unwrap();
    let free = |path: &FilePath| {
        let mut above = path.parent();
        while let Some(directory) = above {
            if snapshot.kind(&directory).unwrap() == Some(Kind::File) {
                return false;
            }
            above = directory.parent();
        }
        snapshot.kind(path).unwrap().is_none()
    };
    let content = || Content::plain(format!("{what}{path}"));
    match (what, kind) {
        (0, None) if free(&path) => Some(Change::Create { content: content(), path, like: None }),
        (1, None) if free(&path) => Some(Change::CreateDirectory { path }),
        (2, Some(Kind::File)) => {
            let before = snapshot.read(&path).unwrap_or_default();
            Some(Change::Edit { before, after: content(), path })
        }
        (3, Some(kind)) => Some(Change::Delete { path, kind, files: 1 }),
        (4 | 5, Some(kind)) if free(&to) && !to.is_within(&path) => {
            Some(Change::Rename { from: path, to, kind, files: 1 })
        }
        _ => None,
    }
}

#[test]
fn a_file_stays_read_only_wherever_it_goes() {
    let mut base = MemorySnapshot::of([("a", "1"), ("b", "2"), ("c", "3")]);
    base.read_only.extend(["a", "b", "c"].map(str::to_owned));
    let mut staged = Staged::new(&base);
    let like = Some(at("b"));
    let changes = [
        Change::Rename { from: at("a"), to: at("d/a"), kind: Kind::File, files: 1 },
        Change::Create { path: at("copy"), content: Content::plain("2"), like },
        Change::Delete { path: at("c"), kind: Kind::File, files: 1 },
        Change::Create { path: at("c"), content: Content::plain("4"), like: None },
    ];
    changes.into_iter().for_each(|change| staged.stage(&ChangeSet::one(change)).unwrap());
    for path in ["d/a", "b", "copy"] {
        assert_eq!(staged.writable(&at(path)), Err(Denied::ReadOnly), "{path}");
    }
    for path in ["a", "c", "nothing"] {
        assert_eq!(staged.writable(&at(path)), Ok(()), "{path}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn staged_is_what_a_disk_would_be(
        wishes in proptest::collection::vec((0u8..6, "[ab.](/[ab]){0,2}", "[ab.](/[ab]){0,2}"), 1..12),
    ) {
        let mut base = MemorySnapshot::of([("a/a/b", "1"), ("a/b", "2"), ("b/a", "3")]);
        base.files.insert("b/b".into(), vec![0xff]);
        base.directories.insert("a/a/a".into());
        let mut done = base.clone();
        let mut staged = Staged::new(&base);
        for wish in &wishes {
            if let Some(change) = change(&staged, wish) {
                let changes = ChangeSet::one(change);
                staged.stage(&changes).unwrap();
                done.apply(&changes);
            }
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        everything(&staged, &at(""), &mut left);
        everything(&done, &at(""), &mut right);
        prop_assert_eq!(left, right);
        let mut again = base.clone();
        again.apply(&staged.into_changes());
        prop_assert_eq!(again.files, done.files);
    }
}

#[test]
fn bytes_that_are_no_text_move_with_their_directory() {
    let mut base = MemorySnapshot::of([("src/a", "a")]);
    base.files.insert("src/icon".into(), vec![0xff, 0xfe]);
    let mut staged = Staged::new(&base);
    let rename =
        Change::Rename { from: at("src"), to: at("x/lib"), kind: Kind::Directory, files: 2 };
    staged.stage(&ChangeSet::one(rename)).unwrap();
    assert_eq!(
        staged.state(&at("x/lib/icon")),
        super::super::Snapshot::state(&base, &at("src/icon"))
    );
    assert_eq!(staged.read(&at("x/lib/icon")), Err(Denied::NotUtf8(0)));
    assert_eq!(staged.kind(&at("src")), Ok(None));
    assert_eq!(staged.list(&at("src")), Err(Denied::NotFound));
    assert_eq!(staged.files(&at(""), true, 9).unwrap(), [at("x/lib/a"), at("x/lib/icon")]);
}
