//! Makes the calls that change a disk fail, from one of them on or just that one.
//!
//! The C library's functions of these names are replaced by the ones here, in this program alone;
//! `rustix` calls them because of its feature `use-libc`.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// What an armed call does.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// How many calls succeed before.
    pub after: u16,
    /// What the call fails with.
    pub error: c_int,
    /// Whether all calls after it fail as well.
    pub for_good: bool,
}

/// What a call may fail with.
pub const ERRORS: [c_int; 4] = [libc::EIO, libc::ENOSPC, libc::EMFILE, libc::EACCES];

/// How many calls still succeed; negative where none is to fail.
static LEFT: AtomicI64 = AtomicI64::new(-1);
static ERROR: AtomicI64 = AtomicI64::new(0);
/// How many calls have failed.
static FAILED: AtomicU64 = AtomicU64::new(0);

/// Runs something while a fault is armed; says whether a call has failed.
pub fn under<T>(fault: Fault, run: impl FnOnce() -> T) -> (T, bool) {
    FAILED.store(0, Ordering::SeqCst);
    let sign = if fault.for_good { -1 } else { 1 };
    ERROR.store(sign * i64::from(fault.error), Ordering::SeqCst);
    LEFT.store(i64::from(fault.after), Ordering::SeqCst);
    let done = run();
    LEFT.store(-1, Ordering::SeqCst);
    (done, FAILED.load(Ordering::SeqCst) > 0)
}

/// Whether the call that asks fails.
fn fails() -> bool {
    let left = LEFT.load(Ordering::SeqCst);
    if left < 0 {
        return false;
    }
    if left > 0 {
        LEFT.store(left - 1, Ordering::SeqCst);
        return false;
    }
    let error = ERROR.load(Ordering::SeqCst);
    if error > 0 {
        LEFT.store(-1, Ordering::SeqCst);
    }
    FAILED.fetch_add(1, Ordering::SeqCst);
    let error = c_int::try_from(error.abs()).unwrap_or(libc::EIO);
    // SAFETY: it is the place of this thread's error number.
    unsafe { *libc::__errno_location() = error };
    true
}

/// A function of the C library that is the system call of the same arguments, or fails.
macro_rules! calls {
    ($($name:ident($($argument:ident: $kind:ty),*) = $number:ident;)*) => {$(
        /// As in the C library.
        ///
        /// # Safety
        /// As in the C library.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $kind),*) -> c_int {
            match fails() {
                true => -1,
                // SAFETY: the caller's arguments are those of the system call.
                false => unsafe { libc::syscall(libc::$number, $($argument),*) as c_int },
            }
        }
    )*};
}

calls! {
    fsync(file: c_int) = SYS_fsync;
    fdatasync(file: c_int) = SYS_fdatasync;
    ftruncate(file: c_int, length: c_long) = SYS_ftruncate;
    ftruncate64(file: c_int, length: c_long) = SYS_ftruncate;
    fchmod(file: c_int, mode: c_uint) = SYS_fchmod;
    mkdirat(folder: c_int, path: *const c_char, mode: c_uint) = SYS_mkdirat;
    mkdir(path: *const c_char, mode: c_uint) = SYS_mkdir;
    unlinkat(folder: c_int, path: *const c_char, flags: c_int) = SYS_unlinkat;
    linkat(
        from: c_int, old: *const c_char, to: c_int, new: *const c_char, flags: c_int
    ) = SYS_linkat;
    renameat(from: c_int, old: *const c_char, to: c_int, new: *const c_char) = SYS_renameat;
    renameat2(
        from: c_int, old: *const c_char, to: c_int, new: *const c_char, flags: c_uint
    ) = SYS_renameat2;
    openat(folder: c_int, path: *const c_char, flags: c_int, mode: c_uint) = SYS_openat;
    openat64(folder: c_int, path: *const c_char, flags: c_int, mode: c_uint) = SYS_openat;
    open(path: *const c_char, flags: c_int, mode: c_uint) = SYS_open;
    open64(path: *const c_char, flags: c_int, mode: c_uint) = SYS_open;
}

/// As in the C library. A write that fails has written half.
///
/// # Safety
/// As in the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn write(file: c_int, bytes: *const c_void, length: usize) -> isize {
    let length = if fails() { length / 2 } else { length };
    if length == 0 && LEFT.load(Ordering::SeqCst) == 0 {
        return -1;
    }
    // SAFETY: the caller's arguments are those of the system call.
    unsafe { libc::syscall(libc::SYS_write, file, bytes, length) as isize }
}
