//! `prompt`: the first message to a model, and on standard error what is in it.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use annotate_snippets::{Group, Level, Renderer};
use operator_core::limits::Limits;
use operator_core::prompt::{LeftOut, Prompt};

use super::args::{Format, PromptArgs};
use super::{Exit, complain, json, root};
use crate::prompt::{self, Asked};
use crate::visible;

/// Prints the message, and how many tokens it is.
pub fn run(args: &PromptArgs) -> io::Result<Exit> {
    let limits = Limits::default();
    let Some(workspace) = root::open(&args.root, &limits) else { return Ok(Exit::Failed) };
    // The parser of the arguments lets no other name pass.
    let Some(rules) = prompt::dialect(&args.dialect) else { return Ok(Exit::Failed) };
    let asked = Asked {
        paths: args.paths.clone(),
        rules,
        tree: args.tree,
        outline: args.outline,
        ask: args.ask.clone(),
        budget: args.budget,
    };
    let made = match prompt::make(&asked, &workspace, &workspace) {
        Ok(made) => made,
        Err(messages) => {
            messages.iter().for_each(|message| complain(message));
            return Ok(Exit::Failed);
        }
    };
    match args.format {
        Format::Json => json::print(&made.to_json())?,
        Format::Human => print(&made.prompt)?,
    }
    if let Some(budget) = args.budget.filter(|budget| made.prompt.tokens > *budget) {
        let tokens = thousands(made.prompt.tokens);
        let more = format!("the message has {tokens} tokens, more than the budget of {budget}");
        complain(&format!("{more}: the instructions alone may need more"));
    }
    Ok(if made.is_partial { Exit::Wrong } else { Exit::Fine })
}

fn print(prompt: &Prompt) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(visible::for_stream(&prompt.text, &io::stdout()).as_bytes())?;
    out.flush()?;
    anstream::stderr().write_all(summary(prompt).as_bytes())
}

/// The tokens of all and of each file, and what is not in it.
fn summary(prompt: &Prompt) -> String {
    let all = thousands(prompt.tokens);
    let mut text = format!("{all} tokens in all\n");
    for file in &prompt.files {
        let outline = if file.outline { " (outline)" } else { "" };
        let path = visible::one_line(&file.path);
        let tokens = thousands(file.tokens);
        let _ = writeln!(text, "{tokens:>width$} {path}{outline}", width = all.len());
    }
    text.extend(prompt.left_out.iter().map(warning));
    text
}

fn warning(LeftOut { path, reason }: &LeftOut) -> String {
    let message = format!("{} is left out: {reason}", visible::one_line(path));
    let group = Group::with_title(Level::WARNING.primary_title(message));
    visible::rendered(Renderer::styled().render(&[group])) + "\n"
}

/// `12,345`
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let rest = digits.as_bytes()[first..].chunks(3).map(String::from_utf8_lossy);
    let groups = (first > 0).then(|| digits[..first].into()).into_iter().chain(rest);
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_in_groups() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }
}
