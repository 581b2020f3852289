//! What a file has besides its content: its owner, its mode, its access list, its extended
//! attributes.

#[cfg(unix)]
pub(super) use unix::Attributes;

#[cfg(not(unix))]
pub(super) use other::Attributes;

/// How attributes are given to another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// As a write leaves them: whatever lets a program run with more rights is dropped.
    Written,
    /// All of them.
    All,
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::AsFd;

    use cap_std::fs::Dir;
    use rustix::fs::{Gid, Mode, RawMode, Stat, Uid, XattrFlags};
    use rustix::io::Errno;
    use serde::{Deserialize, Serialize};

    use super::Keep;

    const ACCESS_LIST: &[u8] = b"system.posix_acl_access";
    const CAPABILITIES: &[u8] = b"security.capability";
    /// What the system keeps about a file's content: it does not hold for another content.
    const MEASURED: [&[u8]; 2] = [b"security.ima", b"security.evm"];
    /// What the system says where a file does not have an extended attribute.
    #[cfg(not(target_vendor = "apple"))]
    const GONE: Errno = Errno::NODATA;
    #[cfg(target_vendor = "apple")]
    const GONE: Errno = Errno::NOATTR;
    /// The set-user and set-group bits.
    const PRIVILEGES: u32 = 0o6000;
    const GROUP: u32 = 0o070;

    /// The attributes of a file or a directory.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub(in crate::workspace) struct Attributes {
        mode: u32,
        owner: u32,
        group: u32,
        /// Extended attributes, names and values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        extended: Vec<(Vec<u8>, Vec<u8>)>,
    }

    impl Attributes {
        /// Those of an open file.
        pub(in crate::workspace) fn of(file: impl AsFd) -> io::Result<Attributes> {
            let file = file.as_fd();
            let data = rustix::fs::fstat(file)?;
            let mut extended = Vec::new();
            for name in names(file)? {
                if let Some(value) = value(file, &name)? {
                    extended.push((name, value));
                }
            }
            Ok(Attributes { mode: mode(&data), owner: data.st_uid, group: data.st_gid, extended })
        }

        /// Gives them to another file that nobody else may open yet. An owner that cannot be
        /// given is left out; nobody gains access by that.
        pub(in crate::workspace) fn give(&self, file: impl AsFd, keep: Keep) -> io::Result<()> {
            let file = file.as_fd();
            self.give_owner(file);
            let data = rustix::fs::fstat(file)?;
            let same_owner = data.st_uid == self.owner;
            let same_group = data.st_gid == self.group;
            let extended =
                || self.extended.iter().filter(|(name, _)| !MEASURED.contains(&&name[..]));
            for (name, value) in extended().filter(|(name, _)| !is_special(name)) {
                give_extended(file, name, value)?;
            }
            let list = extended().find(|(name, _)| name == ACCESS_LIST);
            let mut mode = self.mode;
            match list {
                Some((name, list)) => {
                    let list = if same_group { list.clone() } else { without_group(list) };
                    rustix::fs::fsetxattr(file, name.as_slice(), &list, XattrFlags::empty())?;
                }
                None => {
                    // The directory may have given it one.
                    let _ = rustix::fs::fremovexattr(file, ACCESS_LIST);
                    if !same_group {
                        mode &= !GROUP | (mode & 0o007) << 3;
                    }
                }
            }
            if keep == Keep::Written || !same_owner || !same_group {
                mode &= !PRIVILEGES;
            }
            rustix::fs::fchmod(file, as_mode(mode))?;
            if let (Keep::All, Some((name, value))) =
                (keep, extended().find(|(name, _)| name == CAPABILITIES))
            {
                let _ = rustix::fs::fsetxattr(file, name.as_slice(), value, XattrFlags::empty());
            }
            Ok(())
        }

        /// Those of a directory, whose handle may be good for paths alone.
        pub(in crate::workspace) fn of_directory(dir: &Dir) -> io::Result<Attributes> {
            Attributes::of(dir.open(".")?)
        }

        /// Gives all of them to a directory.
        pub(in crate::workspace) fn give_directory(&self, dir: &Dir) -> io::Result<()> {
            self.give(dir.open(".")?, Keep::All)
        }

        fn give_owner(&self, file: impl AsFd) {
            let (owner, group) = (Uid::from_raw(self.owner), Gid::from_raw(self.group));
            if rustix::fs::fchown(&file, Some(owner), Some(group)).is_err() {
                // The owner of a file may give it to another group that they are in.
                let _ = rustix::fs::fchown(&file, None, Some(group));
            }
        }

        /// These as they were before a write, for a file that has `now` since then: a mode that
        /// somebody else has set stays.
        pub(in crate::workspace) fn before_write(&self, now: &Attributes) -> Attributes {
            let as_written = now.mode == self.mode & !PRIVILEGES || now.mode == self.mode;
            let mode = if as_written { self.mode } else { now.mode };
            Attributes { mode, ..self.clone() }
        }
    }

    #[allow(clippy::unnecessary_cast, reason = "the width of a mode is the system's")]
    fn mode(data: &Stat) -> u32 {
        data.st_mode as u32 & 0o7777
    }

    #[allow(clippy::unnecessary_cast, reason = "the width of a mode is the system's")]
    #[allow(clippy::cast_possible_truncation, reason = "a mode has twelve bits")]
    fn as_mode(mode: u32) -> Mode {
        Mode::from_raw_mode((mode & 0o7777) as RawMode)
    }

    /// What is not given like the rest.
    fn is_special(name: &[u8]) -> bool {
        [ACCESS_LIST, CAPABILITIES].contains(&name)
    }

    /// Those of the user must be kept; the system's own may be its own to give.
    fn give_extended(file: impl AsFd, name: &[u8], value: &[u8]) -> io::Result<()> {
        match rustix::fs::fsetxattr(file, name, value, XattrFlags::empty()) {
            Err(error) if is_the_users(name, cfg!(target_vendor = "apple")) => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Linux names the kind of an extended attribute first; macOS names only its own.
    fn is_the_users(name: &[u8], on_macos: bool) -> bool {
        match on_macos {
            true => !name.starts_with(b"com.apple."),
            false => name.starts_with(b"user."),
        }
    }

    /// The names of extended attributes; none where the file system has none.
    fn names(file: impl AsFd) -> io::Result<Vec<Vec<u8>>> {
        let list = grown(|buffer| rustix::fs::flistxattr(&file, buffer))?.unwrap_or_default();
        Ok(list
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
            .map(<[u8]>::to_vec)
            .collect())
    }

    /// The value of an extended attribute; `None` where it has gone meanwhile, or may not be seen.
    fn value(file: impl AsFd, name: &[u8]) -> io::Result<Option<Vec<u8>>> {
        grown(|buffer| rustix::fs::fgetxattr(&file, name, buffer))
    }

    /// What a call gives, in a buffer that is large enough.
    fn grown(
        mut call: impl FnMut(&mut [u8]) -> rustix::io::Result<usize>,
    ) -> io::Result<Option<Vec<u8>>> {
        let mut buffer = vec![0; 256];
        loop {
            match call(&mut buffer) {
                Ok(length) => {
                    buffer.truncate(length);
                    return Ok(Some(buffer));
                }
                Err(Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 4, 0),
                Err(Errno::NOTSUP | Errno::NOSYS | Errno::ACCESS | Errno::PERM | GONE) => {
                    return Ok(None);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// An access list in which the owning group may do no more than everybody: it is another
    /// group than the one that the list was written for.
    fn without_group(list: &[u8]) -> Vec<u8> {
        /// A version, then entries of a tag, permissions and an id, all little-endian.
        const HEADER: usize = 4;
        const ENTRY: usize = 8;
        const OWNING_GROUP: [u8; 2] = [0x04, 0];
        const EVERYBODY: [u8; 2] = [0x20, 0];
        let mut list = list.to_vec();
        let entries = list.get_mut(HEADER..).unwrap_or_default();
        let everybody = entries.chunks_exact(ENTRY).find(|entry| entry.starts_with(&EVERYBODY));
        let allowed = everybody.map_or(0, |entry| entry[2]);
        for entry in entries.chunks_exact_mut(ENTRY) {
            if entry.starts_with(&OWNING_GROUP) {
                entry[2] &= allowed;
            }
        }
        list
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn another_group_gains_nothing_by_an_access_list() {
            let entry = |tag: u8, permissions: u8| [tag, 0, permissions, 0, 0xff, 0xff, 0xff, 0xff];
            let list = |group: u8| {
                let entries = [entry(1, 6), entry(4, group), entry(0x10, 6), entry(0x20, 4)];
                [vec![2, 0, 0, 0], entries.concat()].concat()
            };
            assert_eq!(without_group(&list(6)), list(4));
            assert_eq!(without_group(b"odd"), b"odd");
        }

        #[test]
        fn whose_an_extended_attribute_is() {
            let users =
                |name: &str| [false, true].map(|macos| is_the_users(name.as_bytes(), macos));
            assert_eq!(users("user.note"), [true, true]);
            assert_eq!(users("org.example.note"), [false, true]);
            assert_eq!(users("com.apple.provenance"), [false, false]);
            assert_eq!(users("security.selinux"), [false, true]);
        }

        #[test]
        fn an_attribute_that_is_not_there_has_no_value() {
            let file = tempfile::tempfile().unwrap();
            assert_eq!(value(&file, b"user.nothing").unwrap(), None);
            if rustix::fs::fsetxattr(&file, "user.note", b"mine", XattrFlags::empty()).is_ok() {
                assert_eq!(value(&file, b"user.note").unwrap().as_deref(), Some(&b"mine"[..]));
                assert!(names(&file).unwrap().contains(&b"user.note".to_vec()));
            }
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    use cap_std::fs::{Dir, File};
    use serde::{Deserialize, Serialize};

    use super::Keep;

    /// The attributes of a file.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub(in crate::workspace) struct Attributes {
        read_only: bool,
    }

    impl Attributes {
        /// Those of an open file.
        pub(in crate::workspace) fn of(file: &File) -> io::Result<Attributes> {
            Ok(Attributes { read_only: file.metadata()?.permissions().readonly() })
        }

        /// Gives them to another file.
        pub(in crate::workspace) fn give(&self, file: &File, _: Keep) -> io::Result<()> {
            let mut permissions = file.metadata()?.permissions();
            permissions.set_readonly(self.read_only);
            file.set_permissions(permissions)
        }

        /// Those of a directory.
        pub(in crate::workspace) fn of_directory(dir: &Dir) -> io::Result<Attributes> {
            Ok(Attributes { read_only: dir.dir_metadata()?.permissions().readonly() })
        }

        /// A directory that is read-only is so for nobody but the desktop.
        pub(in crate::workspace) fn give_directory(&self, _: &Dir) -> io::Result<()> {
            Ok(())
        }

        /// These as they were before a write.
        pub(in crate::workspace) fn before_write(&self, _: &Attributes) -> Attributes {
            self.clone()
        }
    }
}
