//! What a shell does with a line of a fence: a heredoc that it writes to a file, `cat > src/a.py <<'EOF'`.

use crate::dialect::typed::{self, DELIMITERS};
use crate::dialect::{Above, margin};
use crate::text::fence::{Fence, OpenFence};
use crate::text::{Span, lines};

/// The line that begins a heredoc which a shell would write to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heredoc {
    /// The file.
    pub path: String,
    /// Where it is in the line, with its quotes.
    pub place: Span,
    /// The line that ends the heredoc.
    pub delimiter: String,
    /// Where that is in the line, with its quotes.
    pub delimiter_place: Span,
    /// Whether the shell leaves the lines as they are.
    pub is_quoted: bool,
    /// Whether tabs before each line do not count.
    pub strips_tabs: bool,
    /// Why it cannot be applied, whatever its lines are.
    pub unlike: Option<Unlike>,
    /// Whether a command before it in the line goes to another directory.
    pub is_elsewhere: bool,
    /// Whether the line leaves the shell in another directory.
    pub leaves: bool,
}

/// What a shell would do with a heredoc that no block can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlike {
    /// It adds the lines to the end of the file.
    Appends,
    /// It works the path out first.
    WorksOutPath,
}

/// Where a shell is at a line of a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shell {
    /// Where the fence begins, which is taken for the workspace's root.
    AtRoot,
    /// A command above has gone to another directory.
    Elsewhere,
    /// The lines above say neither.
    Unknown,
    /// In another heredoc.
    InHeredoc,
    /// In a command such as `if`, which may not run the line, or run it several times.
    InCommand,
}

/// The heredoc that a line begins, where a shell would write it to a file of the workspace.
pub fn of_line(line: &str) -> Option<Heredoc> {
    let (typed_after, line) = line.strip_prefix("$ ").map_or((0, line), |typed| (2, typed));
    let begins = ["cat ", "cat<", "cat>", "tee ", "mkdir ", "cd ", "touch "];
    if !begins.iter().any(|word| line.starts_with(word)) || !line.contains("<<") {
        return None;
    }
    let mut heredoc = of_tokens(&tokens(line)?)?;
    // On Windows it parts directories.
    let mut pairs = line.as_bytes()[heredoc.place.clone()].windows(2);
    if pairs.any(|pair| pair[0] == b'\\' && pair[1].is_ascii_alphanumeric()) {
        heredoc.unlike = Some(Unlike::WorksOutPath);
    }
    for place in [&mut heredoc.place, &mut heredoc.delimiter_place] {
        *place = place.start + typed_after..place.end + typed_after;
    }
    // An absolute path is not a file of the workspace.
    let is_outside = heredoc.path.starts_with(['/', '~', '\\']) || heredoc.path.is_empty();
    (!is_outside).then_some(heredoc)
}

/// A word or an operator of a line that is typed at a shell.
struct Token {
    text: String,
    place: Span,
    is_operator: bool,
    is_quoted: bool,
    /// Whether the shell puts something in the place of a part of it.
    is_worked_out: bool,
}

impl Token {
    fn is(&self, operator: &str) -> bool {
        self.is_operator && self.text == operator
    }
}

/// The operators, the longer ones first.
const OPERATORS: [&str; 15] =
    ["<<<", "<<-", "<<", "<&", "<", ">>", ">|", ">&", ">", "&&", "&", "||", "|", ";", "("];

/// The tokens of a line; `None` where it goes on in the next one.
fn tokens(line: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        if rest.starts_with([' ', '\t']) {
            at += 1;
        } else if rest.starts_with('#') {
            break;
        } else if let Some(operator) = OPERATORS.iter().find(|it| rest.starts_with(**it)) {
            let place = at..at + operator.len();
            at = place.end;
            let (is_quoted, is_worked_out) = (false, false);
            let text = (*operator).to_owned();
            tokens.push(Token { text, place, is_operator: true, is_quoted, is_worked_out });
        } else {
            let token = word(line, at)?;
            at = token.place.end;
            tokens.push(token);
        }
    }
    Some(tokens)
}

/// The word that begins at a place.
fn word(line: &str, start: usize) -> Option<Token> {
    let (mut text, mut is_quoted, mut is_worked_out) = (String::new(), false, false);
    let mut chars = line[start..].char_indices();
    let mut end = line.len();
    while let Some((at, char)) = chars.next() {
        match char {
            ' ' | '\t' | '<' | '>' | '&' | '|' | ';' | '(' => {
                end = start + at;
                break;
            }
            '\'' => {
                is_quoted = true;
                loop {
                    match chars.next()?.1 {
                        '\'' => break,
                        char => text.push(char),
                    }
                }
            }
            '"' => {
                is_quoted = true;
                loop {
                    match chars.next()?.1 {
                        '"' => break,
                        '\\' => text.push(chars.next()?.1),
                        char => {
                            is_worked_out |= matches!(char, '$' | '`');
                            text.push(char);
                        }
                    }
                }
            }
            '\\' => {
                is_quoted = true;
                text.push(chars.next()?.1);
            }
            char => {
                is_worked_out |= matches!(char, '$' | '`' | '*' | '?' | '{');
                text.push(char);
            }
        }
    }
    Some(Token { text, place: start..end, is_operator: false, is_quoted, is_worked_out })
}

/// The heredoc of the one command of a line that has one.
fn of_tokens(tokens: &[Token]) -> Option<Heredoc> {
    let ends = |token: &Token| token.is("&&") || token.is(";");
    // Whether the others are done hangs on more than this line.
    if tokens.iter().any(|token| ["||", "&", "("].iter().any(|it| token.is(it))) {
        return None;
    }
    let commands: Vec<&[Token]> = tokens.split(ends).collect();
    let has_heredoc =
        |command: &&[Token]| command.iter().any(|token| token.is("<<") || token.is("<<-"));
    let at = commands.iter().position(has_heredoc)?;
    let (before, after) = (&commands[..at], &commands[at + 1..]);
    if after.iter().any(has_heredoc) {
        return None;
    }
    let goes = |command: &&[Token]| command.first().is_some_and(|it| goes_elsewhere(&it.text));
    // One that may fail says whether the line is run.
    let is_sure = |command: &&[Token]| {
        command
            .first()
            .is_some_and(|it| SURE.contains(&it.text.as_str()) || goes_elsewhere(&it.text))
    };
    if !before.iter().all(is_sure) {
        return None;
    }
    let is_elsewhere = before.iter().any(goes);
    let leaves = is_elsewhere || after.iter().any(goes);
    let mut parts = commands[at].split(|token| token.is("|"));
    let (first, second) = (Part::of(parts.next()?)?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let (delimiter, strips_tabs) = first.heredoc?;
    let target = match (second.map(Part::of), &first.words[..]) {
        (None, [cat]) if cat.text == "cat" => first.output?,
        (None, [tee, words @ ..]) if tee.text == "tee" && first.is_silent() => of_tee(words)?,
        (Some(Some(second)), [cat]) if cat.text == "cat" && first.output.is_none() => {
            match &second.words[..] {
                [tee, words @ ..] if tee.text == "tee" && second.is_silent() => of_tee(words)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    let (path, appends) = target;
    if !delimiter.text.contains(typed::is_word) || delimiter.is_worked_out {
        return None;
    }
    Some(Heredoc {
        path: path.text.strip_prefix("./").unwrap_or(&path.text).to_owned(),
        place: path.place.clone(),
        delimiter: delimiter.text.clone(),
        delimiter_place: delimiter.place.clone(),
        is_quoted: delimiter.is_quoted,
        strips_tabs,
        unlike: match (path.is_worked_out, appends) {
            (true, _) => Some(Unlike::WorksOutPath),
            (false, true) => Some(Unlike::Appends),
            (false, false) => None,
        },
        is_elsewhere,
        leaves,
    })
}

/// Commands before a heredoc in its line that prepare the file.
const SURE: [&str; 2] = ["mkdir", "touch"];

/// The first words of commands that are around others, and the last ones.
const OPENERS: [&str; 7] = ["if", "for", "while", "until", "case", "select", "function"];
const CLOSERS: [&str; 5] = ["fi", "done", "esac", "}", ")"];

/// How many commands a line begins that are around those below it; fewer than none where it ends some.
fn depth(line: &str) -> isize {
    let words = || line.split([' ', '\t', ';']).filter(|word| !word.is_empty());
    let begins =
        words().next().is_some_and(|word| OPENERS.contains(&word)) || line.ends_with(['{', '(']);
    let ends = words().next_back().is_some_and(|word| CLOSERS.contains(&word))
        || words().next().is_some_and(|word| CLOSERS.contains(&word));
    isize::from(begins) - isize::from(ends)
}

fn goes_elsewhere(word: &str) -> bool {
    ["cd", "pushd", "popd"].contains(&word)
}

/// The file that `tee` writes, and whether it appends to it.
fn of_tee<'a>(words: &[&'a Token]) -> Option<(&'a Token, bool)> {
    match words {
        [path] if !path.text.starts_with('-') => Some((path, false)),
        [option, path] if ["-a", "--append"].contains(&option.text.as_str()) => Some((path, true)),
        _ => None,
    }
}

/// A part of a pipeline.
struct Part<'a> {
    words: Vec<&'a Token>,
    /// The file that it writes, and whether it appends to it.
    output: Option<(&'a Token, bool)>,
    /// The delimiter of its heredoc, and whether tabs do not count.
    heredoc: Option<(&'a Token, bool)>,
}

impl<'a> Part<'a> {
    /// `None` where it takes or gives anything else.
    fn of(tokens: &'a [Token]) -> Option<Part<'a>> {
        let (mut words, mut output, mut heredoc) = (Vec::new(), None, None);
        let mut tokens = tokens.iter();
        while let Some(token) = tokens.next() {
            if !token.is_operator {
                words.push(token);
                continue;
            }
            let to = tokens.next().filter(|it| !it.is_operator)?;
            let old = match token.text.as_str() {
                "<<" => heredoc.replace((to, false)),
                "<<-" => heredoc.replace((to, true)),
                ">" | ">|" => output.replace((to, false)),
                ">>" => output.replace((to, true)),
                _ => return None,
            };
            if old.is_some() {
                return None;
            }
        }
        Some(Part { words, output, heredoc })
    }

    /// Whether what it prints goes nowhere, or to the screen.
    fn is_silent(&self) -> bool {
        self.output.as_ref().is_none_or(|(path, _)| path.text == "/dev/null")
    }
}

/// Where a shell is below some lines of the fence that is open there.
pub fn shell(above: Above<'_>, fence: Option<OpenFence>) -> Shell {
    let (mut below, mut is_elsewhere) = (Vec::<String>::new(), false);
    let (mut depth_below, mut is_in_command) = (0, false);
    let opens = |it: Fence<'_>| fence.is_none_or(|fence| fence.is_opened_by(&it));
    let mut start = Shell::Unknown;
    for (at, (_, line)) in above.lines().enumerate() {
        if Fence::of(&line[margin::of(&line).len()..]).is_some_and(opens) {
            // One that ends nothing here shows that this fence line was in a heredoc.
            if !below.iter().any(|it| DELIMITERS.contains(&it.as_str())) {
                start = Shell::AtRoot;
            }
            break;
        }
        let text = line.trim();
        if text.starts_with('#') {
            continue;
        }
        // It goes on in the line below.
        let goes_on = ["\\", "&&", "|"].iter().any(|end| text.ends_with(end));
        is_in_command |= at == 0 && goes_on;
        if let Some(delimiter) = typed::delimiter(text) {
            let Some(end) = below.iter().rposition(|it| it == delimiter) else {
                return Shell::InHeredoc;
            };
            below.remove(end);
        }
        let typed = text.strip_prefix("$ ").unwrap_or(text);
        let mut words = typed.split([' ', '\t', ';', '&', '|', '(']);
        is_elsewhere |= words.any(goes_elsewhere);
        depth_below += depth(typed);
        is_in_command |= depth_below > 0;
        below.push(text.to_owned());
    }
    match (is_in_command, is_elsewhere) {
        (true, _) => Shell::InCommand,
        (false, true) => Shell::Elsewhere,
        (false, false) => start,
    }
}

impl Heredoc {
    /// Whether a line ends it.
    pub fn is_ended_by(&self, line: &str) -> bool {
        self.inner(line) == self.delimiter
    }

    /// A line without the tabs that do not count.
    fn inner<'a>(&self, line: &'a str) -> &'a str {
        if self.strips_tabs { line.trim_start_matches('\t') } else { line }
    }

    /// The text that the shell writes for some lines of `text`, or what it would put something else in
    /// the place of.
    pub fn text(&self, text: &str, spans: &[Span]) -> Result<String, Span> {
        if self.is_quoted && !self.strips_tabs {
            return Ok(lines::with_newlines(text, spans));
        }
        let mut written = String::new();
        for span in spans {
            let line = &text[span.clone()];
            let inner = self.inner(line);
            let start = span.end - inner.len();
            match self.is_quoted {
                true => written.push_str(inner),
                false => unescape(inner, &mut written)
                    .map_err(|place| place.start + start..place.end + start)?,
            }
            written.push('\n');
        }
        Ok(written)
    }
}

/// Writes a line of a heredoc as a shell does whose delimiter is not quoted; where it would put something
/// else in the place of a part, gives the span of that part.
fn unescape(line: &str, written: &mut String) -> Result<(), Span> {
    let mut chars = line.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match (char, next) {
            // The line goes on in the next one.
            ('\\', None) => return Err(at..at + 1),
            ('\\', Some(next @ ('$' | '`' | '\\'))) => {
                written.push(next);
                chars.next();
            }
            ('`', _) => return Err(at..at + 1),
            ('$', Some(next)) if next.is_ascii_alphanumeric() || "_{([@*#?!$-".contains(next) => {
                let name = line[at + 1..]
                    .find(|char: char| !(char.is_ascii_alphanumeric() || char == '_'));
                let end = name.map_or(line.len(), |name| at + 1 + name.max(next.len_utf8()));
                return Err(at..end);
            }
            (char, _) => written.push(char),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    fn said(line: &str) -> Option<String> {
        let it = of_line(line)?;
        let (path, delimiter) = (&line[it.place.clone()], &line[it.delimiter_place.clone()]);
        assert!(path.contains(it.path.trim_start_matches("a b")), "{line}");
        assert!(delimiter.contains(&it.delimiter), "{line}");
        let mut said = format!("{} until {}", it.path, it.delimiter);
        let words = [
            (it.is_quoted, "as it is"),
            (it.strips_tabs, "without tabs"),
            (it.unlike == Some(Unlike::Appends), "appends"),
            (it.unlike == Some(Unlike::WorksOutPath), "works out"),
            (it.is_elsewhere, "elsewhere"),
            (it.leaves && !it.is_elsewhere, "goes elsewhere"),
        ];
        for (_, word) in words.iter().filter(|(is, _)| *is) {
            said += ", ";
            said += word;
        }
        Some(said)
    }

    #[test]
    fn a_line_begins_a_heredoc_for_a_file() {
        for (line, expected) in [
            ("cat > src/a.py <<'EOF'", "src/a.py until EOF, as it is"),
            ("cat <<'EOF' > src/a.py", "src/a.py until EOF, as it is"),
            ("cat <<\"END_OF_IT\" >src/a.py", "src/a.py until END_OF_IT, as it is"),
            ("cat>a.py<<\\EOF", "a.py until EOF, as it is"),
            ("cat > ./a.py << EOF", "a.py until EOF"),
            ("cat >| a.py <<EOF", "a.py until EOF"),
            ("cat <<-'EOF' > a.py", "a.py until EOF, as it is, without tabs"),
            ("$ cat > 'a b.py' <<'EOF'", "a b.py until EOF, as it is"),
            ("cat > \"src/a.py\" <<'EOF' # the module", "src/a.py until EOF, as it is"),
            ("cat > Makefile <<'EOF'", "Makefile until EOF, as it is"),
            ("cat > app/[slug]/page.tsx <<'EOF'", "app/[slug]/page.tsx until EOF, as it is"),
            ("tee a.py <<'EOF'", "a.py until EOF, as it is"),
            ("tee a.py <<'EOF' > /dev/null", "a.py until EOF, as it is"),
            ("cat <<'EOF' | tee a.py >/dev/null", "a.py until EOF, as it is"),
            ("mkdir -p src && cat > src/a.py <<'EOF'", "src/a.py until EOF, as it is"),
            ("cat > a.py <<'EOF' && python a.py", "a.py until EOF, as it is"),
            ("cat >> a.py <<'EOF'", "a.py until EOF, as it is, appends"),
            ("cat <<EOF | tee -a a.py", "a.py until EOF, appends"),
            ("cat > \"$DIR/a.py\" <<'EOF'", "$DIR/a.py until EOF, as it is, works out"),
            ("cat > src/{a,b}.py <<'EOF'", "src/{a,b}.py until EOF, as it is, works out"),
            ("cat > 'src\\a.py' <<'EOF'", "src\\a.py until EOF, as it is, works out"),
            ("cd app && cat > a.py <<'EOF'", "a.py until EOF, as it is, elsewhere"),
            ("cat > a.py <<'EOF'; cd app", "a.py until EOF, as it is, goes elsewhere"),
        ] {
            assert_eq!(said(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn other_lines_begin_none() {
        for line in [
            "cat <<'EOF'",
            "cat a.py",
            "cat > a.py",
            "cat > a.py <<< 'EOF'",
            "cat b.py - > a.py <<'EOF'",
            "cat > a.py > b.py <<'EOF'",
            "cat > a.py <<'EOF' <<'END'",
            "cat > a.py <<'EOF",
            "cat > a.py <<''",
            "cat > a.py <<$END",
            "cat > a.py 2>&1 <<'EOF'",
            "cat > /etc/hosts <<'EOF'",
            "cat > ~/.bashrc <<'EOF'",
            "cat <<'EOF' | sudo tee a.py",
            "cat <<'EOF' | sort > a.py",
            "cat <<'EOF' | sort | tee a.py",
            "cat <<'EOF' > b.py | tee a.py",
            "sudo tee a.py <<'EOF'",
            "tee a.py b.py <<'EOF'",
            "tee a.py <<'EOF' > b.py",
            "python - <<'EOF'",
            "  cat > a.py <<'EOF'",
            "test -f a.py || cat > a.py <<'EOF'",
            "test -f a.py && cat > a.py <<'EOF'",
            "mkdir a && test -f a.py && cat > a.py <<'EOF'",
            "(cat > a.py <<'EOF'",
            "cat > a.py <<'EOF' && cat > b.py <<'END'",
            "RUN cat > a.py <<'EOF'",
            "cat > <<'EOF'",
            "cat <<",
        ] {
            assert_eq!(said(line), None, "{line}");
        }
    }

    #[test]
    fn the_lines_above_say_where_the_shell_is() {
        for (above, expected) in [
            ("```bash\n", Shell::AtRoot),
            ("```bash\nmkdir -p src\n\n# Do not cd.\n", Shell::AtRoot),
            ("```bash\ncd app\n~~~\n", Shell::Elsewhere),
            ("cd app\n```bash\n", Shell::AtRoot),
            ("```bash\ncd app\nmkdir src\n", Shell::Elsewhere),
            ("```bash\nmkdir app && cd app\n", Shell::Elsewhere),
            ("```bash\n$ cd app\n", Shell::Elsewhere),
            ("```bash\nssh host <<'EOF'\n", Shell::InHeredoc),
            ("```bash\npython - <<'EOF'\nprint(1)\nEOF\n", Shell::AtRoot),
            ("```bash\ncat >> a <<EOF\nEOF\ncat >> a <<EOF\nEOF\n", Shell::AtRoot),
            ("```bash\ncd app\ncat >> a <<EOF\n```\n```\nEOF\n", Shell::Unknown),
            ("```bash\nif test -f a; then\n", Shell::InCommand),
            ("```bash\nif test -f a; then\n  rm a\nfi\n", Shell::AtRoot),
            ("```bash\nfor x in a b; do echo $x; done\n", Shell::AtRoot),
            ("```bash\nfor x in a b\ndo\n", Shell::InCommand),
            ("```bash\nf() {\n", Shell::InCommand),
            ("```bash\nf() {\n  cd app\n}\n", Shell::Elsewhere),
            ("```bash\ntest -f a ||\n", Shell::InCommand),
            ("```bash\nmkdir a && \\\n", Shell::InCommand),
            ("```bash\ntrue |\ncat >> a <<EOF\nEOF\n", Shell::AtRoot),
            ("mkdir src\n", Shell::Unknown),
            ("cd app\n", Shell::Elsewhere),
        ] {
            let text = Text::new(above);
            let above = Above::new(&text, text.len(), 0, crate::dialect::around::LINES);
            let fence = OpenFence::after(None, "```");
            assert_eq!(shell(above, fence), expected, "{text:?}");
        }
    }

    #[test]
    fn an_unquoted_heredoc_is_what_the_shell_writes() {
        let heredoc = |line| of_line(line).unwrap();
        let text = |heredoc: &Heredoc, text: &str| {
            let spans = lines::spans(text);
            heredoc.text(text, &spans).map_err(|span| text[span].to_owned())
        };
        let plain = heredoc("cat > a <<EOF");
        for (written, expected) in [
            ("a\n\tb", Ok("a\n\tb\n")),
            (r"cost: \$5, \`x\`, \\, \n", Ok("cost: $5, `x`, \\, \\n\n")),
            ("100 $ a$", Ok("100 $ a$\n")),
            ("a $HOME", Err("$HOME")),
            ("a $x.y", Err("$x")),
            ("a ${x}", Err("${")),
            ("a $(date)", Err("$(")),
            ("a `date`", Err("`")),
            ("a\\\nb", Err("\\")),
        ] {
            assert_eq!(text(&plain, written), expected.map(Into::into).map_err(Into::into));
        }
        let quoted = heredoc("cat > a <<'EOF'");
        assert_eq!(text(&quoted, "a $HOME \\$\n\tb"), Ok("a $HOME \\$\n\tb\n".into()));
        let tabs = heredoc("cat > a <<-'EOF'");
        assert_eq!(text(&tabs, "\t\ta $HOME\n b"), Ok("a $HOME\n b\n".into()));
        assert!(tabs.is_ended_by("\tEOF") && !quoted.is_ended_by("\tEOF"));
    }
}
