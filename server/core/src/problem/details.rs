//! What a program needs to react to a problem.

use serde_json::{Map, Value};

/// Named values in the order in which they were given. Most problems have one or none, and a
/// transcript may have very many problems, so it is not the map that it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Details(Vec<(Box<str>, Value)>);

impl Details {
    /// Gives a name a value, in the place of the one that it had.
    pub fn insert(&mut self, name: &str, value: Value) {
        if let Some((_, known)) = self.0.iter_mut().find(|(known, _)| **known == *name) {
            *known = value;
            return;
        }
        self.0.reserve_exact(1);
        self.0.push((name.into(), value));
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    /// The map.
    pub fn to_map(&self) -> Map<String, Value> {
        self.0.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
    }
}

impl From<&Map<String, Value>> for Details {
    fn from(map: &Map<String, Value>) -> Details {
        Details(map.iter().map(|(name, value)| (name.as_str().into(), value.clone())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_name_counts() {
        let mut details = Details::default();
        for (name, value) in [("a", 1), ("b", 2), ("a", 3)] {
            details.insert(name, value.into());
        }
        assert_eq!(Value::from(details.to_map()), serde_json::json!({"a": 3, "b": 2}));
        assert_eq!(Details::from(&details.to_map()), details);
    }
}
