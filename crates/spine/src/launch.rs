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
use std::os::fd::{AsRawFd, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{io, ptr};

use crate::{Home, SpineError};

/// The descriptor under which a started program finds what it was handed first.
pub const HANDED_FD: c_int = 3;
/// The descriptor under which a started daemon finds its lock.
pub const LOCK_FD: c_int = HANDED_FD;

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
    beside("bellwether")
}

/// A program of ours, beside the running executable.
pub fn beside(name: &str) -> Result<PathBuf, SpineError> {
    let running = std::env::current_exe()
        .map_err(|source| SpineError::io("find", Path::new("/proc/self/exe"), source))?;
    let program = running.with_file_name(name);
    rustix::fs::access(&program, rustix::fs::Access::EXEC_OK)
        .map_err(|source| SpineError::io("start", &program, source))?;
    Ok(program)
}

/// Takes what was handed to this process under a number; what it starts does not get it. To be asked once a number: the
/// descriptor is closed with what is returned.
pub fn handed(number: RawFd) -> io::Result<OwnedFd> {
    // Only that can fail without harm for who calls us by hand.
    std::fs::symlink_metadata(format!("/dev/fd/{number}"))?;
    // SAFETY: it is open, and was handed over for this purpose; nothing else in this process uses it.
    let descriptor = unsafe { OwnedFd::from_raw_fd(number) };
    rustix::io::fcntl_setfd(&descriptor, rustix::io::FdFlags::CLOEXEC)?;
    Ok(descriptor)
}

/// Starts `program daemon run` with `options` behind it; the new process shares the lock, and holds
/// it alone once the caller has let go of it.
pub fn daemon(
    program: &Path,
    home: &Home,
    lock: &OwnedFd,
    options: &[&str],
) -> Result<(), SpineError> {
    let number = LOCK_FD.to_string();
    let words = ["daemon", "run", "--lock-fd", &number].into_iter();
    Launch::of(program, home)
        .words(words.chain(options.iter().copied()))
        .handing(lock)
        .start()
}

/// A program that is to be started, and what it gets from us: besides this and its home, nothing.
pub struct Launch<'a> {
    program: &'a Path,
    home: &'a Home,
    words: Vec<OsString>,
    handed: Vec<&'a OwnedFd>,
    variables: Vec<(OsString, OsString)>,
}

impl<'a> Launch<'a> {
    pub fn of(program: &'a Path, home: &'a Home) -> Self {
        Self {
            program,
            home,
            words: Vec::new(),
            handed: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// Words of its command line, behind those that are there.
    #[must_use]
    pub fn words(mut self, words: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.words.extend(words.into_iter().map(Into::into));
        self
    }

    /// A descriptor that it finds under [`HANDED_FD`], and each further one under the number behind it.
    #[must_use]
    pub fn handing(mut self, descriptor: &'a OwnedFd) -> Self {
        self.handed.push(descriptor);
        self
    }

    /// Variables besides the usual ones, over which they count.
    #[must_use]
    pub fn variables<N: Into<OsString>, V: Into<OsString>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let variables = variables.into_iter();
        self.variables
            .extend(variables.map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Starts it so that it outlives us, with null streams.
    pub fn start(self) -> Result<(), SpineError> {
        let program = self.program;
        let image = self.image()?;
        image
            .fork_twice()
            .map_err(|source| SpineError::io("start", program, source))
    }

    /// Puts it in the place of this process, with its streams and folder. Returns only when that fails.
    pub fn replace_us(self) -> SpineError {
        let program = self.program;
        match self.image() {
            Ok(image) => SpineError::io("start", program, image.replace_us()),
            Err(error) => error,
        }
    }

    fn image(self) -> Result<Image, SpineError> {
        let program = self.program;
        Image::new(self)
            .ok_or_else(|| SpineError::io("start", program, io::ErrorKind::InvalidInput))
    }
}

/// All that `exec` needs, made before the fork: a forked child must not allocate.
struct Image {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
    /// The descriptors that are handed over, and room for their copies.
    handed: Vec<c_int>,
}

/// What the new program does with what this process has open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Streams {
    Null,
    /// It goes on with our streams, and in our folder.
    Ours,
}

impl Image {
    fn new(launch: Launch<'_>) -> Option<Self> {
        let Launch {
            program,
            home,
            words,
            handed,
            variables,
        } = launch;
        let root = home
            .root()
            .map(|root| [OsString::from("--home"), root.into()]);
        let words = [program.into()]
            .into_iter()
            .chain(words)
            .chain(root.into_iter().flatten());
        let arguments = words.map(|word| c_string(&word)).collect::<Option<_>>()?;
        let is_given = |name: &str| variables.iter().any(|(given, _)| given == name);
        let kept = KEPT.iter().filter(|name| !is_given(name));
        let kept = kept.filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
        let entries = kept.collect::<Vec<_>>().into_iter().chain(variables);
        let entries = entries.filter_map(|(mut entry, value)| {
            entry.push("=");
            entry.push(value);
            c_string(&entry)
        });
        Some(Self {
            program: c_string(program.as_os_str())?,
            arguments,
            environment: entries.chain(CString::new(PATH).ok()).collect(),
            handed: handed.into_iter().map(AsRawFd::as_raw_fd).collect(),
        })
    }

    fn fork_twice(mut self) -> io::Result<()> {
        let (arguments, environment) = (pointers(&self.arguments), pointers(&self.environment));
        // SAFETY: the child calls nothing but async-signal-safe functions on memory made above.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: as above; the grandchild never returns, the child leaves by `_exit`.
            0 => unsafe {
                libc::setsid();
                if libc::fork() == 0 {
                    let streams = Streams::Null;
                    become_program(
                        &self.program,
                        &arguments,
                        &environment,
                        &mut self.handed,
                        streams,
                    );
                    libc::_exit(127);
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

    fn replace_us(mut self) -> io::Error {
        let (arguments, environment) = (pointers(&self.arguments), pointers(&self.environment));
        let streams = Streams::Ours;
        // SAFETY: the lists end with null pointers and live until the call returns. Descriptors that other threads own may
        // be closed by it: whoever asks for this ends when it fails.
        unsafe {
            become_program(
                &self.program,
                &arguments,
                &environment,
                &mut self.handed,
                streams,
            );
        }
        io::Error::last_os_error()
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

/// The last steps before the program. Returns only when `exec` fails.
///
/// # Safety
/// Must run in a forked child, or in a process that ends when it fails; `arguments` and `environment` end with a null pointer.
unsafe fn become_program(
    program: &CString,
    arguments: &[*const c_char],
    environment: &[*const c_char],
    handed: &mut [c_int],
    streams: Streams,
) {
    // SAFETY: plain system calls on descriptors and on memory that lives until `execve`.
    unsafe {
        libc::umask(0o077);
        // Out of the way first: one may stand where another is to go.
        for descriptor in handed.iter_mut() {
            *descriptor = libc::fcntl(*descriptor, libc::F_DUPFD, 64);
        }
        if streams == Streams::Null {
            libc::chdir(c"/".as_ptr());
            let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            for stream in 0..HANDED_FD {
                libc::dup2(null, stream);
            }
        }
        let mut free = HANDED_FD;
        for descriptor in handed.iter() {
            libc::dup2(*descriptor, free);
            free += 1;
        }
        close_from(free);
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const signals, ptr::null_mut());
        libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
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

    fn said(all: &[CString]) -> Vec<&str> {
        all.iter().map(|it| it.to_str().unwrap()).collect()
    }

    #[test]
    fn the_home_that_was_named_is_passed_on() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let launch = Launch::of(Path::new("/opt/bellwether"), &home).words(["daemon", "run"]);
        let image = launch.image().unwrap();
        let root = folder.path().to_str().unwrap();
        assert_eq!(
            said(&image.arguments),
            ["/opt/bellwether", "daemon", "run", "--home", root]
        );
    }

    #[test]
    fn a_variable_that_is_given_counts_over_a_usual_one() {
        let home = Home::nowhere();
        let given = [("DISPLAY", ":7"), ("HOME", "/elsewhere")];
        let launch = Launch::of(Path::new("/opt/x"), &home).variables(given);
        let image = launch.image().unwrap();
        let all = said(&image.environment);
        assert!(
            all.contains(&"DISPLAY=:7") && all.contains(&PATH),
            "{all:?}"
        );
        let homes: Vec<_> = all.iter().filter(|it| it.starts_with("HOME=")).collect();
        assert_eq!(homes, [&"HOME=/elsewhere"]);
    }

    #[test]
    fn everything_that_is_handed_over_arrives_in_its_order() {
        use std::io::{Read as _, Write as _};
        let home = Home::nowhere();
        let shell = Path::new("/bin/sh");
        let (mut back, there) = std::io::pipe().unwrap();
        let (first, mut said) = std::io::pipe().unwrap();
        said.write_all(b"told\n").unwrap();
        let [there, first] = [OwnedFd::from(there), OwnedFd::from(first)];
        Launch::of(shell, &home)
            .words(["-c", "read line <&3; echo \"$line $SEAT\" >&4"])
            .handing(&first)
            .handing(&there)
            .variables([("SEAT", "here")])
            .start()
            .unwrap();
        drop((there, said));
        let mut text = String::new();
        back.read_to_string(&mut text).unwrap();
        assert_eq!(text, "told here\n");
    }
}
