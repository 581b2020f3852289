//! What holds for every request of a session until a setting changes it.

use operator_core::dialect::{ALL, Dialect, Dialects};
use operator_core::limits::Limits;
use operator_core::text::Encoding;
use tower_lsp::ls_types::Uri;

use super::capabilities::ResolvedClientCapabilities;
use super::config::{Config, Searched};
use super::newer;
use super::proto;

/// Some dialects.
pub type Known = &'static [&'static dyn Dialect];

/// What holds for every request of a session; replaced whole when a setting changes.
pub struct Session {
    /// What the client can do.
    pub client: ResolvedClientCapabilities,
    /// The settings.
    pub config: Config,
    chats: Option<Dialects>,
    json: Option<Dialects>,
}

impl Default for Session {
    fn default() -> Session {
        Session::new(ResolvedClientCapabilities::default(), Config::default(), ALL)
    }
}

impl Session {
    /// A session with this client and these settings; `known` are the dialects that there are.
    pub fn new(client: ResolvedClientCapabilities, config: Config, known: Known) -> Session {
        let named = |dialect: &dyn Dialect| config.dialects.iter().any(|it| it == dialect.name());
        // What has no blocks of its own reads the replies to a family.
        let wanted = |dialect: &dyn Dialect| {
            let family = dialect.rules().family;
            let of_family = |it: &&dyn Dialect| it.rules().family == family && named(*it);
            named(dialect)
                || dialect.rules().specification.is_empty() && known.iter().any(of_family)
        };
        let chats = some(known, wanted);
        let json = some(known, |dialect| wanted(dialect) && dialect.rules().in_json);
        Session { client, config, chats, json }
    }

    /// How positions count.
    pub fn encoding(&self) -> Encoding {
        self.client.encoding
    }

    /// How much is too much.
    pub fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// The dialects that chats are written in.
    pub fn chat_dialects(&self) -> impl Iterator<Item = &'static dyn Dialect> + '_ {
        self.chats.iter().flat_map(Dialects::iter)
    }

    /// The dialects to search for in a document; `None` for one that is not a transcript.
    pub fn dialects(&self, language_id: &str, uri: &Uri) -> Option<Dialects> {
        let dialects = || match matches!(language_id, "json" | "jsonc") {
            true => self.json.clone(),
            false => self.chats.clone(),
        };
        if newer::is_preview(uri) {
            return None;
        }
        let name = proto::file_name(uri);
        // What has no file yet is mostly what somebody has pasted.
        let is_unnamed = name.is_empty() || uri.scheme().as_str() == "untitled";
        match self.config.searched(language_id, &name) {
            Searched::Not => None,
            Searched::AsAny if !is_unnamed => Some(dialects()?.in_any_document()),
            Searched::AsAny | Searched::AsChat => dialects(),
        }
    }

    /// The dialects to search for in a document that a person calls a chat.
    pub fn all_dialects(&self) -> Option<Dialects> {
        self.chats.clone()
    }
}

fn some(known: Known, wanted: impl Fn(&'static dyn Dialect) -> bool) -> Option<Dialects> {
    let list: Vec<_> = known.iter().copied().filter(|dialect| wanted(*dialect)).collect();
    (!list.is_empty()).then(|| Dialects::new(&list))
}
