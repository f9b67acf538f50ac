//! What is on the screen: creatures, what they say, the menu. It hears the daemon and the mouse, and says when it wants to be
//! called again.

mod actor;
mod arrange;
mod mouse;
mod offer;
mod paint;
mod speech;
mod talk;

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use self::actor::{Actor, Liveliness, Spot};
use self::offer::Offer;
use self::speech::Speech;
use crate::desktop::{Desktop, DesktopError, PanelId, Screen};
use crate::drawn::{Look, Sign, Theme};
use crate::flock::{Agent, Flock};
use crate::frames::{RATE, Room};
use crate::link::{Bell, Deeds, News, Post};
use crate::places::Places;
use crate::settings::{Motion, Settings};
use crate::text::Fonts;
use crate::tray::{Tray, TrayDeed};

/// A daemon that starts again is back before anybody has missed it.
const MISSED: Duration = Duration::from_secs(3);
/// All creatures step together, so that one wake-up serves them all.
const BEAT: Duration = Duration::from_micros(1_000_000 / RATE as u64);

/// Why it is over.
#[derive(Debug, PartialEq, Eq)]
pub enum Over {
    /// The person wanted it to end.
    Quit,
    /// The daemon will not have us any more.
    Refused(String),
    /// The window system has gone.
    NoDesktop,
}

pub struct Stage<D> {
    desktop: D,
    deeds: Deeds,
    post: Post,
    settings: Settings,
    theme: &'static Theme,
    fonts: Fonts,
    places: Places,
    flock: Flock,
    room: Room,
    actors: BTreeMap<String, Actor>,
    /// Where somebody was put that has a parent: for as long as it lives.
    apart: BTreeMap<String, Spot>,
    speeches: BTreeMap<String, Speech>,
    more: Option<paint::More>,
    offer: Option<Offer>,
    dragged: Option<PanelId>,
    tray: Option<Tray>,
    hidden_screens: BTreeSet<String>,
    /// Since when nothing is heard of the daemon.
    lost: Option<Instant>,
    /// The bubble that says so.
    lost_speech: Option<Speech>,
    /// Whether the flock was heard of at all: what has been there before us is nothing new.
    has_begun: bool,
    beat: Instant,
    next_panel: PanelId,
    is_dirty: bool,
    over: Option<Over>,
}

/// What a stage is made of.
pub struct Parts<D> {
    pub desktop: D,
    pub deeds: Deeds,
    pub post: Post,
    pub places: Places,
    pub theme: &'static Theme,
}

impl<D: Desktop> Stage<D> {
    pub fn new(parts: Parts<D>) -> Self {
        let settings = Settings::default();
        let now = Instant::now();
        Self {
            desktop: parts.desktop,
            deeds: parts.deeds,
            post: parts.post,
            theme: parts.theme,
            places: parts.places,
            fonts: Fonts::new(settings.language().code()),
            settings,
            flock: Flock::default(),
            room: Room::default(),
            actors: BTreeMap::new(),
            apart: BTreeMap::new(),
            speeches: BTreeMap::new(),
            more: None,
            offer: None,
            dragged: None,
            tray: None,
            hidden_screens: BTreeSet::new(),
            lost: None,
            lost_speech: None,
            has_begun: false,
            beat: now,
            next_panel: 1,
            is_dirty: false,
            over: None,
        }
    }

    /// What the tray is to show.
    fn tell_tray(&mut self) {
        let (count, muted, lost) = (
            self.flock.waiting(),
            self.settings.muted.is_some(),
            self.is_lost(),
        );
        if let Some(tray) = &self.tray {
            let waiting = u32::try_from(count).unwrap_or(u32::MAX);
            let sign = Sign {
                waiting,
                muted,
                lost,
            };
            tray.tell(sign, self.settings.language());
        }
    }

    fn new_tray(&self) -> Tray {
        let post = self.post.clone();
        let tell = move |deed| {
            // Who has ended hears nothing any more.
            let _ = post.send(News::Tray(deed));
        };
        Tray::start(self.settings.language(), tell)
    }

    fn obey_tray(&mut self, deed: TrayDeed) {
        match deed {
            TrayDeed::Clicked | TrayDeed::OpenPage => self.open_page(),
            TrayDeed::Mute => self.mute(true),
            TrayDeed::Unmute => self.mute(false),
            TrayDeed::Quit => self.over = Some(Over::Quit),
        }
    }

    /// Shows what happens until it is over.
    pub fn run(mut self, bell: &Bell) -> Result<Over, DesktopError> {
        loop {
            let now = Instant::now();
            self.go_on(now)?;
            if let Some(over) = self.over.take() {
                return Ok(over);
            }
            let at_most = self
                .next(now)
                .map(|next| next.saturating_duration_since(Instant::now()));
            for happened in self.desktop.wait(&[bell.as_fd()], at_most)? {
                self.meet(happened)?;
            }
            for news in bell.take() {
                self.hear(news);
            }
        }
    }

    /// Brings the screen up to date.
    fn go_on(&mut self, now: Instant) -> Result<(), DesktopError> {
        self.end_speeches(now);
        self.miss_daemon(now)?;
        if std::mem::take(&mut self.is_dirty) {
            self.arrange(now)?;
            self.tell_tray();
        }
        if now >= self.beat {
            self.step(now);
            // Late is late: what was missed is not made up for.
            self.beat = now + BEAT;
        }
        self.paint()
    }

    /// When it wants to be called again if nothing happens.
    fn next(&self, now: Instant) -> Option<Instant> {
        let moves = self
            .visible_actors()
            .any(|actor| actor.moves(now) || actor.leaves);
        let speeches = self.speeches.values().filter_map(|speech| speech.until);
        let lost = self
            .lost
            .filter(|_| self.lost_speech.is_none())
            .map(|since| since + MISSED);
        let offer = self.offer.as_ref().map(|offer| offer.until);
        speeches
            .chain(lost)
            .chain(offer)
            .chain(moves.then_some(self.beat))
            .min()
    }

    fn visible_actors(&self) -> impl Iterator<Item = &Actor> {
        let is_seen = |actor: &&Actor| !self.hidden_screens.contains(&actor.spot.screen);
        self.actors.values().filter(is_seen)
    }

    /// Every creature goes on by a frame, and who has gone is removed.
    fn step(&mut self, now: Instant) {
        let hidden = &self.hidden_screens;
        let seen = self
            .actors
            .values_mut()
            .filter(|actor| !hidden.contains(&actor.spot.screen) || actor.leaves);
        seen.for_each(|actor| actor.step(now));
        let gone = self.actors.iter().filter(|(_, actor)| actor.has_left(now));
        let gone: Vec<String> = gone.map(|(id, _)| id.clone()).collect();
        for id in gone {
            self.flock.remove(&id);
            self.apart.remove(&id);
            self.is_dirty = true;
        }
    }

    pub(crate) fn hear(&mut self, news: News) {
        let now = Instant::now();
        self.is_dirty = true;
        match news {
            News::All {
                settings,
                agents,
                permissions,
            } => {
                self.lost = None;
                self.flock.replace(agents, permissions);
                self.set(*settings);
                if !std::mem::replace(&mut self.has_begun, true) {
                    self.keep_quiet(now);
                }
            }
            News::Settings(settings) => self.set(*settings),
            News::Agent(agent) => self.hear_of(*agent, now),
            News::Departed(id) => self.see_off(&id, now),
            News::Asked(permission) => self.flock.asked(permission),
            News::Settled { id, how } => self.settle(&id, &how, now),
            News::Failed { agent, why } => self.fail(agent.as_deref(), why, now),
            News::Lost(why) => {
                eprintln!("bellwether-overlay: {why}");
                self.lost.get_or_insert(now);
            }
            News::Refused(why) => self.over = Some(Over::Refused(why)),
            News::Tray(deed) => self.obey_tray(deed),
        }
    }

    fn hear_of(&mut self, agent: Agent, now: Instant) {
        let id = agent.agent_id.clone();
        let before = self.flock.update(agent);
        let shows = |agent: &Agent| {
            (
                agent.status.clone(),
                agent.pose.clone(),
                agent.current_task.clone(),
                agent.bubble.clone(),
            )
        };
        let is_news = before.as_ref().map(shows) != self.flock.agent(&id).map(shows);
        if let Some(actor) = self.actors.get_mut(&id).filter(|_| is_news) {
            actor.stir(now);
        }
    }

    /// One that has gone waves first, if it is seen.
    fn see_off(&mut self, id: &str, now: Instant) {
        self.speeches
            .get_mut(id)
            .into_iter()
            .for_each(|speech| speech.until = Some(now));
        let liveliness = self.liveliness();
        let room = self.room.clone();
        match self.actors.get_mut(id) {
            Some(actor) => actor.leave(liveliness, &room, now),
            None => drop(self.flock.remove(id)),
        }
    }

    fn set(&mut self, settings: Settings) {
        if settings.language != self.settings.language {
            self.fonts = Fonts::new(settings.language().code());
            // All words are to be said anew.
            self.speeches
                .values_mut()
                .for_each(|speech| speech.is_stale = true);
        }
        self.settings = settings;
        match (self.settings.settings.tray, self.tray.is_some()) {
            (true, false) => self.tray = Some(self.new_tray()),
            (false, true) => self.tray = None,
            _ => {}
        }
    }

    fn liveliness(&self) -> Liveliness {
        if self.desktop.stands_still() || self.settings.settings.motion == Motion::Reduced {
            Liveliness::Stands
        } else {
            Liveliness::Moves
        }
    }

    /// The screen that the flock stands on, if there is any.
    fn home_screen(&self) -> Option<&Screen> {
        let screens = self.desktop.screens();
        let chosen = screens
            .iter()
            .find(|screen| screen.name == self.settings.settings.screen);
        let primary = || screens.iter().find(|screen| screen.is_primary);
        chosen.or_else(primary).or_else(|| screens.first())
    }

    fn screen(&self, name: &str) -> Option<&Screen> {
        self.desktop
            .screens()
            .iter()
            .find(|screen| screen.name == name)
    }

    fn new_panel(&mut self) -> PanelId {
        self.next_panel += 1;
        self.next_panel
    }

    fn look(&mut self, scale: f32) -> Look<'_> {
        Look {
            theme: self.theme,
            scale,
            words: self.settings.words(),
            fonts: &mut self.fonts,
        }
    }

    fn is_lost(&self) -> bool {
        self.lost_speech.is_some()
    }
}

/// Milliseconds since 1970, as the daemon counts.
fn wall_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
