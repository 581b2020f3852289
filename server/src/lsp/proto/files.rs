//! The paths of `file` URIs. The rules for Windows are functions of text, tested everywhere.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tower_lsp::ls_types::Uri;

/// The path of a `file` URI.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    if !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    if !cfg!(windows) {
        return uri.to_file_path().map(|path| path.into_owned());
    }
    let host = uri.authority().map(|it| it.host().to_owned()).unwrap_or_default();
    windows_path(&host, &uri.path().decode().to_string_lossy()).map(PathBuf::from)
}

/// The `file` URI of an absolute path.
pub fn uri_of(path: &Path) -> Option<Uri> {
    if !path.is_absolute() {
        return None;
    }
    match cfg!(windows) {
        true => windows_uri(path.to_str()?)?.parse().ok(),
        false => Uri::from_file_path(path),
    }
}

/// The path that a URI with this host and this decoded path means. The drive's letter is a capital,
/// as the system gives it, whatever the editor writes.
fn windows_path(host: &str, path: &str) -> Option<String> {
    let names = path.replace('/', r"\");
    if !matches!(host, "" | "localhost") {
        let host = decoded(host)?;
        return Some(format!(r"\\{host}{names}"));
    }
    let names = names.strip_prefix('\\')?;
    let mut rest = names.chars();
    let drive = rest.next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
    match rest.as_str() {
        ":" => Some(format!(r"{drive}:\")),
        rest => rest.starts_with(r":\").then(|| format!("{drive}{rest}")),
    }
}

fn windows_uri(path: &str) -> Option<String> {
    let names = path.replace('\\', "/");
    let Some(share) = names.strip_prefix("//") else {
        return Some(format!("file:///{}", encoded(&names)));
    };
    // What only the system's own form can name has no URI.
    let is_share = !share.starts_with(['?', '.', '/']);
    is_share.then(|| format!("file://{}", encoded(share)))
}

fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => encoded.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => encoded.push(byte.into()),
            byte => _ = write!(encoded, "%{byte:02X}"),
        }
    }
    encoded
}

fn decoded(host: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = host;
    while let Some(first) = rest.chars().next() {
        let (taken, byte) = match first {
            '%' => (3, u8::from_str_radix(rest.get(1..3)?, 16).ok()?),
            _ => (1, u8::try_from(first).ok().filter(u8::is_ascii)?),
        };
        bytes.push(byte);
        rest = rest.get(taken..)?;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_have_paths() {
        let uri = |text: &str| text.parse::<Uri>().unwrap();
        assert_eq!(path_of(&uri("untitled:Untitled-1")), None);
        assert_eq!(uri_of(Path::new("c")), None);
        let (text, path) = match cfg!(windows) {
            true => ("file:///C%3A/a%20b/c", r"C:\a b\c"),
            false => ("file:///a%20b/c", "/a b/c"),
        };
        assert_eq!(path_of(&uri(text)), Some(PathBuf::from(path)));
        assert_eq!(uri_of(Path::new(path)), Some(uri(text)));
    }

    #[test]
    fn paths_of_windows() {
        let check = |host: &str, path: &str, expected: Option<&str>| {
            assert_eq!(windows_path(host, path).as_deref(), expected, "{host} {path}");
        };
        check("", "/c:/a b/ä.md", Some(r"C:\a b\ä.md"));
        check("", "/C:/", Some(r"C:\"));
        check("localhost", "/c:", Some(r"C:\"));
        check("server", "/share/a", Some(r"\\server\share\a"));
        check("wsl%24", "/Debian/a", Some(r"\\wsl$\Debian\a"));
        check("", "/etc/passwd", None);
        check("", "/c:a", None);
        check("", "", None);
        check("a%zz", "/b", None);
    }

    #[test]
    fn uris_of_windows() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(windows_uri(path).as_deref(), expected, "{path}");
        };
        check(r"C:\a b\ä#.md", Some("file:///C%3A/a%20b/%C3%A4%23.md"));
        check("C:/a", Some("file:///C%3A/a"));
        check(r"\\wsl$\Debian\a", Some("file://wsl%24/Debian/a"));
        check(r"\\?\C:\a.", None);
        check(r"\\.\pipe\x", None);
    }
}
