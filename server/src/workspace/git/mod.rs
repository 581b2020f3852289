//! Git, as the `git` program does it: an apply as a commit, and the ways back and forth between
//! commits.
//!
//! Everything is done by the `git` program (2.25 or newer) as a child process, in the one repository
//! that holds the workspace's first folder (or the one asked about). Nothing is ever pushed, and a
//! repository inside it is left alone.
//!
//! **Programs.** What the repository names is not run, as a transcript may have written it: no hooks,
//! no fsmonitor, no pager or external diff, and no directory that merely looks like a bare repository
//! is obeyed. A filter that may be a program of the workspace is off, and a file that goes through it
//! is not committed (`git-lfs` and `git-crypt` are known and run). The user may allow all of these.
//! Moves between commits keep the filters, since files would come out wrong without; git-crypt's
//! would come out encrypted.
//!
//! **Apply.** What is uncommitted is committed first, as a commit of its own; then, once the edit is
//! on disk, the files that it touched are, with a message that begins with `AI: `. Such a commit is
//! an *AI commit* from then on, whoever made it. Where a file was staged in another state than it is
//! in on disk, the staged state is kept under `refs/operator-lsp/kept/`.
//!
//! **Steps.** `undo` and `back` move the branch to the first parent of its commit, and
//! `refs/operator-lsp/forward/<branch>` remembers the commit that they came from at first. `forward`
//! goes along the first parents of that one, and removes the ref when it is there. It leads nowhere
//! once the branch has another commit; then it is kept until the next step back, which moves it to
//! `refs/operator-lsp/kept/<commit>`. So no commit loses its last ref while it is needed.
//!
//! **Work that is not committed** is put into an ordinary stash whose message names the branch and
//! the commit that it belongs to, before the branch moves; a step that arrives at this commit takes
//! it out again. The branch is moved by `git reset --keep`, which refuses where a file would be
//! lost, and files that git ignores are looked at beforehand, as git would overwrite them. A step
//! is refused where more untracked files would go into the stash than it takes.
//!
//! **Bounds.** A kept commit has an annotated tag below `refs/operator-lsp/kept/`, whose date is
//! when it was kept and whose message names the branch. Each step, squash and commit of an apply
//! drops those kept commits and stashes that are too old or too many, but for what is needed to
//! come back from where the branches are (see `prune.rs`).
//!
//! **Interruptions.** The refs are written before the stash, the stash before the branch moves, and
//! the branch moves before the stash is taken out; what is too old goes last. Whatever cuts this short, the work is in the
//! files or in the stash, and every commit has its ref; `forward` takes out a stash that was left
//! at the last commit.
//!
//! **Squash** makes one commit of the tree as it is and moves the branch there in one transaction
//! with the ref that keeps the old one. It touches neither index nor files.

mod commit;
mod error;
mod filters;
mod history;
mod index;
mod program;
mod prune;
mod refs;
mod repository;
mod squash;
mod stash;
mod status;
mod summary;
mod untracked;

pub use commit::{LeftOut, ResultCommit};
pub use error::{GitCode, GitError};
pub use history::Moved;
pub use program::Hooks;
pub use prune::Pruned;
pub use repository::{Commit, Repository};
pub use squash::{Selection, Squashed};
pub use summary::Summary;

/// What the message of an AI commit begins with.
pub const AI: &str = "AI: ";
