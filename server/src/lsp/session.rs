//! What holds for every request of a session until a setting changes it.

use operator_core::dialect::{self, Dialect};
use operator_core::limits::Limits;
use operator_core::text::Encoding;

use super::capabilities::ResolvedClientCapabilities;
use super::config::Config;

/// What holds for every request of a session; replaced whole when a setting changes.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// What the client can do.
    pub client: ResolvedClientCapabilities,
    /// The settings.
    pub config: Config,
}

impl Session {
    /// How positions count.
    pub fn encoding(&self) -> Encoding {
        self.client.encoding
    }

    /// How much is too much.
    pub fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// The dialects to look for in a document; none for one that is no transcript.
    pub fn dialects(&self, language_id: &str, file_name: &str) -> Vec<&'static dyn Dialect> {
        if !self.config.is_transcript(language_id, file_name) {
            return Vec::new();
        }
        let json = matches!(language_id, "json" | "jsonc");
        let wanted = |dialect: &&&'static dyn Dialect| {
            let name = dialect.name();
            self.config.dialects.iter().any(|known| known == name) && (!json || name == "edit-ops")
        };
        dialect::ALL.iter().filter(wanted).copied().collect()
    }
}
