//! Fingerprints: the SHA-256 of a file's exact bytes.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use sha2::{Digest, Sha256};

const PREFIX: &str = "sha256:";

/// `sha256:<64 lower-case hex>` over exact bytes, no normalisation (FIPS 180-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of `bytes`.
    pub fn of(bytes: &[u8]) -> Fingerprint {
        Fingerprint::of_parts(&[bytes])
    }

    /// The fingerprint of everything that `reader` gives, in bounded memory.
    ///
    /// # Errors
    /// What the reader says.
    pub fn of_reader(reader: &mut dyn Read) -> io::Result<Fingerprint> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(Fingerprint(hash.finalize().into())),
                Ok(count) => hash.update(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The first fingerprints that a text states, 32 at most, in order.
    pub fn all_in(text: &str) -> Vec<Fingerprint> {
        let starts = text.match_indices(PREFIX).map(|(at, _)| at);
        let stated = starts.filter_map(|at| text.get(at..at + PREFIX.len() + 64)?.parse().ok());
        stated.take(32).collect()
    }

    /// Its first eight digits, for texts that name one of a few.
    pub fn abbreviated(&self) -> String {
        self.0[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// It in 43 characters, for files that hold many: Base64 for URLs (RFC 4648 section 5) without
    /// padding.
    pub fn to_short(&self) -> String {
        BASE64URL_NOPAD.encode(&self.0)
    }

    /// The fingerprint of what [`Fingerprint::to_short`] gave.
    pub fn of_short(text: &str) -> Option<Fingerprint> {
        let mut bytes = [0; 32];
        let length = BASE64URL_NOPAD.decode_len(text.len());
        if length != Ok(bytes.len()) {
            return None;
        }
        BASE64URL_NOPAD.decode_mut(text.as_bytes(), &mut bytes).ok()?;
        Some(Fingerprint(bytes))
    }

    /// The fingerprint of several pieces as if they were one.
    pub fn of_parts(parts: &[&[u8]]) -> Fingerprint {
        let mut hash = Sha256::new();
        parts.iter().for_each(|part| hash.update(part));
        Fingerprint(hash.finalize().into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", HEXLOWER.encode(&self.0))
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Fingerprint, String> {
        let wrong = || format!("a fingerprint is {PREFIX} and 64 lower-case hexadecimal digits");
        let hex = text.strip_prefix(PREFIX).ok_or_else(wrong)?;
        let mut bytes = [0; 32];
        if HEXLOWER.decode_len(hex.len()) != Ok(bytes.len()) {
            return Err(wrong());
        }
        HEXLOWER.decode_mut(hex.as_bytes(), &mut bytes).map_err(|_| wrong())?;
        Ok(Fingerprint(bytes))
    }
}

impl serde::Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Fingerprint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Fingerprint, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_file_and_the_way_back() {
        let empty = Fingerprint::of(b"");
        let text = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(empty.to_string(), text);
        assert_eq!(text.parse(), Ok(empty));
        assert_eq!(Fingerprint::of_reader(&mut &b""[..]).unwrap(), empty);
        assert_eq!(Fingerprint::of_short(&empty.to_short()), Some(empty));
        assert_eq!((empty.to_short().len(), Fingerprint::of_short("47DEQ")), (43, None));
        assert!("sha256:E3".parse::<Fingerprint>().is_err());
        assert!("e3b0".parse::<Fingerprint>().is_err());
    }
}
