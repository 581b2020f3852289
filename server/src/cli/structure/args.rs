//! What `structure` takes: one command for each operation, made of its parameters.

use std::path::PathBuf;

use clap::{Arg, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use operator_core::fingerprint::Fingerprint;
use operator_core::spec::{Effect, FieldRole};
use operator_core::structure::{self, OPERATIONS};
use serde_json::{Map, Value};

use crate::cli::args::Format;

/// The id of the argument that names a file with the content.
const CONTENT_FILE: &str = "content_file";
/// The id of the argument for the fingerprint that the file must have.
const BASE: &str = "base_fingerprint";

/// Arguments of `structure`.
#[derive(Debug, Args)]
pub struct StructureArgs {
    /// What to do
    #[command(subcommand)]
    pub operation: Operation,
    /// The workspace that paths are relative to, and that no path leads out of
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub root: PathBuf,
    /// How to print the result
    #[arg(long, value_enum, default_value_t, global = true)]
    pub format: Format,
}

/// What to do with structures.
#[derive(Debug)]
pub enum Operation {
    /// List the structures of files.
    Outline(Outline),
    /// Another operation, with its arguments.
    Other(Asked),
}

/// Arguments of `structure outline`.
#[derive(Debug, Args)]
pub struct Outline {
    /// Files and directories; of a directory every file in a known language is listed that
    /// `.gitignore` does not exclude
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
}

/// An operation with its arguments.
#[derive(Debug)]
pub struct Asked {
    /// The operation.
    pub operation: &'static structure::Operation,
    /// The arguments by the names of their parameters.
    pub fields: Map<String, Value>,
    /// A file that holds the content; `-` is standard input.
    pub content_file: Option<PathBuf>,
}

impl Subcommand for Operation {
    fn augment_subcommands(command: Command) -> Command {
        let about = "List the structures of files, each with a target that fits it alone";
        let outline = with_help(Outline::augment_args(Command::new("outline")), about);
        command.subcommand(outline).subcommands(OPERATIONS.iter().filter_map(subcommand))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Operation::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        name == "outline" || OPERATIONS.iter().any(|operation| operation.command == Some(name))
    }
}

impl FromArgMatches for Operation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Operation, Error> {
        let Some((name, matches)) = matches.subcommand() else {
            return Err(Error::new(clap::error::ErrorKind::MissingSubcommand));
        };
        match OPERATIONS.iter().find(|operation| operation.command == Some(name)) {
            Some(operation) => Ok(Operation::Other(Asked::of(operation, matches))),
            None => Outline::from_arg_matches(matches).map(Operation::Outline),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Operation::from_arg_matches(matches)?;
        Ok(())
    }
}

/// How every operation exits.
const EXITS: &str = "Exits with 0, with 1 when the operation cannot be done, and with 2 when it could \
                     not run.";

/// The command with what it is about.
fn with_help(command: Command, about: &'static str) -> Command {
    command.about(about).long_about(format!("{about}\n\n{EXITS}"))
}

/// The command of an operation; `None` where it has none.
fn subcommand(operation: &structure::Operation) -> Option<Command> {
    let mut command = with_help(Command::new(operation.command?), operation.help);
    for parameter in operation.parameters {
        command = command.arg(argument(*parameter));
        if *parameter == FieldRole::Content {
            let file = flag(CONTENT_FILE, "content-file", "FILE");
            let file = file.value_parser(clap::value_parser!(PathBuf));
            let group = ArgGroup::new("either").args([parameter.name(), CONTENT_FILE]);
            command = command
                .arg(file.help("A file that holds the text; `-` is standard input"))
                .group(group.required(true));
        }
    }
    if operation.effect == Effect::Write {
        let base = flag(BASE, "base-fingerprint", "SHA256");
        let base = base.value_parser(clap::value_parser!(Fingerprint));
        command = command.arg(base.help("Do nothing unless the file has this fingerprint"));
    }
    Some(command)
}

/// The argument for a parameter.
fn argument(parameter: FieldRole) -> Arg {
    let id = parameter.name();
    let text = |long, value| flag(id, long, value).required(true).allow_hyphen_values(true);
    match parameter {
        FieldRole::Path | FieldRole::SourcePath => {
            Arg::new(id).value_name("PATH").required(true).help("The file")
        }
        FieldRole::Target | FieldRole::SourceTarget => text("target", "TARGET")
            .help("The structure: its header or name, one line for each level, outermost first"),
        FieldRole::DestPath => {
            text("dest-path", "PATH").allow_hyphen_values(false).help("The file that it goes to")
        }
        FieldRole::DestTarget => {
            text("dest-target", "TARGET").help("The structure that it goes to")
        }
        FieldRole::Content => {
            text("content", "TEXT").required(false).help("The text, at zero indent")
        }
        FieldRole::OldText => text("old", "TEXT").help("The text that is there"),
        FieldRole::NewText => text("new", "TEXT").help("The text that is to be there"),
        FieldRole::ExpectedCount => flag(id, "expected-count", "N")
            .value_parser(clap::value_parser!(usize))
            .help("How many times it must be there"),
        _ => text(id, "TEXT"),
    }
}

fn flag(id: &'static str, long: &'static str, value: &'static str) -> Arg {
    Arg::new(id).long(long).value_name(value)
}

impl Asked {
    fn of(operation: &'static structure::Operation, matches: &ArgMatches) -> Asked {
        let value = |parameter: FieldRole| match parameter {
            FieldRole::ExpectedCount => {
                matches.get_one::<usize>(parameter.name()).copied().map(Value::from)
            }
            _ => matches.get_one::<String>(parameter.name()).cloned().map(Value::from),
        };
        let parameters = operation.parameters.iter();
        let given = parameters.filter_map(|it| Some((it.name().to_owned(), value(*it)?)));
        let mut fields: Map<String, Value> = given.collect();
        if operation.effect == Effect::Write
            && let Some(base) = matches.get_one::<Fingerprint>(BASE)
        {
            fields.insert(BASE.to_owned(), base.to_string().into());
        }
        let takes_content = operation.parameters.contains(&FieldRole::Content);
        let file = takes_content.then(|| matches.get_one::<PathBuf>(CONTENT_FILE)).flatten();
        Asked { operation, fields, content_file: file.cloned() }
    }
}

#[cfg(test)]
mod tests {
    use operator_core::structure::{Arguments, Context, Done, Failure};

    use super::*;

    /// Another operation: its file would hold this function, and the table this row.
    fn sort(context: &Context<'_>, arguments: &Arguments) -> Result<Done, Failure> {
        let read = structure::operation("read_structure").expect("it is in the table");
        (read.perform)(context, arguments)
    }

    static SORT: structure::Operation = structure::Operation {
        name: "sort_structure",
        command: Some("sort"),
        help: "Sort the members of a structure",
        effect: Effect::Write,
        parameters: &[FieldRole::Path, FieldRole::Target],
        perform: sort,
    };

    #[test]
    fn the_row_of_an_operation_makes_its_command() {
        let command = subcommand(&SORT).expect("it has one").no_binary_name(true);
        let matches = command.clone().try_get_matches_from(["a.py", "--target", "-x"]);
        let asked = Asked::of(&SORT, &matches.expect("it is complete"));
        let request = SORT.request(asked.fields).expect("it is complete");
        assert_eq!((request.path(), &*request.arguments.target), ("a.py", "-x"));
        assert!(command.try_get_matches_from(["a.py"]).is_err());
    }

    #[test]
    fn every_command_is_sound() {
        for operation in OPERATIONS {
            if let Some(command) = subcommand(operation) {
                command.debug_assert();
            }
        }
    }
}
