//! The dialect `operator`: `OPERATOR_CMD` blocks of `key: value` lines.

use crate::dialect::{Answer, BlockEnd, Dialect, Opening, Parsed, Reader};
use crate::limits::Limits;
use crate::problem::Replacement;
use crate::text::Span;

/// The dialect, see `spec/operator.md`.
pub struct Operator;

impl Dialect for Operator {
    fn name(&self) -> &'static str {
        "operator"
    }
    fn needles(&self) -> &'static [&'static str] {
        &["operator_cmd"]
    }
    fn opens(&self, _: &str, _: &str) -> Opening {
        Opening::Nothing
    }
    fn reader(&self, _: &str) -> Box<dyn Reader> {
        unreachable!()
    }
    fn parse(&self, _: &str, _: BlockEnd, _: &Limits) -> Parsed {
        unreachable!()
    }
    fn locate(&self, _: &Parsed, _: &str) -> Span {
        0..0
    }
    fn encode(&self, _: &str, value: &str) -> String {
        value.to_owned()
    }
    fn state_base(&self, _: &Parsed, _: &str) -> Replacement {
        Replacement::insert(0, "")
    }
    fn replies(&self, _: &[Answer]) -> Vec<String> {
        Vec::new()
    }
    fn specification(&self) -> &'static str {
        crate::spec::OPERATOR
    }
}
