//! Applying all at once leaves what applying one block after the other leaves.

use proptest::prelude::*;

use super::properties::{FILES, piece};
use super::*;

impl Desk {
    /// Applies each block in order that can be with the others.
    fn apply_one_by_one(&mut self) {
        for index in 0..self.review().len() {
            let shown = self.review().proposal(index).unwrap();
            let is_write = shown.effect() == Some(Effect::Write);
            if is_write && shown.status == Status::Ready && shown.with_others() == WithOthers::Now {
                self.apply(index);
            }
        }
    }
}

proptest! {
    #[test]
    fn all_at_once_leaves_what_one_by_one_leaves(
        pieces in prop::collection::vec(piece(), 0..12),
    ) {
        let transcript = pieces.concat();
        let (mut one, mut all) = (Desk::new(&transcript, &FILES), Desk::new(&transcript, &FILES));
        one.apply_one_by_one();
        all.apply_all();
        prop_assert_eq!(&one.files.files, &all.files.files);
        let written = |desk: &mut Desk| {
            let review = desk.review();
            let writes = review.proposals().filter(|it| it.effect() == Some(Effect::Write));
            writes.map(|it| it.status).collect::<Vec<_>>()
        };
        prop_assert_eq!(written(&mut one), written(&mut all));
    }
}
