//! What Windows makes of names and paths: rules without I/O, tested everywhere.

use std::borrow::Cow;

/// Whose rules for names count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// A name may mean another file than it says.
    Windows,
    /// A name means itself.
    Unix,
}

impl Naming {
    /// The rules of the system that this runs on.
    pub(super) const HERE: Naming = if cfg!(windows) { Naming::Windows } else { Naming::Unix };

    /// Why a name is not taken, as the end of "it cannot be used: ".
    pub(super) fn refusal(self, name: &str) -> Option<String> {
        match self {
            Naming::Windows => refusal(name),
            Naming::Unix => None,
        }
    }

    /// Whether the system may know a file by this name that has another one (`GIT~1` is `.git`).
    pub(super) fn may_be_short(self, name: &str) -> bool {
        self == Naming::Windows && name.contains('~')
    }

    /// Whether an error may mean that another program has the file open, and so may pass.
    pub(super) fn is_in_use(self, code: Option<i32>) -> bool {
        self == Naming::Windows && code.is_some_and(|code| IN_USE.contains(&code))
    }
}

/// The codes of errors that mean that another program has a file open: access denied, a sharing
/// violation, a locked part.
const IN_USE: [i32; 3] = [5, 32, 33];

/// A path of this system with `/` between names, as globs and blocks have it.
pub fn with_slashes(path: &str) -> Cow<'_, str> {
    if cfg!(windows) { path.replace('\\', "/").into() } else { path.into() }
}

/// What no name may hold, but for control characters and `:`.
const FORBIDDEN: [char; 6] = ['<', '>', '"', '|', '?', '*'];
/// Devices, whatever the folder, the letter case and the extension are.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Devices that have a number.
const PORTS: [&str; 2] = ["COM", "LPT"];

fn refusal(name: &str) -> Option<String> {
    let wrong = |why: &str| Some(format!("{why} (the name is `{}`)", name.escape_debug()));
    if name.contains(':') {
        return wrong("on Windows `:` in a name means a stream of another file");
    }
    if let Some(found) = name.chars().find(|it| FORBIDDEN.contains(it) || it.is_control()) {
        let says = format!("Windows does not allow `{}` in a name", found.escape_debug());
        return wrong(&says);
    }
    if name.ends_with(['.', ' ']) && !matches!(name, "." | "..") {
        return wrong("Windows leaves out dots and blanks at the end of a name");
    }
    is_device(name).then(|| wrong("on Windows this name means a device")).flatten()
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
    let has_number = || {
        let mut characters = stem.chars();
        let number = characters.next_back();
        let port = characters.as_str();
        PORTS.iter().any(|it| it.eq_ignore_ascii_case(port))
            && number.is_some_and(|it| it.is_ascii_digit() || matches!(it, '¹' | '²' | '³'))
    };
    DEVICES.iter().any(|device| device.eq_ignore_ascii_case(stem)) || has_number()
}

/// A path as people write it, of one in the form that the system gives (`\\?\C:\a`); `None` where
/// it has another form, or would mean another file.
pub(super) fn plain(path: &str) -> Option<String> {
    let rest = path.strip_prefix(r"\\?\")?;
    let (plain, names) = match rest.strip_prefix(r"UNC\") {
        Some(share) => (format!(r"\\{share}"), share),
        None => {
            let names = rest.strip_prefix(|drive: char| drive.is_ascii_alphabetic())?;
            (rest.to_owned(), names.strip_prefix(r":\")?)
        }
    };
    let is_itself = |name: &str| {
        !matches!(name, "" | "." | "..") && !name.contains('/') && refusal(name).is_none()
    };
    (names.is_empty() || names.split('\\').all(is_itself)).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_another_file() {
        let refused = |name: &str| refusal(name).unwrap_or_else(|| panic!("{name:?} is taken"));
        for (name, why) in [
            ("x.txt:stream", "a stream"),
            (".git::$INDEX_ALLOCATION", "a stream"),
            ("C:", "a stream"),
            (".git.", "dots and blanks"),
            (".git ", "dots and blanks"),
            ("...", "dots and blanks"),
            ("a?", "does not allow `?`"),
            ("a\"b", "does not allow `\\\"`"),
            ("a\tb", "does not allow `\\t`"),
            ("a\u{1}", "does not allow `\\u{1}`"),
            ("con", "a device"),
            ("NUL.txt", "a device"),
            ("aux .tar.gz", "a device"),
            ("Com7", "a device"),
            ("LPT³.log", "a device"),
            ("conout$", "a device"),
        ] {
            assert!(refused(name).contains(why), "{name:?}: {}", refused(name));
        }
        assert_eq!(
            refused(".git."),
            "Windows leaves out dots and blanks at the end of a name (the name is `.git.`)"
        );
    }

    #[test]
    fn names_that_mean_themselves() {
        for name in [
            ".git",
            ".",
            "..",
            "a.b",
            " a",
            "con1",
            "console",
            "com",
            "comx",
            "com10",
            "null",
            "lpt",
            "auxiliary.rs",
            "ä~1",
            "a'b",
            "{a}",
            "a;b",
            "Ünïcode",
        ] {
            assert_eq!(refusal(name), None, "{name:?}");
        }
        assert_eq!(Naming::Unix.refusal("a:b?."), None);
        assert!(Naming::Windows.may_be_short("GIT~1") && !Naming::Unix.may_be_short("GIT~1"));
        assert!(!Naming::Windows.may_be_short(".git"));
    }

    #[test]
    fn paths_as_people_write_them() {
        let is = |path: &str, expected: &str| assert_eq!(plain(path).as_deref(), Some(expected));
        is(r"\\?\C:\Users\me\a.py", r"C:\Users\me\a.py");
        is(r"\\?\c:\", r"c:\");
        is(r"\\?\UNC\server\share\a b", r"\\server\share\a b");
    }

    #[test]
    fn paths_that_only_the_system_s_form_can_name() {
        for path in [
            r"C:\a",
            "/a",
            r"\\?\C:",
            r"\\?\C:\a.\b",
            r"\\?\C:\nul",
            r"\\?\C:\a\..\b",
            r"\\?\C:\a/b",
            r"\\?\Volume{b75e2c83-0000-0000-0000-602f00000000}\a",
            r"\\?\GLOBALROOT\Device\x",
            r"\\.\C:\a",
            r"\\server\share",
            r"\\?\UNC\server\share\a ",
        ] {
            assert_eq!(plain(path), None, "{path}");
        }
    }
}
