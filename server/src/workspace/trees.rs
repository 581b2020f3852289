//! Syntax trees: made in bounded time, kept for a while as far as there is room, and made from the
//! one before where a file changed.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use operator_core::outline::Parsed;
use operator_core::path::FilePath;
use operator_core::syntax::{Grammar, Language, Patience, Unparsed};
use operator_core::text::{Content, Span};

/// How long a parse may take, and how much longer for each MiB of the text: far more than it does
/// where a text is what its name says, and little enough that nobody waits.
const PATIENCE: Duration = Duration::from_millis(800);
const PATIENCE_PER_MIB: Duration = Duration::from_secs(1);
/// The most that it may take.
const MOST_PATIENCE: Duration = Duration::from_secs(5);
/// The text that trees are kept of, in bytes; a tree takes about ten times as much.
const ROOM: usize = 16 << 20;

/// How long a tree is kept that nobody asks for.
const KEPT: Duration = Duration::from_secs(30);

/// The trees of files, by their paths. A file is parsed once for each state that is asked for,
/// however many ask.
#[derive(Default)]
pub struct Trees {
    files: Arc<Mutex<Files>>,
}

#[derive(Default)]
struct Files {
    slots: HashMap<FilePath, Slot>,
    /// Whether a thread lets go of what nobody asks for.
    is_swept: bool,
}

struct Slot {
    /// Locked while it is filled, so that a second who asks waits for the first.
    tree: Arc<Mutex<Option<Arc<Parsed>>>>,
    bytes: usize,
    looked: Instant,
}

impl Trees {
    /// The structures of a file with this content.
    ///
    /// # Errors
    /// [`Unparsed`] where the text is too much for the grammar, or takes longer than is bearable.
    pub fn parsed(
        &self,
        path: &FilePath,
        language: &'static Language,
        content: Content,
    ) -> Result<Arc<Parsed>, Unparsed> {
        let tree = self.files().slot(path, content.len());
        self.sweep();
        let mut tree = locked(&tree);
        let mut patience = patience_for(language, &content);
        if let Some(known) = tree.as_ref().filter(|known| known.language().name == language.name) {
            if known.content == content {
                return Ok(known.clone());
            }
            let made = from(known, &content, &mut patience);
            if let Some(made) = made {
                return Ok(tree.insert(Arc::new(made)).clone());
            }
        }
        // What could not be parsed is not kept, nor is what it was before.
        *tree = None;
        let made = Arc::new(Parsed::new(language, content, &mut patience)?);
        Ok(tree.insert(made).clone())
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        locked(&self.files)
    }

    /// Starts the thread that lets go of what nobody asks for. It ends with the last tree.
    fn sweep(&self) {
        let mut files = self.files();
        if files.is_swept {
            return;
        }
        let all = Arc::downgrade(&self.files);
        let sweep = move || {
            while let Some(next) = all.upgrade().and_then(|files| locked(&files).let_go(KEPT)) {
                thread::sleep(next);
            }
        };
        // Without a thread they stay while there is room.
        files.is_swept = thread::Builder::new().name("trees".to_owned()).spawn(sweep).is_ok();
    }
}

impl Files {
    /// The slot of a file that is to hold so many bytes; others go where there is no room.
    fn slot(&mut self, path: &FilePath, bytes: usize) -> Arc<Mutex<Option<Arc<Parsed>>>> {
        let looked = Instant::now();
        let slot = self.slots.entry(path.clone()).or_insert_with(|| {
            let tree = Arc::default();
            Slot { tree, bytes, looked }
        });
        (slot.bytes, slot.looked) = (bytes, looked);
        let tree = slot.tree.clone();
        let mut all: usize = self.slots.values().map(|slot| slot.bytes).sum();
        while all > ROOM && self.slots.len() > 1 {
            let oldest = self.slots.iter().min_by_key(|(_, slot)| slot.looked);
            let Some((oldest, _)) = oldest else { break };
            let oldest = oldest.clone();
            all -= self.slots.remove(&oldest).map_or(0, |slot| slot.bytes);
        }
        tree
    }

    /// Lets go of what nobody has asked for so long; gives how long it is until the next one is due.
    fn let_go(&mut self, kept: Duration) -> Option<Duration> {
        self.slots.retain(|_, slot| slot.looked.elapsed() < kept);
        let oldest = self.slots.values().map(|slot| slot.looked.elapsed()).max();
        self.is_swept = oldest.is_some();
        oldest.map(|oldest| kept.saturating_sub(oldest))
    }
}

/// Parses within the time that there is.
pub fn parse(language: &'static Language, content: Content) -> Result<Parsed, Unparsed> {
    let mut patience = patience_for(language, &content);
    Parsed::new(language, content, &mut patience)
}

/// What the file is now, from what it was. `None` where there are syntax errors: how a parser gets
/// over one depends on where it came from, and the same text must have the same structures.
fn from(known: &Parsed, content: &Content, patience: Patience<'_>) -> Option<Parsed> {
    let old = changed(&known.content.text, &content.text);
    let made = known.edited(old, content.clone(), patience).ok()?;
    made.outline.errors.is_empty().then_some(made)
}

/// The patience with a content. The grammar is made before: that takes most of a second for some,
/// once, however small the content is.
fn patience_for(
    language: &'static Language,
    content: &Content,
) -> impl FnMut() -> ControlFlow<()> + use<> {
    Grammar::of(language);
    patience(content.len())
}

/// What is asked during the parse of so many bytes whether to go on: as long as there is time. Where
/// the machine does something else meanwhile, that is not counted.
pub fn patience(bytes: usize) -> impl FnMut() -> ControlFlow<()> {
    let (start, before) = (Instant::now(), worked());
    let mib = bytes as f64 / f64::from(1 << 20);
    let enough = (PATIENCE + PATIENCE_PER_MIB.mul_f64(mib)).min(MOST_PATIENCE);
    // The clock on the wall costs nothing to look at; the other one is a call of the system.
    move || match start.elapsed() < enough || worked().saturating_sub(before) < enough {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

/// How long this thread has worked.
#[cfg(unix)]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or(Duration::MAX)
}

/// How long this thread has worked, or been kept waiting.
#[cfg(not(unix))]
fn worked() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// The bytes of `before` that something else stands for in `after`: all but what both begin and end
/// with, in whole characters.
fn changed(before: &str, after: &str) -> Span {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let mut start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    while !(before.is_char_boundary(start) && after.is_char_boundary(start)) {
        start -= 1;
    }
    let tails = old[start..].iter().rev().zip(new[start..].iter().rev());
    let mut same = tails.take_while(|(a, b)| a == b).count();
    while !before.is_char_boundary(old.len() - same) || !after.is_char_boundary(new.len() - same) {
        same -= 1;
    }
    start..old.len() - same
}

/// A panic elsewhere leaves nothing half done in here.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Trees {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trees").field("files", &self.files().slots.len()).finish()
    }
}

#[cfg(test)]
mod tests;
