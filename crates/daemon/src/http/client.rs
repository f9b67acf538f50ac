//! The process that a connection comes from, as far as it shows itself.
//!
//! A hook that the client starts gets told in its environment which project and which terminal it is
//! for; one that the client asks over HTTP is not. The client's own folder and environment have most of
//! it. As in `spine::meta`, only variables of a fixed list are taken, never the whole environment.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use bellwether_protocol::client::{Product, Variables};
use bellwether_spine::meta;

/// What is taken of its environment.
fn taken() -> impl Iterator<Item = &'static str> {
    let Variables {
        entrypoint,
        attended,
        ..
    } = &Product::default().wire().variables;
    let own = [*entrypoint, *attended].into_iter().flatten();
    meta::TERMINALS.into_iter().chain(meta::SEAT).chain(own)
}

/// A process at the other end.
#[derive(Debug)]
pub(crate) struct PeerProcess {
    pid: u32,
    folder: Option<PathBuf>,
    variables: Vec<(&'static str, OsString)>,
}

impl PeerProcess {
    /// The process that holds a socket; the first, if several do.
    pub(crate) fn with_socket(inode: u32) -> Option<Self> {
        let name = OsString::from(format!("socket:[{inode}]"));
        let processes = std::fs::read_dir("/proc").ok()?;
        let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        pids.into_iter()
            .find(|pid: &u32| holds(*pid, &name))
            .map(Self::of)
    }

    fn of(pid: u32) -> Self {
        let place = Path::new("/proc").join(pid.to_string());
        let environment = std::fs::read(place.join("environ")).unwrap_or_default();
        Self {
            pid,
            folder: std::fs::read_link(place.join("cwd")).ok(),
            variables: taken()
                .filter_map(|name| Some((name, value(&environment, name)?)))
                .collect(),
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// What a hook that it started itself would find in its environment.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, OsString)> {
        let Variables { pid, project, .. } = &Product::default().wire().variables;
        let pid = pid.map(|name| (name, self.pid.to_string().into()));
        let folder = self.folder.clone().map(PathBuf::into_os_string);
        let project = project.first().copied().zip(folder);
        let said = self
            .variables
            .iter()
            .map(|(name, value)| (*name, value.clone()));
        said.chain(pid).chain(project)
    }
}

fn holds(pid: u32, socket: &OsStr) -> bool {
    let Ok(open) = std::fs::read_dir(format!("/proc/{pid}/fd")) else {
        return false;
    };
    let mut links = open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    links.any(|link| link.as_os_str() == socket)
}

fn value(environment: &[u8], name: &str) -> Option<OsString> {
    let mut entries = environment.split(|byte| *byte == 0);
    let entry =
        entries.find_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    (!entry.is_empty()).then(|| OsString::from_vec(entry.to_vec()))
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsRawFd as _;

    use super::*;

    #[test]
    fn a_socket_leads_to_its_process() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let link = std::fs::read_link(format!("/proc/self/fd/{}", stream.as_raw_fd())).unwrap();
        let link = link.to_str().unwrap();
        let inode = link.trim_start_matches("socket:[").trim_end_matches(']');
        let client = PeerProcess::with_socket(inode.parse().unwrap()).unwrap();
        assert_eq!(client.pid, std::process::id());
        assert_eq!(client.folder, std::env::current_dir().ok());
        assert!(PeerProcess::with_socket(u32::MAX).is_none());
    }

    #[test]
    fn only_whole_names_of_the_list_count() {
        let environment = b"XDISPLAY=:9\0DISPLAY=:1\0TMUX=\0SECRET=x\0";
        assert_eq!(value(environment, "DISPLAY"), Some(OsString::from(":1")));
        assert_eq!(value(environment, "TMUX"), None);
    }
}
