//! A file's whole text, in which marks may be in the place of what stays as it is.

use super::context::{Context, Written, shown};
use super::denied::near_name;
use super::{Issue, Plan, Remedy, Wrote, not_a_file};
use crate::command::{There, WholeFile};
use crate::path::FilePath;
use crate::place::Lines;
use crate::problem::{
    FILES_ELISION_UNRESOLVED, FILES_MISSING_MARK, FILES_NOT_ANNOUNCED, PLAN_FILE_EXISTS,
};
use crate::spec::FieldRole;
use crate::structure::elision::{self, Marks, Unresolved};
use crate::text::Content;
use crate::text::one_line::{count, excerpt};

/// Creates a file that is said to be new, or gives the one that is there its text.
pub(super) fn plan(
    context: &Context<'_>,
    written: &str,
    file: &WholeFile,
) -> Result<Plan, Box<Issue>> {
    context.check_payload(file.text.len(), FieldRole::Content)?;
    let path = context.resolve(written, FieldRole::Path)?;
    let kind = context.ask(&path, FieldRole::Path, |snapshot| snapshot.kind(&path))?;
    let place = |how, path, texts| Written {
        how,
        path,
        field: FieldRole::Content,
        texts,
        replacements: None,
    };
    if kind.is_none() {
        if file.there == There::Yes {
            return Err(not_announced(context, &path));
        }
        let path = context.free(written, FieldRole::Path)?;
        not_a_file::issue(context, &path, file, "").map_or(Ok(()), Err)?;
        let content = Content::of_file(&file.text);
        return context.created(place(Wrote::Created, path, vec![&file.text]), content);
    }
    let before = context.read(&path)?;
    not_a_file::issue(context, &path, file, &before.text).map_or(Ok(()), Err)?;
    let (after, how) = match file.elides {
        true => (elided(context, &path, &before, &text_for(file, &before))?, Wrote::Edited),
        false => (whole(context, &path, &before, &text_for(file, &before))?, Wrote::Replaced),
    };
    // The marks are none of the text.
    let text = if file.elides { after.clone() } else { file.text.clone() };
    let after = before.with_text(after);
    if file.there == There::No && after != before {
        return Err(is_there(&path));
    }
    context.edited(place(how, path, vec![&text]), before, after)
}

fn is_there(path: &FilePath) -> Box<Issue> {
    let message = format!(
        "`{}` is there already, and the block says that it is new; take another path, or leave \
         out that it is new",
        shown(path)
    );
    Issue::new(PLAN_FILE_EXISTS, FieldRole::Path, message)
}

fn not_announced(context: &Context<'_>, path: &FilePath) -> Box<Issue> {
    let name = shown(path);
    let says = format!(
        "`{name}` is not there, and nothing says that it is new; write `New file: {name}` above \
         the fence, or take the path of a file that is there"
    );
    let issue = Issue::new(FILES_NOT_ANNOUNCED, FieldRole::Path, says);
    let Some(near) = near_name(context, path) else { return issue };
    let title = format!("Make it `{}`", excerpt(&near, 120));
    let remedy = Remedy::Values(vec![(FieldRole::Path, near.clone())]);
    issue.detail("nearest", near).choice(title, remedy)
}

/// The text with the line that names the file, where the file begins with it.
fn text_for(file: &WholeFile, before: &Content) -> String {
    let first = before.text.lines().next();
    match &file.path_line {
        Some(line) if first == Some(line.as_str()) => format!("{line}\n{}", file.text),
        _ => file.text.clone(),
    }
}

/// The text in place of all of the file; its lines keep their endings.
fn whole(
    context: &Context<'_>,
    path: &FilePath,
    before: &Content,
    text: &str,
) -> Result<String, Box<Issue>> {
    let lines = Lines::new(&before.text);
    if text.trim().is_empty() && !before.text.trim().is_empty() {
        let message = format!(
            "the new text is empty, and `{}` has {}; send the lines that stay, or delete the file",
            shown(path),
            count(lines.len(), "line")
        );
        return Err(Issue::new(FILES_MISSING_MARK, FieldRole::Content, message));
    }
    if let Some(language) = operator_grammars::of_file(&path.path, first_line(before))
        && elision::marks(text, Some(language)) != Marks::None
    {
        let mut patience = context.snapshot.patience(text.len());
        let unsure = elision::unsure(language, before, text, &mut *patience);
        unsure.map_or(Ok(()), |why| Err(unresolved(why)))?;
    }
    let text = Content::of_file(text);
    let new: Vec<&str> = text.text.lines().collect();
    Ok(lines.replace(0..lines.len(), &new, None).apply(&before.text))
}

/// The text with what the file has in the place of each mark.
fn elided(
    context: &Context<'_>,
    path: &FilePath,
    before: &Content,
    text: &str,
) -> Result<String, Box<Issue>> {
    let refused =
        |message: String| Issue::new(FILES_ELISION_UNRESOLVED, FieldRole::Content, message);
    let language = operator_grammars::of_file(&path.path, first_line(before));
    let Some(language) = language.filter(|it| elision::resolves(it)) else {
        return Err(refused(format!(
            "what the marks are in the place of is not known, since `{}` is not code of a language \
             that is known; send the file whole",
            shown(path)
        )));
    };
    let parsed = context.snapshot.parsed(path, language, before.clone());
    let parsed = parsed.map_err(|why| {
        refused(format!("`{}` cannot be parsed: {why}; send the file whole", shown(path)))
    })?;
    let mut patience = context.snapshot.patience(before.len() + text.len());
    elision::resolve(&parsed, text, &mut *patience).map_err(unresolved)
}

fn unresolved(why: Unresolved) -> Box<Issue> {
    let code = if why.is_left_out { FILES_MISSING_MARK } else { FILES_ELISION_UNRESOLVED };
    let message = format!("line {} of the file's text: {}", why.line + 1, why.message);
    Issue::new(code, FieldRole::Content, message).detail("line", why.line + 1)
}

fn first_line(content: &Content) -> &str {
    content.text.lines().next().unwrap_or_default()
}
