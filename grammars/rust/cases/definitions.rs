#!/usr/bin/env rust-script
//! Docs of the file, which belong to
//! nothing below them.
#![allow(dead_code)]

/*! More docs of the file. */
pub mod alpha;
use std::fmt::{self, Display};

/// A point.
#[derive(Debug, Clone)]
// between attributes
#[allow(unused)]
pub(crate) struct Point<T: Copy = i32>
where
    T: Display,
{
    /// Its column.
    #[cfg(feature = "x")]
    pub x: T, // the x
    y: T,
}

pub struct Unit;
struct Pair(pub i32, #[cfg(unix)] f64);
union Bits { whole: u32, real: f32 }

/// What there is to see.
#[repr(u8)]
enum Color {
    /// Red.
    Red = 1,
    Rgb(u8, u8, u8), // three
    #[default]
    Named { name: String, alpha: u8 },
}

impl<T> Display for Point<T>
where
    T: Display + Copy,
{
    type Out = i32;
    const SIDES: usize = 3;
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LOCAL: i32 = 4;
        Ok(())
    }
}

impl<T> Point<T> {
    pub async unsafe fn new(x: T) -> Self { todo!() }
}
impl Point<u8> {}
impl !Send for Unit {}
unsafe impl<#[may_dangle] T> Drop for Pair<T> {}

pub trait Shape: Sized {
    type Area;
    const SIDES: u32;
    fn area(&self) -> f64;
    /// With a body.
    fn name(&self) -> String { String::new() }
}

pub const MAX: usize = 10; // ten
static mut COUNT: u32 = 0;
type Alias<T> = Vec<T>;

extern "C" {
    fn from_c(x: i32) -> i32;
    static FROM_C: i32;
}
pub extern "C" fn to_c() {}
const fn at_compile_time() {}

macro_rules! square {
    ($x:expr) => { $x * $x };
    () => { 0 };
}

thread_local! {
    static LOCAL: u32 = 1;
}

#[cfg(test)]
mod tests {
    //! Docs of the module.
    use super::*;

    #[test]
    fn works() {
        assert_eq!(1, 1);
    }
    // the last word
}
