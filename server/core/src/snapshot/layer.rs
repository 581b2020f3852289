//! What only is before another snapshot: the one place where questions are passed on.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::Surroundings;
use super::{Denied, Details, Entry, Snapshot};
use crate::outline::Parsed;
use crate::path::{FilePath, Kind, State};
use crate::syntax::{Language, Unparsed};
use crate::text::Content;

macro_rules! layer {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $result:ty;)*) => {
        /// A snapshot that answers some questions itself and passes the others on to the one that
        /// it is before.
        ///
        /// Where this trait is in scope [`Snapshot`] better is not: each has every method.
        pub trait Layer: Sync {
            /// What it is before.
            fn inner(&self) -> &dyn Snapshot;

            $(#[doc = concat!("As [`Snapshot::", stringify!($name), "`].")]
            ///
            /// # Errors
            /// As there.
            fn $name(&self $(, $argument: $type)*) -> $result {
                self.inner().$name($($argument),*)
            })*
        }

        impl<L: Layer> Snapshot for L {
            $(fn $name(&self $(, $argument: $type)*) -> $result {
                Layer::$name(self $(, $argument)*)
            })*
        }
    };
}

// Every method of `Snapshot`: one with an answer of its own that is missing here is lost.
layer! {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied>;
    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied>;
    fn name(&self) -> Option<String>;
    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied>;
    fn read(&self, path: &FilePath) -> Result<Content, Denied>;
    fn read_any(&self, path: &FilePath) -> Result<Content, Denied>;
    fn state(&self, path: &FilePath) -> Result<State, Denied>;
    fn is_open(&self, path: &FilePath) -> bool;
    fn writable(&self, path: &FilePath) -> Result<(), Denied>;
    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied>;
    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied>;
    fn unread(&self, path: &FilePath, ignored: bool) -> Vec<(FilePath, Denied)>;
    fn named(&self, root: usize, name: &str, limit: usize) -> Result<Vec<FilePath>, Denied>;
    fn details(&self, path: &FilePath) -> Result<Details, Denied>;
    fn working_set(&self) -> Option<BTreeSet<String>>;
    fn line_now(&self, path: &FilePath, line: usize) -> Option<usize>;
    fn surroundings(&self) -> Arc<Surroundings>;
    fn parsed(&self, path: &FilePath, language: &'static Language, content: Content) -> Result<Arc<Parsed>, Unparsed>;
    fn patience(&self, bytes: usize) -> Box<dyn FnMut() -> ControlFlow<()>>;
}

#[cfg(test)]
mod tests {
    use super::super::{MemorySnapshot, Remembered, Staged, Through};
    use super::*;

    /// A workspace whose every answer is another than the one that a snapshot has by itself.
    struct Particular(MemorySnapshot);

    impl Snapshot for Particular {
        fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
            self.0.resolve(path)
        }
        fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
            self.0.resolve_absolute(path)
        }
        fn name(&self) -> Option<String> {
            Some("particular".to_owned())
        }
        fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
            self.0.kind(path)
        }
        fn read(&self, path: &FilePath) -> Result<Content, Denied> {
            self.0.read(path)
        }
        fn read_any(&self, _: &FilePath) -> Result<Content, Denied> {
            Ok(Content::plain("any"))
        }
        fn state(&self, path: &FilePath) -> Result<State, Denied> {
            self.0.state(path)
        }
        fn writable(&self, path: &FilePath) -> Result<(), Denied> {
            self.0.writable(path)
        }
        fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
            self.0.list(path)
        }
        fn files(&self, path: &FilePath, all: bool, most: usize) -> Result<Vec<FilePath>, Denied> {
            self.0.files(path, all, most)
        }
        fn unread(&self, path: &FilePath, _: bool) -> Vec<(FilePath, Denied)> {
            vec![(path.clone(), Denied::Permission)]
        }
        fn details(&self, _: &FilePath) -> Result<Details, Denied> {
            Ok(Details { size: 77, modified: None, links: 7 })
        }
        fn working_set(&self) -> Option<BTreeSet<String>> {
            Some(BTreeSet::from(["kept".to_owned()]))
        }
        fn line_now(&self, _: &FilePath, line: usize) -> Option<usize> {
            Some(line + 7)
        }
        fn surroundings(&self) -> Arc<Surroundings> {
            Arc::new(Surroundings { directory: Some("/chats".to_owned()), ..Default::default() })
        }
        fn parsed(
            &self,
            _: &FilePath,
            _: &'static Language,
            _: Content,
        ) -> Result<Arc<Parsed>, Unparsed> {
            Err(Unparsed::TooSlow)
        }
        fn patience(&self, _: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
            Box::new(|| ControlFlow::Break(()))
        }
    }

    #[test]
    fn what_stands_before_a_workspace_passes_on_what_that_answers_in_its_own_way() {
        let particular = Particular(MemorySnapshot::of([("a.rs", "")]));
        let through = Through {
            inner: &particular,
            paths: super::super::PathStyle::Relative,
            working_set: None,
        };
        let layers: [&dyn Snapshot; 3] =
            [&Remembered::new(&particular), &through, &Staged::new(&particular)];
        let file = FilePath::new(0, "a.rs");
        let rust = operator_grammars::by_path("a.rs").unwrap();
        for layer in layers {
            assert_eq!(layer.name().as_deref(), Some("particular"));
            assert_eq!(layer.read_any(&file), Ok(Content::plain("any")));
            assert_eq!(layer.details(&file).unwrap().size, 77);
            assert_eq!(layer.unread(&file, false), [(file.clone(), Denied::Permission)]);
            assert!(layer.working_set().unwrap().contains("kept"));
            assert_eq!(layer.line_now(&file, 1), Some(8));
            assert_eq!(layer.surroundings().directory.as_deref(), Some("/chats"));
            assert!(layer.parsed(&file, rust, Content::plain("")).is_err());
            assert!(layer.patience(1)().is_break());
        }
    }
}
