//! Turns the tables of `spec/` into JSON, which is read in a tenth of the time.

#![allow(clippy::disallowed_methods, reason = "the core opens no file, but its build does")]

use std::path::Path;
use std::{env, fs};

#[allow(clippy::print_stdout, reason = "so cargo is told")]
fn main() {
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    for name in ["actions", "problems", "trusted-files"] {
        let page = format!("../../spec/{name}.toml");
        println!("cargo::rerun-if-changed={page}");
        let text = fs::read_to_string(&page).expect("the page is there");
        let table: toml::Table = toml::from_str(&text).unwrap_or_else(|it| panic!("{page}: {it}"));
        let json = serde_json::to_string(&table).expect("a table can be JSON");
        fs::write(Path::new(&folder).join(format!("{name}.json")), json)
            .expect("cargo has made the folder");
    }
}
