//! Change sets as edits of the protocol.

/// Makes the protocol's edit of a change set.
pub struct EditBuilder;
