//! Every language, one line each.

use crate::Language;

#[path = "bash/profile.rs"]
mod bash;
#[path = "c/profile.rs"]
mod c;
#[path = "cpp/profile.rs"]
mod cpp;
#[path = "csharp/profile.rs"]
mod csharp;
#[path = "css/profile.rs"]
mod css;
#[path = "go/profile.rs"]
mod go;
#[path = "html/profile.rs"]
mod html;
#[path = "java/profile.rs"]
mod java;
#[path = "javascript/profile.rs"]
mod javascript;
#[path = "json/profile.rs"]
mod json;
#[path = "lua/profile.rs"]
mod lua;
#[path = "markdown/profile.rs"]
mod markdown;
#[path = "php/profile.rs"]
mod php;
#[path = "python/profile.rs"]
mod python;
#[path = "ruby/profile.rs"]
mod ruby;
#[path = "rust/profile.rs"]
mod rust;
#[path = "toml/profile.rs"]
mod toml;
#[path = "tsx/profile.rs"]
mod tsx;
#[path = "typescript/profile.rs"]
mod typescript;
#[path = "yaml/profile.rs"]
mod yaml;

/// Every language that the project knows.
pub const LANGUAGES: &[Language] = &[
    python::PYTHON,
    markdown::MARKDOWN,
    rust::RUST,
    javascript::JAVASCRIPT,
    typescript::TYPESCRIPT,
    tsx::TSX,
    java::JAVA,
    go::GO,
    c::C,
    cpp::CPP,
    csharp::CSHARP,
    ruby::RUBY,
    php::PHP,
    lua::LUA,
    bash::BASH,
    json::JSON,
    yaml::YAML,
    toml::TOML,
    html::HTML,
    css::CSS,
];
