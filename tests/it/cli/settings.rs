//! `settings-schema`, and the editor's settings page that is made of it.

use std::collections::BTreeSet;

use serde_json::Map;

use super::*;

/// The prefix of the settings that are the extension's own.
const OWN: &str = "operator.server.";

fn schema() -> Map<String, Value> {
    let ran = World::new(&[]).run(&["settings-schema"]).exits(0);
    serde_json::from_str(&ran.out).unwrap()
}

/// The settings that the extension for VS Code declares, without its own.
fn declared() -> Map<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/vscode/package.json");
    let manifest: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let sections = manifest["contributes"]["configuration"].as_array().unwrap().clone();
    let settings = sections.iter().flat_map(|section| section["properties"].as_object().unwrap());
    settings
        .filter(|(name, _)| !name.starts_with(OWN))
        .map(|(n, s)| (n.clone(), s.clone()))
        .collect()
}

#[test]
fn the_extension_declares_the_settings_of_the_server() {
    let (schema, declared) = (schema(), declared());
    // The page has its own order.
    let names = |settings: &Map<String, Value>| settings.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&schema), names(&declared), "run `npm run settings` in editors/vscode");
    for (name, schema) in &schema {
        for (key, value) in schema.as_object().unwrap() {
            // The extension may say more, such as who may set it, and never something else.
            assert_eq!(
                &declared[name][key], value,
                "{name}: run `npm run settings` in editors/vscode"
            );
        }
    }
}
