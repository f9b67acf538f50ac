//! Starts the daemon so that it outlives whoever starts it.
//!
//! The client kills a hook's children when the hook times out, session leaders included, but not
//! what was forked twice. The daemon gets `/` as its folder, null streams, no descriptor but the
//! lock (as number 3, already taken, so that nobody else starts one), an environment from a fixed
//! list, and nothing of the hook's own streams: a child that held them would stall the client.

#![expect(
    unsafe_code,
    reason = "fork and exec have no safe form; between them only async-signal-safe calls are made"
)]

use std::ffi::{CString, OsStr, OsString, c_char, c_int};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{io, ptr};

use crate::{Home, SpineError};

/// The descriptor under which a started daemon finds its lock.
pub const LOCK_FD: c_int = 3;

/// Variables that a started daemon keeps: those that a project's settings cannot set for a hook, and
/// harmless ones. Keys are not among them, nor is the seat: display and sound server come with each
/// event, because one daemon serves many seats.
const KEPT: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// The search path of a started daemon: never the hook's, which a project may have changed.
const PATH: &str = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The program that runs as daemon: `bellwether`, beside the running executable.
pub fn program() -> Result<PathBuf, SpineError> {
    let running = std::env::current_exe()
        .map_err(|source| SpineError::io("find", Path::new("/proc/self/exe"), source))?;
    let program = running.with_file_name("bellwether");
    rustix::fs::access(&program, rustix::fs::Access::EXEC_OK)
        .map_err(|source| SpineError::io("start", &program, source))?;
    Ok(program)
}

/// Starts `program daemon run` with `options` behind it; the new process shares the lock, and holds
/// it alone once the caller has let go of it.
pub fn daemon(
    program: &Path,
    home: &Home,
    lock: &OwnedFd,
    options: &[&str],
) -> Result<(), SpineError> {
    let mut words: Vec<OsString> = ["daemon", "run", "--lock-fd"].map(OsString::from).to_vec();
    words.push(LOCK_FD.to_string().into());
    words.extend(options.iter().map(OsString::from));
    start(program, home, words, Some(lock))
}

/// The descriptor under which another program finds what it was handed.
pub const HANDED_FD: c_int = LOCK_FD;

/// Starts `program` with these words, so that it outlives us and holds nothing of ours but one descriptor.
pub fn detached_with(
    program: &Path,
    home: &Home,
    words: Vec<OsString>,
    handed: &OwnedFd,
) -> Result<(), SpineError> {
    start(program, home, words, Some(handed))
}

/// Starts `program` with these words, so that it outlives us and holds nothing of ours.
pub fn detached(program: &Path, home: &Home, words: Vec<OsString>) -> Result<(), SpineError> {
    start(program, home, words, None)
}

fn start(
    program: &Path,
    home: &Home,
    words: Vec<OsString>,
    lock: Option<&OwnedFd>,
) -> Result<(), SpineError> {
    let image = Image::new(program, home, words)
        .ok_or_else(|| SpineError::io("start", program, io::ErrorKind::InvalidInput))?;
    image
        .fork_twice(lock)
        .map_err(|source| SpineError::io("start", program, source))
}

/// All that `exec` needs, made before the fork: a forked child must not allocate.
struct Image {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
}

impl Image {
    fn new(program: &Path, home: &Home, mut words: Vec<OsString>) -> Option<Self> {
        words.insert(0, program.into());
        if let Some(root) = home.root() {
            words.extend([OsString::from("--home"), root.into()]);
        }
        let arguments = words
            .iter()
            .map(|word| c_string(word))
            .collect::<Option<_>>()?;
        let kept = KEPT.iter().filter_map(|name| {
            let mut entry = OsString::from(name);
            entry.push("=");
            entry.push(std::env::var_os(name)?);
            c_string(&entry)
        });
        let environment = kept.chain(CString::new(PATH).ok()).collect();
        Some(Self {
            program: c_string(program.as_os_str())?,
            arguments,
            environment,
        })
    }

    fn fork_twice(&self, lock: Option<&OwnedFd>) -> io::Result<()> {
        let (arguments, environment) = (pointers(&self.arguments), pointers(&self.environment));
        let lock = lock.map(AsRawFd::as_raw_fd);
        // SAFETY: the child calls nothing but async-signal-safe functions on memory made above.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: as above; the grandchild never returns, the child leaves by `_exit`.
            0 => unsafe {
                libc::setsid();
                if libc::fork() == 0 {
                    become_program(&self.program, &arguments, &environment, lock);
                }
                libc::_exit(0)
            },
            child => {
                // SAFETY: waits for the child made above, which ends at once.
                unsafe { libc::waitpid(child, ptr::null_mut(), 0) };
                Ok(())
            }
        }
    }
}

fn c_string(word: &OsStr) -> Option<CString> {
    CString::new(word.as_bytes()).ok()
}

fn pointers(words: &[CString]) -> Vec<*const c_char> {
    words
        .iter()
        .map(|word| word.as_ptr())
        .chain([ptr::null()])
        .collect()
}

/// The grandchild's last steps.
///
/// # Safety
/// Must run in a forked child; `arguments` and `environment` end with a null pointer.
unsafe fn become_program(
    program: &CString,
    arguments: &[*const c_char],
    environment: &[*const c_char],
    lock: Option<c_int>,
) {
    // SAFETY: plain system calls on descriptors and on memory that lives until `execve`.
    unsafe {
        libc::chdir(c"/".as_ptr());
        libc::umask(0o077);
        let lock = lock.map(|lock| libc::fcntl(lock, libc::F_DUPFD, 10));
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        for stream in 0..3 {
            libc::dup2(null, stream);
        }
        match lock {
            Some(lock) => {
                libc::dup2(lock, LOCK_FD);
                close_from(LOCK_FD + 1);
            }
            None => close_from(LOCK_FD),
        }
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const signals, ptr::null_mut());
        libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
        libc::_exit(127);
    }
}

/// Closes every descriptor from `first` on.
///
/// # Safety
/// Nothing that is used later may own one of them.
unsafe fn close_from(first: c_int) {
    // SAFETY: the caller owns no descriptor beyond `first`.
    unsafe {
        #[cfg(target_os = "linux")]
        if libc::syscall(libc::SYS_close_range, first, c_int::MAX, 0) == 0 {
            return;
        }
        for descriptor in first..1024 {
            libc::close(descriptor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_that_was_named_is_passed_on() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let words = ["daemon", "run"].map(OsString::from).to_vec();
        let image = Image::new(Path::new("/opt/bellwether"), &home, words).unwrap();
        let words: Vec<_> = image
            .arguments
            .iter()
            .map(|word| word.to_str().unwrap())
            .collect();
        let root = folder.path().to_str().unwrap();
        assert_eq!(words, ["/opt/bellwether", "daemon", "run", "--home", root]);
    }
}
