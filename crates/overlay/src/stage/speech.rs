//! Bubbles: what is said goes after some seconds, what is asked stays until it is answered.

use std::time::{Duration, Instant};

use super::Stage;
use super::actor::Spot;
use super::talk::Talk;
use crate::desktop::{Catch, Desktop, DesktopError, PanelId, Screen};
use crate::drawn::{Answering, Bubble, Deed, Shown, Side as Edge, Tail, Tone};
use crate::geometry::{Point, Rect, Size};
use crate::layout::{self, Side};

/// How long an answer is shown.
const ANSWERED: Duration = Duration::from_secs(2);
/// More than these are not said at once; what is asked always is.
const SAID_AT_ONCE: usize = 5;

/// A bubble on the screen.
#[derive(Debug)]
pub(super) struct Speech {
    pub panel: PanelId,
    pub talk: Talk,
    pub shown: Shown,
    spot: Spot,
    side: Option<Side>,
    /// When it goes by itself.
    pub until: Option<Instant>,
    since: Instant,
    /// Whether it is to be drawn anew.
    pub is_stale: bool,
    /// Whether it is drawn: there may be no room for it.
    is_placed: bool,
    /// Whether its answer is shown, so that nothing new takes its place yet.
    is_answered: bool,
}

impl Speech {
    fn new(panel: PanelId, talk: Talk, until: Option<Instant>, since: Instant) -> Self {
        let shown = Shown {
            picture: crate::picture::Picture::default(),
            card: Rect::default(),
            tip: None,
            deeds: Vec::new(),
        };
        let spot = Spot {
            screen: String::new(),
            area: Rect::default(),
        };
        Self {
            panel,
            talk,
            shown,
            spot,
            side: None,
            until,
            since,
            is_stale: true,
            is_placed: false,
            is_answered: false,
        }
    }
}

impl<D: Desktop> Stage<D> {
    /// What was said before anybody looked is not news.
    pub(super) fn keep_quiet(&mut self, now: Instant) {
        let ids: Vec<String> = self
            .flock
            .shown(self.places.hidden(), usize::MAX, super::wall_ms())
            .agents
            .iter()
            .map(|id| (*id).to_owned())
            .collect();
        for id in ids {
            let talk = self
                .flock
                .agent(&id)
                .and_then(|agent| Talk::of(agent, &self.flock, &self.settings));
            if let Some(talk) = talk.filter(|talk| !talk.asks) {
                let panel = self.new_panel();
                self.speeches
                    .insert(id, Speech::new(panel, talk, Some(now), now));
            }
        }
    }

    /// Ends those whose time is over. They are remembered, so that the same is not said again.
    pub(super) fn end_speeches(&mut self, now: Instant) {
        let over = self
            .speeches
            .values_mut()
            .filter(|speech| speech.until.is_some_and(|until| until <= now));
        for speech in over {
            speech.until = None;
            self.is_dirty = true;
            if speech.is_answered {
                // What comes next is another question, or nothing.
                speech.talk.bubble = Bubble::default();
                speech.talk.asks = false;
                speech.is_answered = false;
            }
            speech.is_stale = true;
            speech.since = now;
            if std::mem::take(&mut speech.is_placed) {
                // A window system that has gone is noticed when it is waited for.
                let _ = self.desktop.remove(speech.panel);
            }
        }
    }

    /// Forgets what agents said that are not there any more.
    pub(super) fn end_old_speeches(&mut self) {
        let old: Vec<String> = self
            .speeches
            .keys()
            .filter(|id| self.flock.agent(id).is_none())
            .cloned()
            .collect();
        for id in old {
            let _ = self.silence(&id);
        }
    }

    pub(super) fn silence(&mut self, id: &str) -> Result<(), DesktopError> {
        match self.speeches.remove(id) {
            Some(speech) if speech.is_placed => self.desktop.remove(speech.panel),
            _ => Ok(()),
        }
    }

    /// Has everybody who is shown say what there is to say, and puts the bubbles where there is room.
    pub(super) fn speak(&mut self, now: Instant) -> Result<(), DesktopError> {
        let ids: Vec<String> = self.actors.keys().cloned().collect();
        for id in &ids {
            self.listen_to(id, now)?;
        }
        self.place_speeches()
    }

    /// Compares what an agent has to say with what its bubble says.
    fn listen_to(&mut self, id: &str, now: Instant) -> Result<(), DesktopError> {
        let talk = self
            .flock
            .agent(id)
            .and_then(|agent| Talk::of(agent, &self.flock, &self.settings));
        let talk = talk.filter(|_| !self.is_lost());
        let lives = self.settings.bubble_lives();
        let Some(talk) = talk else {
            // An answer is shown for its moment, all else goes with its reason.
            let stays = self
                .speeches
                .get(id)
                .is_some_and(|speech| speech.is_answered);
            return if stays { Ok(()) } else { self.silence(id) };
        };
        let until = (!talk.asks).then_some(now + lives);
        match self.speeches.get_mut(id) {
            None => {
                let panel = self.new_panel();
                self.speeches
                    .insert(id.to_owned(), Speech::new(panel, talk, until, now));
            }
            Some(speech) if speech.is_answered || speech.says(&talk) => {}
            Some(speech) => {
                if !speech.talk.asks || !talk.asks {
                    speech.since = now;
                }
                speech.talk = talk;
                speech.until = until;
                speech.is_stale = true;
            }
        }
        Ok(())
    }

    /// Asking ones first, then the oldest: where each has its place, and none is over another.
    fn place_speeches(&mut self) -> Result<(), DesktopError> {
        let is_seen = |speech: &Speech| speech.talk.asks || speech.until.is_some();
        let mut ids: Vec<(bool, Instant, String)> = self
            .speeches
            .iter()
            .filter(|(_, speech)| is_seen(speech))
            .map(|(id, speech)| (!speech.talk.asks, speech.since, id.clone()))
            .collect();
        ids.sort();
        let mut taken: Vec<(String, Rect)> = Vec::new();
        for (index, (only_says, _, id)) in ids.into_iter().enumerate() {
            if only_says && index >= SAID_AT_ONCE {
                self.hide_speech(&id)?;
                continue;
            }
            self.place_speech(&id, &mut taken)?;
        }
        Ok(())
    }

    fn hide_speech(&mut self, id: &str) -> Result<(), DesktopError> {
        let placed = self.speeches.get_mut(id).filter(|speech| speech.is_placed);
        placed.map_or(Ok(()), |speech| {
            speech.is_placed = false;
            self.desktop.remove(speech.panel)
        })
    }

    fn place_speech(
        &mut self,
        id: &str,
        taken: &mut Vec<(String, Rect)>,
    ) -> Result<(), DesktopError> {
        let (Some(mut speech), Some(actor)) = (self.speeches.remove(id), self.actors.get(id))
        else {
            return Ok(());
        };
        let (spot, is_dragged) = (actor.spot.clone(), self.dragged == Some(actor.panel));
        let Some(screen) = self.screen(&spot.screen).cloned() else {
            return Ok(());
        };
        let on_screen: Vec<Rect> = taken
            .iter()
            .filter(|(name, _)| *name == screen.name)
            .map(|(_, rect)| *rect)
            .collect();
        let place = self.bubble_side(&spot, &screen, id);
        let card = if is_dragged {
            None
        } else {
            self.set_speech(&mut speech, spot.area, &screen, place, &on_screen)?
        };
        if card.is_none() && std::mem::take(&mut speech.is_placed) {
            self.desktop.remove(speech.panel)?;
        }
        taken.extend(card.map(|card| (screen.name.clone(), card)));
        self.speeches.insert(id.to_owned(), speech);
        Ok(())
    }

    /// Docked creatures have their bubbles towards the middle, others above.
    fn bubble_side(&self, spot: &Spot, screen: &Screen, id: &str) -> Side {
        if self.is_docked(id) {
            self.settings.settings.place.bubbles()
        } else if spot.area.centre().y < screen.work.centre().y / 2 {
            Side::Below
        } else {
            Side::Above
        }
    }

    /// Draws a bubble where there is room for it, and gives the place of its card; none where there is no room.
    fn set_speech(
        &mut self,
        speech: &mut Speech,
        of: Rect,
        screen: &Screen,
        side: Side,
        taken: &[Rect],
    ) -> Result<Option<Rect>, DesktopError> {
        let mut look = self.look(screen.scale);
        if !speech.talk.bubble.lay_out(&mut look).shows_whole_command() {
            // Nobody allows from here what cannot be read here: the page and the terminal show all of it.
            let is_safe = |deed: &Deed| *deed != Deed::Allow;
            speech.talk.bubble.buttons.retain(is_safe);
        }
        let laid = speech.talk.bubble.lay_out(&mut look);
        let (within, whole) = (laid.card(), laid.size());
        let Some((card, side)) =
            layout::bubble(of, grown(within.size, screen), side, screen.work, taken)
        else {
            return Ok(None);
        };
        let card = shrunk(card, screen);
        let area = Rect {
            at: card.at.minus(within.at),
            size: whole,
        };
        let spot = Spot {
            screen: screen.name.clone(),
            area,
        };
        let is_same = speech.is_placed
            && !speech.is_stale
            && speech.spot == spot
            && speech.side == Some(side);
        if !is_same {
            speech.shown = laid.draw(&mut look, Some(tail(side, of, area)));
            drop(laid);
            self.show_speech(speech, spot)?;
            speech.side = Some(side);
        }
        Ok(Some(card))
    }

    fn show_speech(&mut self, speech: &mut Speech, spot: Spot) -> Result<(), DesktopError> {
        self.desktop.place(speech.panel, &spot.screen, spot.area)?;
        let without_compositor = self.desktop.stands_still();
        let shape = if without_compositor {
            speech.shown.picture.shape()
        } else {
            vec![speech.shown.card]
        };
        let catch = Catch {
            shape: &shape,
            follows: !speech.talk.bubble.buttons.is_empty(),
        };
        self.desktop.catch(speech.panel, catch)?;
        self.desktop.draw(speech.panel, &speech.shown.picture)?;
        speech.spot = spot;
        speech.is_placed = true;
        speech.is_stale = false;
        Ok(())
    }

    /// The agent whose bubble this is.
    pub(super) fn speaker(&self, panel: PanelId) -> Option<String> {
        let found = self
            .speeches
            .iter()
            .find(|(_, speech)| speech.panel == panel);
        found.map(|(id, _)| id.clone())
    }

    /// The pointer is on a button, or on none.
    pub(super) fn hover_speech(&mut self, id: &str, at: Option<Point>) {
        if let Some(speech) = self.speeches.get_mut(id) {
            let hovered = at.and_then(|at| speech.shown.deed_at(at));
            if speech.talk.bubble.hovered != hovered {
                speech.talk.bubble.hovered = hovered;
                speech.is_stale = true;
                self.is_dirty = true;
            }
        }
    }

    /// Says that an answer is on its way; none when there is nothing that could be answered, or it has been.
    pub(super) fn begin_answer(&mut self, id: &str, deed: Deed) -> Option<String> {
        let speech = self.speeches.get_mut(id)?;
        let is_open = matches!(
            speech.talk.bubble.answering,
            Answering::Open | Answering::Failed(_)
        );
        let request = speech.talk.request.clone().filter(|_| is_open)?;
        speech.talk.bubble.answering = Answering::Sending(deed);
        speech.is_stale = true;
        self.is_dirty = true;
        Some(request)
    }

    /// A request was answered, here or elsewhere: that is shown for a moment.
    pub(super) fn settle(&mut self, request: &str, how: &str, now: Instant) {
        self.flock.settled(request);
        let its = |speech: &&mut Speech| speech.talk.request.as_deref() == Some(request);
        let Some(speech) = self.speeches.values_mut().find(its) else {
            return;
        };
        let answering = match how {
            "allowed" => Answering::Answered(Deed::Allow),
            "denied" => Answering::Answered(Deed::Deny),
            "terminal" => Answering::AnsweredInTerminal,
            // It waits no longer, and the terminal may still ask: the next look at the agent says so.
            _ => {
                speech.talk.request = None;
                return;
            }
        };
        speech.talk.bubble.answering = answering;
        speech.talk.bubble.buttons.clear();
        speech.talk.bubble.hovered = None;
        speech.talk.request = None;
        speech.is_answered = true;
        speech.is_stale = true;
        speech.until = Some(now + ANSWERED);
    }

    /// A deed could not be done: its bubble says so, or one of its own does.
    pub(super) fn fail(&mut self, agent: Option<&str>, why: String, now: Instant) {
        eprintln!("bellwether-overlay: {why}");
        let lives = self.settings.bubble_lives();
        let asking = agent
            .and_then(|id| self.speeches.get_mut(id))
            .filter(|speech| speech.talk.asks);
        if let Some(speech) = asking {
            if speech.talk.request.is_some() {
                speech.talk.bubble.answering = Answering::Failed(Some(why));
            } else {
                speech.talk.bubble.text = why;
            }
            speech.is_stale = true;
            return;
        }
        let first = || self.actors.keys().next().cloned();
        let Some(id) = agent.map(str::to_owned).or_else(first) else {
            return;
        };
        let talk = Talk {
            bubble: Bubble {
                text: why,
                tone: Tone::Bad,
                ..Bubble::default()
            },
            request: None,
            asks: false,
        };
        let before = self.speeches.remove(&id).filter(|speech| speech.is_placed);
        let panel = match before {
            Some(speech) => {
                let _ = self.desktop.remove(speech.panel);
                self.new_panel()
            }
            None => self.new_panel(),
        };
        let mut speech = Speech::new(panel, talk, Some(now + lives), now);
        // It stays for its time, whatever the agent has to say meanwhile.
        speech.is_answered = true;
        self.speeches.insert(id, speech);
    }

    /// Says that the daemon is gone, once it has been for a while, and takes that back when it is there again.
    pub(super) fn miss_daemon(&mut self, now: Instant) -> Result<(), DesktopError> {
        match (self.lost, self.lost_speech.is_some()) {
            (Some(since), false) if now >= since + super::MISSED => {
                self.lost_speech = self.lost_bubble(now)?;
                self.is_dirty = true;
            }
            (None, true) => {
                if let Some(speech) = self.lost_speech.take() {
                    self.desktop.remove(speech.panel)?;
                }
                self.is_dirty = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn lost_bubble(&mut self, now: Instant) -> Result<Option<Speech>, DesktopError> {
        let Some(screen) = self.home_screen().cloned() else {
            return Ok(None);
        };
        let words = self.settings.words();
        let bubble = Bubble {
            title: words.daemon_lost.to_owned(),
            text: words.daemon_lost_text.to_owned(),
            tone: Tone::Bad,
            ..Bubble::default()
        };
        let talk = Talk {
            bubble,
            request: None,
            asks: true,
        };
        let (place, size) = (self.settings.settings.place, self.size_on(&screen));
        let dock = layout::docked(place, screen.work, size, super::arrange::gap(&screen), 1);
        let of = dock.first().copied().unwrap_or_default();
        let mut speech = Speech::new(self.new_panel(), talk, None, now);
        self.set_speech(&mut speech, of, &screen, place.bubbles(), &[])?;
        Ok(Some(speech))
    }
}

impl Speech {
    /// Whether its bubble says just this; where the pointer is and how far the answer is are its own.
    fn says(&self, talk: &Talk) -> bool {
        let mut other = talk.bubble.clone();
        other.hovered = self.talk.bubble.hovered;
        // A command that is too long has lost its button.
        other.buttons.clone_from(&self.talk.bubble.buttons);
        let is_on_its_way = matches!(
            self.talk.bubble.answering,
            Answering::Sending(_) | Answering::Failed(_)
        );
        if is_on_its_way && self.talk.request == talk.request {
            other.answering = self.talk.bubble.answering.clone();
        }
        other == self.talk.bubble && self.talk.request == talk.request
    }
}

/// Room for the tail between a card and its creature.
const TAIL: f32 = 8.0;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few pixels"
)]
fn tail_length(screen: &Screen) -> u32 {
    (TAIL * screen.scale).round() as u32
}

/// A card with the room for its tail on every side.
fn grown(card: Size, screen: &Screen) -> Size {
    let more = 2 * tail_length(screen);
    Size::new(card.width + more, card.height + more)
}

/// The card within that room: as far from the creature as its tail is long.
fn shrunk(room: Rect, screen: &Screen) -> Rect {
    let by = tail_length(screen);
    let size = Size::new(
        room.size.width.saturating_sub(2 * by),
        room.size.height.saturating_sub(2 * by),
    );
    let by = i32::try_from(by).unwrap_or(0);
    Rect {
        at: room.at.plus(Point::new(by, by)),
        size,
    }
}

/// The tail of a bubble at this side of its creature, in pixels of its picture.
fn tail(side: Side, of: Rect, area: Rect) -> Tail {
    let centre = of.centre().minus(area.at);
    match side {
        Side::Above => Tail {
            side: Edge::Bottom,
            at: centre.x,
        },
        Side::Below => Tail {
            side: Edge::Top,
            at: centre.x,
        },
        Side::LeftOf => Tail {
            side: Edge::Right,
            at: centre.y,
        },
        Side::RightOf => Tail {
            side: Edge::Left,
            at: centre.y,
        },
    }
}
