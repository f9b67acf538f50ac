//! Where the view gets the flock from: the store, with the time that has passed since. So it is shown
//! as it is, whether a daemon runs or not.

use bellwether_flock::{AgentView, Flock, Reader, SessionView, StoreReader as _};
use bellwether_spine::{Home, clock};

use crate::installation;

/// How many agents that have gone are shown.
const GONE: usize = 50;

/// What there is to see.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// Sessions with agents that are there.
    pub sessions: Vec<SessionView>,
    /// Agents that have gone, the last first.
    pub gone: Vec<AgentView>,
}

pub(crate) struct Source<'a> {
    home: &'a Home,
    reader: Option<Reader>,
}

impl<'a> Source<'a> {
    /// Opens the store, with everything in it that has happened until now.
    pub(crate) fn open(home: &'a Home) -> anyhow::Result<Self> {
        Ok(Self {
            home,
            reader: installation::up_to_date(home)?,
        })
    }

    /// The flock as it is now.
    pub(crate) fn look(&mut self) -> anyhow::Result<Seen> {
        if self.reader.is_none() {
            self.reader = Reader::open(&self.home.database())?;
        }
        let Some(reader) = &self.reader else {
            return Ok(Seen::default());
        };
        let (agents, sessions) = reader.present()?;
        let mut flock = Flock::load(agents, sessions);
        flock.tick(clock::wall_ms());
        let mut gone = reader.agents(GONE)?;
        gone.retain(|agent| {
            let now = flock.agent(&agent.agent_id);
            !now.map_or(agent.status, |now| now.view.status).is_present()
        });
        Ok(Seen {
            sessions: flock.sessions(),
            gone,
        })
    }
}
