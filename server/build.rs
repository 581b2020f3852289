//! Has the linker put the functions of a start side by side; see `startup.ld`.

use std::env::var;

#[allow(clippy::print_stdout, reason = "so cargo is told")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=startup.ld");
    let is = |name: &str, value: &str| var(name).is_ok_and(|it| it == value);
    let is_linux = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    // Some linkers that one can ask for know no scripts.
    let has_own_linker = var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|it| it.contains("fuse-ld"));
    if is_linux && is("PROFILE", "release") && !has_own_linker {
        let folder = var("CARGO_MANIFEST_DIR").expect("cargo sets it");
        println!("cargo::rustc-link-arg-bin=operator-lsp=-Wl,-T,{folder}/startup.ld");
    }
}
