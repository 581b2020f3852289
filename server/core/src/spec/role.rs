//! The roles of fields: what a value is to its command, whatever a dialect calls its field.

use serde::Deserialize;

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident $name:literal),* $(,)?) => {
        /// What a field is to its command. A field whose bare name is that of a role has it; where
        /// it has another name, `spec/actions.toml` states the role.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
        pub enum FieldRole {
            $($(#[$doc])* #[serde(rename = $name)] $role),*
        }

        impl FieldRole {
            /// Every role.
            pub const ALL: &'static [FieldRole] = &[$(FieldRole::$role),*];

            /// The name in messages, in details and in `operator/structure`.
            pub fn name(self) -> &'static str {
                match self {
                    $(FieldRole::$role => $name),*
                }
            }
        }
    };
}

roles! {
    /// The protocol's version.
    Version "version",
    /// The block's id.
    Id "id",
    /// The action's name.
    Action "action",
    /// The details of a reply.
    Details "details",
    /// The file or directory.
    Path "path",
    /// The files, one a line.
    Paths "paths",
    /// The file that a structure moves from.
    SourcePath "source_path",
    /// The path that something moves or is copied to.
    DestPath "dest_path",
    /// Where in the file: the structure, one line for each level.
    Target "target",
    /// The structure that moves.
    SourceTarget "source_target",
    /// The structure that it moves to.
    DestTarget "dest_target",
    /// The text that is written: a whole file's, a structure's, or that of some lines.
    Content "content",
    /// The text that is there.
    OldText "old_text",
    /// The first part of a text that is there.
    OldTextBeginning "old_text_beginning",
    /// The last part of it.
    OldTextEnd "old_text_end",
    /// The text that takes its place.
    NewText "new_text",
    /// How many times the old text must be there.
    ExpectedCount "expected_count",
    /// The text that is there, blank lines around it left out.
    Search "search",
    /// The text that takes the place of that one.
    Replace "replace",
    /// The edits of one file, in order.
    Edits "edits",
    /// A unified diff.
    Patch "patch",
    /// The first line, counted from 1.
    Start "start",
    /// The lines, or how many.
    Lines "lines",
    /// The text that is searched for.
    Query "query",
    /// The regular expression that is searched for.
    Pattern "pattern",
    /// The directory that a program runs in.
    Cwd "cwd",
    /// What the file was when the block was written.
    BaseFingerprint "base_fingerprint",
}

impl FieldRole {
    /// The role with the bare name of a field, which is the one without `_b64` at its end.
    pub fn of_name(field: &str) -> Option<FieldRole> {
        let bare = field.strip_suffix("_b64").unwrap_or(field);
        FieldRole::ALL.iter().copied().find(|role| role.name() == bare)
    }

    /// The role of the path that a field with this one is about.
    pub fn path_beside(self) -> FieldRole {
        match self {
            FieldRole::SourceTarget => FieldRole::SourcePath,
            FieldRole::DestTarget => FieldRole::DestPath,
            _ => FieldRole::Path,
        }
    }

    /// The role itself, and then those where a problem with it is shown if no field has it.
    pub fn or_nearest(self) -> impl Iterator<Item = FieldRole> {
        let others: &[FieldRole] = match self {
            FieldRole::Path => &[FieldRole::SourcePath, FieldRole::Paths],
            FieldRole::Target => &[FieldRole::SourceTarget],
            FieldRole::Content => &[FieldRole::NewText],
            _ => &[],
        };
        let all = [FieldRole::Path, FieldRole::Action];
        std::iter::once(self).chain(others.iter().copied()).chain(all)
    }
}
