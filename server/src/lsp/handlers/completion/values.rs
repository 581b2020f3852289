//! Values: what a field of the cursor's kind can hold, from the workspace and the specification.

use operator_core::path::State;
use operator_core::snapshot::{Entry, Snapshot};
use operator_core::spec::{self, Action, Field, FieldRole, FieldType};
use operator_core::structure::{self, Listed};
use tower_lsp::ls_types::{CompletionItem, CompletionItemKind, Documentation};

use super::block::{Written, WrittenBlock};
use super::{fresh_id, offer};
use crate::lsp::context::Context;
use crate::lsp::handlers::targets;
use crate::lsp::payload;

/// How many paths or structures are offered at most.
const MAX_ITEMS: usize = 500;

/// What can be in the place of a value.
pub fn values(
    context: &Context,
    block: &WrittenBlock,
    key: &str,
    value: &Written,
) -> Vec<CompletionItem> {
    let offers = Offers { context, block, value };
    let dialect = block.placed.block.dialect;
    if let Some(field) = field(block, key) {
        return offers.of_field(field);
    }
    let common = dialect.rules().common_keys.iter().find(|common| common.name == key);
    match common.map(|common| common.is) {
        Some(FieldRole::Version) => vec![offers.value("1", CompletionItemKind::VALUE)],
        Some(FieldRole::Id) => {
            let id = dialect.rules().writing.map(|writing| fresh_id(context, dialect, writing));
            id.iter().map(|id| offers.value(id, CompletionItemKind::VALUE)).collect()
        }
        Some(FieldRole::Action) => offers.actions(),
        _ => Vec::new(),
    }
}

/// The field of that name: the action's own or, before the action can be told, the one that is
/// the same for all that have it.
fn field(block: &WrittenBlock, key: &str) -> Option<&'static Field> {
    if let Some(action) = block.action() {
        return action.field(key);
    }
    let all = || spec::actions(block.placed.block.dialect.name());
    let mut fields = all().filter_map(|action| action.field(key));
    let first = fields.next()?;
    fields.all(|other| other.kind == first.kind).then_some(first)
}

/// Offers for one value.
struct Offers<'a> {
    context: &'a Context,
    block: &'a WrittenBlock,
    value: &'a Written,
}

impl Offers<'_> {
    fn of_field(&self, field: &Field) -> Vec<CompletionItem> {
        let value = |text: &str| self.value(text, CompletionItemKind::VALUE);
        match field.kind {
            _ if !field.values.is_empty() => field.values.iter().map(|text| value(text)).collect(),
            FieldType::Boolean => vec![value("true"), value("false")],
            FieldType::Fingerprint => self.fingerprint().iter().map(|text| value(text)).collect(),
            FieldType::StructurePath => match self.value.text.split_once(structure::INTO) {
                Some((path, typed)) => {
                    let from = self.value.span.end - typed.len();
                    let path = path.to_owned();
                    let joined = |target: &str| target.replace('\n', structure::INTO);
                    self.targets(&path, FieldType::StructurePath, from, typed, &joined)
                }
                None => self.paths(field.kind),
            },
            kind if kind.is_path() => self.paths(kind),
            kind if kind.is_target() => {
                let (text, placed) = (self.context.text(), &self.block.placed);
                let start = placed.span.start;
                match payload::path_beside(text, start, &placed.block, (field.role, None)) {
                    Some(path) => {
                        let (from, typed) = (self.value.span.start, &self.value.text);
                        self.targets(&path, kind, from, typed, &str::to_owned)
                    }
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// A whole value.
    fn value(&self, text: &str, kind: CompletionItemKind) -> CompletionItem {
        let Written { span, open, close, .. } = self.value;
        offer(self.context, span.clone(), text, kind, format!("{open}{text}{close}"))
    }

    /// A part of the value as the dialect writes it.
    fn written(&self, kind: FieldType, text: &str) -> String {
        match self.value.plain {
            true => text.to_owned(),
            false => self.block.placed.block.dialect.write(kind, text),
        }
    }

    /// The actions: first all by their own names, then by their other names.
    fn actions(&self) -> Vec<CompletionItem> {
        let item = |name: &str, action: &Action, order: &str| {
            let mut item = self.value(name, CompletionItemKind::FUNCTION);
            item.detail = Some(match order {
                "1" => format!("{}: {}", action.name, action.help),
                _ => action.help.clone(),
            });
            item.documentation = Some(Documentation::String(action.result.clone()));
            item.sort_text = Some(format!("{order} {name}"));
            item
        };
        let dialect = self.block.placed.block.dialect.name();
        let all = || spec::actions(dialect).filter(|action| !action.user_only);
        let own = all().map(|action| item(&action.name, action, "0"));
        let others = all().flat_map(|action| {
            let names = action.aliases.iter();
            names.map(|name| item(name, action, "1")).collect::<Vec<_>>()
        });
        own.chain(others).collect()
    }

    fn fingerprint(&self) -> Option<String> {
        let view = self.context.view();
        let block = &self.block.placed.block;
        let path = block.parsed.path.as_deref()?;
        let path = structure::within(path).0;
        let file = payload::through(&view, block.dialect).resolve(path).ok()?;
        match view.state(&file) {
            Ok(State::File(fingerprint)) => Some(fingerprint.to_string()),
            _ => None,
        }
    }

    /// The names in the directory that the path leads to so far; outside the workspace the
    /// workspace itself.
    fn paths(&self, kind: FieldType) -> Vec<CompletionItem> {
        let (value, absolute) = (&self.value.text, kind.is_absolute());
        let name_start = value.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let directory = value[..name_start].trim_end_matches(['/', '\\']);
        let view = self.context.view();
        let looked_up = if directory.is_empty() && !absolute { "." } else { directory };
        let dialect = self.block.placed.block.dialect;
        let listed = payload::through(&view, dialect).resolve(looked_up);
        let Ok(entries) = listed.and_then(|directory| view.list(&directory)) else {
            let home = self.context.site.home().filter(|_| absolute);
            return home.map(|home| self.home(kind, home)).into_iter().collect();
        };
        let span = self.value.span.start + name_start..self.value.span.end;
        let item = |entry: &Entry| {
            let (item_kind, tail, close) = match entry.directory {
                true => (CompletionItemKind::FOLDER, "/", ""),
                false => (CompletionItemKind::FILE, "", self.value.close),
            };
            let open = if name_start == 0 { self.value.open } else { "" };
            let new = format!("{open}{}{tail}{close}", self.written(kind, &entry.name));
            offer(self.context, span.clone(), &entry.name, item_kind, new)
        };
        entries.iter().take(MAX_ITEMS).map(item).collect()
    }

    fn home(&self, kind: FieldType, home: &str) -> CompletionItem {
        let home = format!("{}/", home.trim_end_matches('/'));
        let new = format!("{}{}", self.value.open, self.written(kind, &home));
        offer(self.context, self.value.span.clone(), &home, CompletionItemKind::FOLDER, new)
    }

    /// The structures of a file, as targets that fit one each. What is typed so far is a part of a
    /// target in the clear; what is taken is written as the dialect has it.
    fn targets(
        &self,
        path: &str,
        kind: FieldType,
        from: usize,
        typed: &str,
        joined: &dyn Fn(&str) -> String,
    ) -> Vec<CompletionItem> {
        let dialect = self.block.placed.block.dialect;
        let Some(parsed) = targets::parsed(self.context, path, dialect) else {
            return Vec::new();
        };
        let typed = typed.to_lowercase();
        let listing = parsed.listing();
        let fitting = listing.iter().enumerate().filter(|(_, one)| {
            joined(&one.target).to_lowercase().contains(&typed)
                || one.header.to_lowercase().contains(&typed)
        });
        let item = |(place, one): (usize, &Listed)| {
            let label = targets::on_one_line(&one.target);
            let item_kind = targets::item_kind(one.kind);
            let Written { open, close, .. } = self.value;
            let open = if from == self.value.span.start { open } else { "" };
            let new = format!("{open}{}{close}", self.written(kind, &joined(&one.target)));
            let span = from..self.value.span.end;
            let mut item = offer(self.context, span, &label, item_kind, new);
            item.filter_text = Some(format!("{} {}", joined(&one.target), one.header));
            item.detail = Some(one.header.clone());
            item.sort_text = Some(format!("{place:06}"));
            item
        };
        fitting.take(MAX_ITEMS).map(item).collect()
    }
}
