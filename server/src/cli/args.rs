//! What the command line takes, and what its help says.

use std::net::SocketAddr;
use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use operator_core::dialect;
use operator_core::snapshot::FileId;

use super::history::HistoryArgs;
use super::structure::StructureArgs;
use super::{serve_http, spec};

/// Finds edit blocks in chats with language models, checks them and applies them.
///
/// Without a command it is the language server, as editors start it.
#[derive(Debug, Parser)]
#[command(name = "operator-lsp", version)]
pub struct Args {
    /// What to do; without one, to serve.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Serve on standard input and output, which is the only way; many editors say so
    #[arg(long, global = true, hide = true)]
    pub stdio: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve an editor as a language server on standard input and output (the default)
    ///
    /// Exits with 0 after the editor's `shutdown` and `exit`, and with 1 when it goes away without.
    Serve,
    /// Print the first message to a model: a specification, files and a request
    ///
    /// It goes to standard output, so `operator-lsp prompt src/*.py | pbcopy` copies it. How many
    /// tokens it is, at three bytes a token, goes to standard error, and what was left out: protected
    /// paths, what `.gitignore` excludes, directories of dependencies, what is not UTF-8 text or too
    /// large, and files with what looks like a secret, also where they were asked for.
    ///
    /// Exits with 0, with 1 when a file that was asked for by its own name was left out, and with 2,
    /// without a message to the model, when a path or a glob fits nothing.
    Prompt(PromptArgs),
    /// List what is wrong with the blocks of transcripts
    ///
    /// Each block is checked against the current workspace. Nothing is changed.
    ///
    /// Exits with 0 when there is no error, 1 when there is one, and 2 when a file cannot be read
    /// or is not UTF-8.
    Check(CheckArgs),
    /// Apply the blocks of a transcript and print the replies for the model
    ///
    /// Blocks run in document order; each is all or nothing, a failed one does not stop the next,
    /// and a later one sees what an earlier one did. On a terminal each change is shown and asked
    /// about. Replies go to standard output, everything else to standard error, so
    /// `operator-lsp apply chat.md --yes | pbcopy` copies the replies for the model.
    ///
    /// Exits with 0 when all is done, 1 when a block failed or was refused, when there is no block,
    /// or when what was done could not be committed, and 2 when it could not run.
    Apply(ApplyArgs),
    /// Print what to send back to the model about a transcript
    ///
    /// The replies to all blocks that were applied or cannot be, each with what is wrong and what
    /// to send again, as the files are now. What a reply in the transcript says already is left
    /// out, and so is a block that can still be applied or rejected. Nothing is changed.
    ///
    /// Exits with 0 when every block is applied or answered, 1 when one is not or there is none,
    /// and 2 when it could not run.
    Reply(ReplyArgs),
    /// List what was applied to the workspace, the newest first
    ///
    /// Each operation has a number, which `undo` takes. What an editor has applied is in the list,
    /// too. Nothing is changed.
    ///
    /// Exits with 0, and with 2 when the list cannot be read.
    Log(LogArgs),
    /// Undo the last operation, or the one with this number in `log`
    ///
    /// Its files must be as it left them; otherwise nothing is touched, and the message
    /// names the file and who changed it. Run it again to undo the operation before.
    ///
    /// Exits with 0, with 1 when there is nothing to undo or a file has changed since, and
    /// with 2 when no operation has the number or it could not run.
    Undo(UndoArgs),
    /// Make again what `undo` undid last
    ///
    /// The files must be as `undo` left them; otherwise nothing is touched. The operation has
    /// its number again, and can be undone again. Once another operation has changed one of its
    /// files it cannot be redone.
    ///
    /// Exits with 0, with 1 when there is nothing to redo or a file has changed since, and with 2
    /// when it could not run.
    Redo(RedoArgs),
    /// Go back and forth between git commits, undo or squash those of `apply --commit`
    ///
    /// An AI commit is one whose message begins with `AI: `. Commits that the branch no longer
    /// leads to are kept below refs/operator-lsp/, and work that is not committed is put into a
    /// stash. The newest 20 of each stay for 90 days, and longer what is needed to come back; what
    /// is dropped is named. Nothing is pushed.
    ///
    /// Exits with 0, with 1 when it is refused or a stash does not fit any more, and with 2 when
    /// it could not run.
    History(HistoryArgs),
    /// Read and edit functions, classes, sections and the like by their names
    ///
    /// Each operation finds its structure in the syntax tree and refuses where a target fits none,
    /// or more than one. `operator-lsp undo` undoes what is written.
    ///
    /// Exits with 0, with 1 when the operation cannot be done, and with 2 when it could not run.
    Structure(StructureArgs),
    /// Print the interface specification that a model needs to write blocks
    ///
    /// Exits with 0.
    Spec(SpecArgs),
    /// Print the SHA-256 fingerprints of files, as blocks state them
    ///
    /// Exits with 0, or with 2 when a file cannot be read.
    Fingerprint(FingerprintArgs),
    /// Ask a language model for edits: one edit-ops request on standard input, the response on
    /// standard output
    ///
    /// The model is that of the variables LLM_CHAT_OPS_ENABLED, LLM_CHAT_OPS_BASE_URL and others;
    /// without them the response says that it is switched off. Nothing is changed.
    ///
    /// Exits with 0 even if the model fails, and with 2 when the input is not a valid request.
    EditOps,
    /// Answer edit-ops requests over HTTP: POST /api/v1/editor/edit-ops
    ///
    /// The model is that of the variables LLM_CHAT_OPS_ENABLED, LLM_CHAT_OPS_BASE_URL and others.
    /// The address is printed on standard error, and a line about each request after it: sizes,
    /// outcome and time, never texts. Nothing is kept between two requests, so any number of
    /// such services can run behind a load balancer.
    ///
    /// Exits with 0 after SIGTERM or an interrupt, once what is under way is answered, and with 2
    /// when it cannot begin.
    ServeHttp(ServeHttpArgs),
    /// Print the settings as JSON schema; editors generate their settings pages from it
    ///
    /// Exits with 0.
    #[command(hide = true)]
    SettingsSchema,
}

/// Arguments of `serve-http`.
#[derive(Debug, clap::Args)]
pub struct ServeHttpArgs {
    /// Where to listen; port 0 has the system choose one. Any address that other computers can
    /// reach needs a token
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8765",
        value_parser = serve_http::address)]
    pub listen: SocketAddr,
    /// A file with the token that every request must have as `authorization: Bearer`; without
    /// it, the variable OPERATOR_HTTP_TOKEN
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// How many requests are answered at once; more get 503
    #[arg(long, value_name = "N", default_value = "64")]
    pub max_concurrent: NonZeroU16,
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
    #[command(flatten)]
    pub virtual_files: VirtualFileArgs,
    /// Check blocks that run programs as `apply --allow-exec` would
    #[arg(long)]
    pub allow_exec: bool,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// A transcript, and the workspace that it is about.
#[derive(Debug, clap::Args)]
pub struct TranscriptArgs {
    /// The transcript; `-` or none is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub file: PathBuf,
    /// The workspace that paths in blocks are relative to
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    #[command(flatten)]
    pub virtual_files: VirtualFileArgs,
}

/// Arguments of `reply`.
#[derive(Debug, clap::Args)]
pub struct ReplyArgs {
    #[command(flatten)]
    pub transcript: TranscriptArgs,
    /// How to print the replies
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `apply`.
#[derive(Debug, clap::Args)]
pub struct ApplyArgs {
    #[command(flatten)]
    pub transcript: TranscriptArgs,
    /// Apply every applicable block without asking
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,
    /// Print the diffs, and write nothing; no replies are printed, since nothing is applied
    #[arg(long)]
    pub dry_run: bool,
    /// Process only the block with this id or number (from 1); may be given several times. Where a
    /// word is both, `id:WORD` or `number:WORD` says which
    #[arg(long, value_name = "ID|N")]
    pub only: Vec<String>,
    /// Apply all blocks or, when one fails or is refused, none
    #[arg(long)]
    pub atomic: bool,
    /// Apply blocks again that were applied before, and those that were rejected
    #[arg(long)]
    pub again: bool,
    /// With --yes, also apply the changes that need a look of their own: those that may destroy
    /// what was not meant, or make the machine run code. Without it they are left, unless --only
    /// chooses them
    #[arg(long)]
    pub allow_caution: bool,
    /// Let blocks run programs; without --yes you are asked for each
    #[arg(long)]
    pub allow_exec: bool,
    /// Commit to git: first uncommitted work, then the blocks' changes, with
    /// a message that begins with `AI: `; nothing is pushed
    #[arg(long)]
    pub commit: bool,
    /// Let git run hooks, and filters that may be programs of the workspace, when it commits.
    /// Without it hooks do not run, and a file that goes through such a filter is not committed
    #[arg(long, requires = "commit")]
    pub hooks: bool,
    /// Print the replies even where standard output is a terminal
    #[arg(long)]
    pub replies: bool,
    /// How to print what was done: the replies alone, or one JSON object with everything
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Where the virtual files of edit-ops proposals are, and what was asked.
#[derive(Debug, clap::Args)]
pub struct VirtualFileArgs {
    /// Where a virtual file of edit-ops is: `tool.py=src/tool.py`; may be given several times.
    /// Otherwise it is the file of its name beside the transcript, else in the workspace
    #[arg(long = "virtual-file", value_name = "ID=PATH", value_parser = virtual_file)]
    pub given: Vec<(FileId, String)>,
    /// The edit-ops request that the proposal answers, a file: where the selection and the cursor
    /// of its ops are. It counts for a proposal with the fingerprints of its files
    #[arg(long, value_name = "REQUEST.json")]
    pub request: Option<PathBuf>,
}

fn virtual_file(text: &str) -> Result<(FileId, String), String> {
    let known = FileId::ALL.map(FileId::as_str).join(", ");
    let (id, path) = text.split_once('=').ok_or("write ID=PATH, as in tool.py=src/tool.py")?;
    let id = FileId::of(id)
        .ok_or_else(|| format!("`{id}` is not a virtual file; the files are {known}"))?;
    match path {
        "" => Err(format!("the path of {id} is missing")),
        path => Ok((id, path.to_owned())),
    }
}

/// Arguments of `log`.
#[derive(Debug, clap::Args)]
pub struct LogArgs {
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// How to print the list
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `redo`.
#[derive(Debug, clap::Args)]
pub struct RedoArgs {
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
}

/// Arguments of `undo`.
#[derive(Debug, clap::Args)]
pub struct UndoArgs {
    /// The operation, as `log` lists it; without it, the newest one that is not undone
    #[arg(value_name = "ID", value_parser = number)]
    pub id: Option<u64>,
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Leave files that have changed since as they are, and undo everything else
    #[arg(long)]
    pub skip_changed: bool,
}

/// Arguments of `prompt`.
#[derive(Debug, clap::Args)]
pub struct PromptArgs {
    /// Files, directories with all files below, and globs, from the workspace on; a glob without
    /// `/` fits names in every directory
    #[arg(value_name = "PATH|GLOB")]
    pub paths: Vec<String>,
    /// The dialect that the model is to write
    #[arg(long, value_name = "NAME", default_value = dialect::recommended().name,
        value_parser = PossibleValuesParser::new(dialect::written().map(|rules| rules.name)))]
    pub dialect: String,
    /// Add the tree of the workspace, without hidden files and what `.gitignore` excludes
    #[arg(long)]
    pub tree: bool,
    /// Take outlines in place of texts, where the language of a file is known
    #[arg(long)]
    pub outline: bool,
    /// What the model is asked for
    #[arg(long, value_name = "TEXT")]
    pub ask: Option<String>,
    /// The most tokens; files beyond them come as outlines, or are left out
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// How to print it: the message alone, or one JSON object with what is in it and what is not
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `spec`.
#[derive(Debug, clap::Args)]
pub struct SpecArgs {
    /// The protocol
    #[arg(value_name = "NAME", default_value = "operator",
        value_parser = PossibleValuesParser::new(spec::names()))]
    pub name: String,
    /// List the protocols, a line each: the name, a tab, and what it is
    #[arg(long, conflicts_with = "name")]
    pub list: bool,
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

/// The number of an operation.
fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "operations have numbers, which `operator-lsp log` lists".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::*;

    #[test]
    fn the_help_of_every_command_says_how_it_exits() {
        fn check(command: &Command) {
            let help = command.get_long_about().unwrap_or_default().to_string();
            let name = command.get_name();
            assert!(name == "operator-lsp" || help.contains("Exits with "), "{name}: {help}");
            command.get_subcommands().for_each(check);
        }
        check(&Args::command());
    }
}
