//! Where the person is in the active file: offsets as the request counts them, to bytes.

use operator_core::snapshot::CursorContext;
use operator_core::text::{Encoding, lines};

use super::request::Request;

/// Where the person is, in bytes.
///
/// # Errors
/// What is wrong with the selection or the cursor, for a person.
pub fn asked(request: &Request) -> Result<CursorContext, &'static str> {
    let text = request.files.get(&request.active_file).map_or("", String::as_str);
    let byte = |offset| byte(text, offset, request.encoding);
    let selection = match request.selection {
        None => None,
        Some((from, to)) if from > to => return Err("The selection ends before it begins"),
        Some((from, to)) => {
            let both = byte(from).zip(byte(to));
            let (from, to) = both.ok_or("The selection is not in the text of the active file")?;
            Some(from..to)
        }
    };
    let cursor = match request.cursor {
        None => None,
        Some(pos) => Some(byte(pos).ok_or("The cursor is not in the text of the active file")?),
    };
    Ok(CursorContext { file: request.active_file, selection, cursor })
}

/// The byte after an offset; none where it is beyond the text, or inside a character or a `\r\n`.
fn byte(text: &str, offset: i64, encoding: Encoding) -> Option<usize> {
    counted(text, offset, encoding).filter(|at| lines::may_be_parted(text, *at))
}

fn counted(text: &str, offset: i64, encoding: Encoding) -> Option<usize> {
    let offset = usize::try_from(offset).ok()?;
    if encoding == Encoding::Utf8 {
        return text.is_char_boundary(offset).then_some(offset);
    }
    let mut units = 0;
    for (byte, char) in text.char_indices() {
        if units >= offset {
            return (units == offset).then_some(byte);
        }
        units += if encoding == Encoding::Utf16 { char.len_utf16() } else { 1 };
    }
    (units == offset).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_what_they_say_they_count() {
        let text = "aé😀\r\n";
        let bytes = |encoding| -> String {
            let shown =
                |offset| byte(text, offset, encoding).map_or("-".into(), |at| at.to_string());
            (-1..11).map(shown).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(bytes(Encoding::Utf16), "- 0 1 3 - 7 - 9 - - - -");
        assert_eq!(bytes(Encoding::Utf32), "- 0 1 3 7 - 9 - - - - -");
        assert_eq!(bytes(Encoding::Utf8), "- 0 1 - 3 - - - 7 - 9 -");
        assert_eq!(byte(text, i64::MAX, Encoding::Utf16), None);
        assert_eq!(byte("", 0, Encoding::Utf16), Some(0));
    }
}
