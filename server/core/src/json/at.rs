//! A value of a JSON document with its place: reads what is expected there, or gives the mismatch.

use serde_json::{Map, Value};

use crate::text::nearest::nearest;

/// A value and where it is.
#[derive(Debug, Clone)]
pub struct At<'a> {
    /// The value.
    pub value: &'a Value,
    /// Its place, a JSON pointer (RFC 6901).
    pub pointer: String,
}

/// A value that is not what is expected at its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch<'a> {
    /// The place of the value; of the member, where one is missing or unknown.
    pub pointer: String,
    /// What is wrong with it.
    pub kind: MismatchKind<'a>,
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub enum MismatchKind<'a> {
    /// An object has a member that it may not have.
    Unknown {
        /// The member's name.
        name: &'a str,
        /// The names that it may have.
        known: &'a [&'a str],
        /// The one of them that is most like it.
        near: Option<&'a str>,
    },
    /// An object does not have a member that it must have.
    Missing {
        /// The member's name.
        name: &'a str,
        /// What it must be.
        expected: &'a str,
        /// The name of a member that is most like it.
        near: Option<&'a str>,
    },
    /// It is another kind of value, or another value.
    Other {
        /// What it must be.
        expected: &'a str,
        /// What it is.
        found: &'a Value,
    },
}

type Result<'a, T> = std::result::Result<T, Mismatch<'a>>;

/// The JSON pointer to a member of the object at `pointer`.
pub fn member_pointer(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

impl<'a> At<'a> {
    /// A whole document.
    pub fn root(value: &'a Value) -> At<'a> {
        At { value, pointer: String::new() }
    }

    /// The value as `read` gives it; `expected` says what that is.
    ///
    /// # Errors
    /// `read` gives nothing.
    pub fn read<T>(
        &self,
        expected: &'a str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<'a, T> {
        read(self.value).ok_or_else(|| self.mismatch(expected))
    }

    /// The items of a list; `expected` says what list it is.
    ///
    /// # Errors
    /// It is not a list.
    pub fn items(&self, expected: &'a str) -> Result<'a, Vec<At<'a>>> {
        let items = self.read(expected, Value::as_array)?.iter().enumerate();
        let at = |(index, value)| At { value, pointer: format!("{}/{index}", self.pointer) };
        Ok(items.map(at).collect())
    }

    /// Checks that it is an object whose members are all `known`; the first other one is named.
    ///
    /// # Errors
    /// It is not an object, or has another member.
    pub fn only(&self, known: &'a [&'a str]) -> Result<'a, ()> {
        let mut names = self.object()?.keys();
        let Some(name) = names.find(|name| !known.contains(&name.as_str())) else {
            return Ok(());
        };
        let near = nearest(name, known.iter().copied());
        let kind = MismatchKind::Unknown { name, known, near };
        Err(Mismatch { pointer: member_pointer(&self.pointer, name), kind })
    }

    /// A member of an object; `None` where it is not there.
    pub fn given(&self, name: &str) -> Option<At<'a>> {
        let value = self.value.as_object()?.get(name)?;
        Some(At { value, pointer: member_pointer(&self.pointer, name) })
    }

    /// A member of an object; `expected` says what it must be.
    ///
    /// # Errors
    /// It is not an object, or does not have it.
    pub fn member(&self, name: &'a str, expected: &'a str) -> Result<'a, At<'a>> {
        let map = self.object()?;
        self.given(name).ok_or_else(|| {
            let near = nearest(name, map.keys().map(String::as_str));
            let kind = MismatchKind::Missing { name, expected, near };
            Mismatch { pointer: member_pointer(&self.pointer, name), kind }
        })
    }

    fn object(&self) -> Result<'a, &'a Map<String, Value>> {
        self.read("an object", Value::as_object)
    }

    fn mismatch(&self, expected: &'a str) -> Mismatch<'a> {
        let kind = MismatchKind::Other { expected, found: self.value };
        Mismatch { pointer: self.pointer.clone(), kind }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mismatch_has_its_place_and_the_nearest_name() {
        let value = json!({"list": [{"na/me": 3}, {"naem": 3}]});
        let root = At::root(&value);
        let list = root.member("list", "a list").unwrap();
        let items = list.items("a list").unwrap();
        let member = items[0].member("na/me", "a string").unwrap();
        let found = member.read("a string", Value::as_str).unwrap_err();
        let kind = MismatchKind::Other { expected: "a string", found: &json!(3) };
        assert_eq!(found, Mismatch { pointer: "/list/0/na~1me".to_owned(), kind });
        let unknown = items[1].only(&["name"]).unwrap_err();
        let near = Some("name");
        let kind = MismatchKind::Unknown { name: "naem", known: &["name"], near };
        assert_eq!(unknown, Mismatch { pointer: "/list/1/naem".to_owned(), kind });
        let missing = items[1].member("name", "a string").unwrap_err();
        let near = Some("naem");
        let kind = MismatchKind::Missing { name: "name", expected: "a string", near };
        assert_eq!(missing, Mismatch { pointer: "/list/1/name".to_owned(), kind });
        assert!(member.only(&[]).is_err(), "a number has no members");
    }
}
