//! News from other threads for the loop that draws: a queue, and a descriptor that wakes it.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use rustix::event::{EventfdFlags, eventfd};

use crate::flock::{Agent, Permission};
use crate::settings::Settings;
use crate::tray::TrayDeed;

/// Something that the daemon, the tray or a deed has to say.
#[derive(Debug)]
pub enum News {
    /// Everything as it is now.
    All {
        settings: Box<Settings>,
        agents: Vec<Agent>,
        permissions: Vec<Permission>,
    },
    Settings(Box<Settings>),
    /// An agent that came or changed.
    Agent(Box<Agent>),
    Departed(String),
    Asked(Permission),
    Settled {
        id: String,
        how: String,
    },
    /// The daemon has gone, and why.
    Lost(String),
    /// The daemon will not have us any more.
    Refused(String),
    /// A deed could not be done: whose it was, and why.
    Failed {
        agent: Option<String>,
        why: String,
    },
    Tray(TrayDeed),
}

/// Nobody listens any more.
#[derive(Debug)]
pub struct NobodyListens;

/// Where news is handed in.
#[derive(Debug, Clone)]
pub struct Post {
    to: Sender<News>,
    wake: Arc<OwnedFd>,
}

/// Where it comes out.
#[derive(Debug)]
pub struct Bell {
    from: Receiver<News>,
    wake: Arc<OwnedFd>,
}

impl Post {
    pub fn send(&self, news: News) -> Result<(), NobodyListens> {
        self.to.send(news).map_err(|_| NobodyListens)?;
        // It can only fail when it is rung more often than can be counted, and then it rings.
        let _ = rustix::io::write(&*self.wake, &1_u64.to_ne_bytes());
        Ok(())
    }
}

impl Bell {
    pub fn new() -> std::io::Result<(Post, Self)> {
        let wake = Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?);
        let (to, from) = mpsc::channel();
        let post = Post {
            to,
            wake: Arc::clone(&wake),
        };
        Ok((post, Self { from, wake }))
    }

    /// Everything that has come.
    pub fn take(&self) -> Vec<News> {
        let mut count = [0; 8];
        let _ = rustix::io::read(&*self.wake, &mut count);
        self.from.try_iter().collect()
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
