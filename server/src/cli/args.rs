//! What the command line takes, and what its help says.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use operator_core::dialect;

/// Finds edit blocks in chats with language models, checks them and applies them.
#[derive(Debug, Parser)]
#[command(
    name = "operator-lsp",
    version,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List what is wrong with the blocks of transcripts
    ///
    /// Each block is judged against the workspace as it is. Nothing is changed.
    ///
    /// Exits with 0 when there is no error, 1 when there is one, and 2 when a file cannot be read
    /// or is not UTF-8.
    Check(CheckArgs),
    /// Print the interface specification that a model needs to write blocks
    Spec(SpecArgs),
    /// Print the SHA-256 fingerprints of files, as blocks state them
    ///
    /// Exits with 0, or with 2 when a file cannot be read.
    Fingerprint(FingerprintArgs),
}

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Transcripts; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The workspace that paths in blocks are relative to
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `spec`.
#[derive(Debug, clap::Args)]
pub struct SpecArgs {
    /// The protocol
    #[arg(value_name = "NAME", default_value = "operator",
        value_parser = PossibleValuesParser::new(dialect::ALL.iter().map(|dialect| dialect.name())))]
    pub name: String,
}

/// Arguments of `fingerprint`.
#[derive(Debug, clap::Args)]
pub struct FingerprintArgs {
    /// Files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// One JSON object
    Json,
}
