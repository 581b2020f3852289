//! Canonical single-line base64 (RFC 4648, section 4), checked to the character.

use data_encoding::{BASE64, DecodeError, DecodeKind};

/// Why a value is not a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base64Error {
    /// The byte of the value at fault.
    pub at: usize,
    /// What is wrong with it.
    pub message: String,
    /// The value fixed, where blanks or padding alone are wrong.
    pub repair: Option<Repair>,
}

/// A value fixed without a guess at its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What was done to it, as a menu shows it.
    pub title: &'static str,
    /// The sound value.
    pub value: String,
    /// Whether blanks were all that was wrong, so that nothing can be missing.
    pub only_blanks: bool,
}

/// The bytes of a value.
///
/// # Errors
/// Where it is not canonical, and a fix if that can be made without guessing at the bytes.
pub fn decode(value: &str) -> Result<Vec<u8>, Base64Error> {
    if value.is_empty() {
        return Err(Base64Error {
            at: 0,
            message: "empty base64: an empty file is asked for with an empty `content:`".to_owned(),
            repair: None,
        });
    }
    // The quick decoder takes what is canonical; the exact one says what is wrong with the rest.
    match base64_simd::STANDARD.decode_to_vec(value) {
        Ok(bytes) => Ok(bytes),
        Err(_) => Err(match BASE64.decode(value.as_bytes()) {
            Err(error) => explain(value, error),
            // The exact one takes payloads one after another, which are not one payload.
            Ok(_) => explain(value, DecodeError { position: 0, kind: DecodeKind::Padding }),
        }),
    }
}

fn explain(value: &str, error: DecodeError) -> Base64Error {
    let foreign = value.char_indices().find(|(_, c)| !is_symbol(*c) && *c != '=');
    let (at, message) = match (foreign, error.kind) {
        (Some((at, c)), _) if c.is_whitespace() => {
            (at, "a blank inside base64: the value is one unbroken word".to_owned())
        }
        (Some((at, c @ ('-' | '_'))), _) => {
            (at, format!("`{c}` is of URL-safe base64; standard base64 has `+` and `/`"))
        }
        (Some((at, c)), _) => (at, format!("`{c}` is not a base64 character")),
        (None, DecodeKind::Trailing) => {
            (error.position, "the last character has bits that belong to no byte".to_owned())
        }
        (None, DecodeKind::Length) => {
            let length = value.len();
            let says = format!(
                "the length is {length}, not a multiple of 4: it is cut off, or `=` padding is missing"
            );
            (length - 1, says)
        }
        (None, DecodeKind::Padding | DecodeKind::Symbol) => {
            let at = value.find('=').unwrap_or(error.position);
            (at, "`=` is allowed only at the end, to make the length a multiple of 4".to_owned())
        }
    };
    Base64Error { at, message, repair: repair(value) }
}

/// The value with blanks dropped or padding set right, where that alone makes it sound.
fn repair(value: &str) -> Option<Repair> {
    let unbroken: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    let padded = |value: &str| {
        let bare = value.trim_end_matches('=');
        format!("{bare}{}", "=".repeat((4 - bare.len() % 4) % 4))
    };
    let is_sound = |candidate: &String| {
        let bytes = base64_simd::STANDARD.decode_to_vec(candidate);
        candidate != value && bytes.is_ok_and(|b| !b.is_empty() && std::str::from_utf8(&b).is_ok())
    };
    let candidates = [
        ("Drop the blanks", unbroken.clone(), true),
        ("Fix the padding", padded(value), false),
        ("Drop the blanks and fix the padding", padded(&unbroken), false),
    ];
    let (title, value, only_blanks) = candidates.into_iter().find(|(_, text, _)| is_sound(text))?;
    Some(Repair { title, value, only_blanks })
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '+' || c == '/'
}

/// `text` as a payload.
pub fn encode(text: &str) -> String {
    base64_simd::STANDARD.encode_to_string(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_at_fault_is_named() {
        let at = |value| decode(value).map_err(|error| error.at);
        assert_eq!(at("YQ=="), Ok(b"a".to_vec()));
        assert_eq!(at(""), Err(0));
        assert_eq!(at("YW?j"), Err(2));
        assert_eq!(at("YWJj YWJj"), Err(4));
        assert_eq!(at("YQ="), Err(2));
        assert_eq!(at("YR=="), Err(1), "trailing bits");
        assert_eq!(at("Y=Q="), Err(1));
        assert_eq!(at("YWJjé"), Err(4));
        assert_eq!(at("YQ==YQ=="), Err(2));
        assert_eq!(at("===="), Err(0));
    }

    #[test]
    fn only_blanks_and_padding_are_mended() {
        let repaired = |value| decode(value).unwrap_err().repair.map(|repair| repair.value);
        assert_eq!(repaired("YQ").as_deref(), Some("YQ=="));
        assert_eq!(repaired("YWJj YWJj").as_deref(), Some("YWJjYWJj"));
        assert_eq!(repaired("YQ== ").as_deref(), Some("YQ=="));
        assert_eq!(repaired("YW?j"), None);
        assert_eq!(repaired("Y"), None);
    }
}
