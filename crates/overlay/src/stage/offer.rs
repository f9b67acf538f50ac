//! The menu of a creature.

use std::time::{Duration, Instant};

use super::{Over, Stage};
use crate::autostart;
use crate::desktop::{Catch, Desktop, DesktopError, PanelId};
use crate::drawn::{Menu, Row, ShownMenu};
use crate::geometry::{Point, Rect};
use crate::link::{Deed, encoded};
use crate::words::Language;

/// A menu that nobody uses goes.
const LIVES: Duration = Duration::from_secs(20);
/// For how long announcements are muted.
const MUTE: Duration = Duration::from_mins(30);

#[derive(Debug)]
pub(super) struct Offer {
    pub panel: PanelId,
    pub shown: ShownMenu,
    pub until: Instant,
    menu: Menu,
    choices: Vec<Option<Choice>>,
    scale: f32,
    agent: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Session,
    Terminal,
    Page,
    Mute(bool),
    Hide,
    ShowAll,
    Speak(Language),
    AtLogin(bool),
    Quit,
}

impl<D: Desktop> Stage<D> {
    /// Opens the menu of an agent at a point of a screen.
    pub(super) fn open_offer(
        &mut self,
        agent: &str,
        screen: &str,
        at: Point,
    ) -> Result<(), DesktopError> {
        self.close_offer()?;
        let Some(screen) = self.screen(screen).cloned() else {
            return Ok(());
        };
        let (rows, choices) = self.rows().into_iter().unzip();
        let menu = Menu {
            rows,
            hovered: None,
        };
        let shown = menu.draw(&mut self.look(screen.scale));
        let panel = self.new_panel();
        // Where the pointer is, or as near as the screen's edges let it be.
        let card = Rect {
            at,
            size: shown.card.size,
        };
        let card = card.kept_within(screen.work);
        let area = Rect {
            at: card.at.minus(shown.card.at),
            size: shown.picture.size,
        };
        self.desktop.grab(true)?;
        self.desktop.place(panel, &screen.name, area)?;
        let shape = if self.desktop.stands_still() {
            shown.picture.shape()
        } else {
            vec![shown.card]
        };
        self.desktop.catch(
            panel,
            Catch {
                shape: &shape,
                follows: true,
            },
        )?;
        self.desktop.draw(panel, &shown.picture)?;
        self.offer = Some(Offer {
            panel,
            shown,
            until: Instant::now() + LIVES,
            menu,
            choices,
            scale: screen.scale,
            agent: agent.to_owned(),
        });
        Ok(())
    }

    fn rows(&self) -> Vec<(Row, Option<Choice>)> {
        let words = self.settings.words();
        let is_muted = self.settings.muted.is_some();
        let mut rows = vec![
            (Row::entry(words.open_session), Some(Choice::Session)),
            (Row::entry(words.go_to_terminal), Some(Choice::Terminal)),
            (Row::Line, None),
            (Row::entry(words.open_page), Some(Choice::Page)),
            (
                Row::entry(if is_muted { words.unmute } else { words.mute }),
                Some(Choice::Mute(!is_muted)),
            ),
            (Row::entry(words.hide_project), Some(Choice::Hide)),
        ];
        if !self.places.hidden().is_empty() {
            rows.push((Row::entry(words.show_projects), Some(Choice::ShowAll)));
        }
        rows.push((Row::Line, None));
        for language in Language::ALL {
            let row = Row::checked(
                language.words().language,
                language == self.settings.language(),
            );
            rows.push((row, Some(Choice::Speak(language))));
        }
        let at_login = autostart::is_on();
        rows.push((
            Row::checked(words.start_at_login, at_login),
            Some(Choice::AtLogin(!at_login)),
        ));
        rows.push((Row::Line, None));
        rows.push((Row::entry(words.quit), Some(Choice::Quit)));
        rows
    }

    pub(super) fn close_offer(&mut self) -> Result<(), DesktopError> {
        let Some(offer) = self.offer.take() else {
            return Ok(());
        };
        self.desktop.grab(false)?;
        self.desktop.remove(offer.panel)
    }

    /// The pointer is at a point of the menu, or beside it.
    pub(super) fn hover_offer(&mut self, at: Option<Point>) -> Result<(), DesktopError> {
        let Some(mut offer) = self.offer.take() else {
            return Ok(());
        };
        offer.until = Instant::now() + LIVES;
        let hovered = at.and_then(|at| offer.shown.row_at(at));
        if offer.menu.hovered != hovered {
            offer.menu.hovered = hovered;
            offer.shown = offer.menu.draw(&mut self.look(offer.scale));
            self.desktop.draw(offer.panel, &offer.shown.picture)?;
        }
        self.offer = Some(offer);
        Ok(())
    }

    pub(super) fn choose(&mut self, at: Point) -> Result<(), DesktopError> {
        let chosen = self.offer.as_ref().and_then(|offer| {
            let row = offer.shown.row_at(at)?;
            Some((
                offer.choices.get(row).copied().flatten()?,
                offer.agent.clone(),
            ))
        });
        let Some((choice, agent)) = chosen else {
            return Ok(());
        };
        self.close_offer()?;
        self.do_chosen(choice, &agent);
        Ok(())
    }

    fn do_chosen(&mut self, choice: Choice, agent: &str) {
        match choice {
            Choice::Session => self.open_session(agent),
            Choice::Terminal => self.go_to_terminal(agent),
            Choice::Page => self.open_page(),
            Choice::Mute(on) => self.mute(on),
            Choice::Hide => {
                let project = self
                    .flock
                    .agent(agent)
                    .map(|agent| agent.project().to_owned());
                let hidden = project.map_or(Ok(()), |project| self.places.hide(&project));
                self.note(hidden);
            }
            Choice::ShowAll => {
                let shown = self.places.show_all();
                self.note(shown);
            }
            Choice::Speak(language) => self
                .deeds
                .begin(Deed::Language(language.code()), Some(agent)),
            Choice::AtLogin(on) => self.deeds.begin(Deed::AtLogin(on), Some(agent)),
            Choice::Quit => self.over = Some(Over::Quit),
        }
        self.is_dirty = true;
    }

    pub(super) fn open_page(&mut self) {
        let place = "/flock".to_owned();
        self.deeds.begin(Deed::Open { place }, None);
    }

    pub(super) fn open_session(&mut self, agent: &str) {
        let session = self
            .flock
            .agent(agent)
            .and_then(|agent| agent.session_id.clone());
        let place = session.map_or_else(
            || "/flock".to_owned(),
            |session| format!("/sessions/{}", encoded(&session)),
        );
        self.deeds.begin(Deed::Open { place }, Some(agent));
    }

    pub(super) fn go_to_terminal(&mut self, agent: &str) {
        let pid = self.flock.agent(agent).and_then(|agent| agent.client_pid);
        let words = self.settings.words();
        self.deeds.begin(Deed::Raise { pid, words }, Some(agent));
    }

    pub(super) fn mute(&mut self, on: bool) {
        self.deeds.begin(Deed::Mute(on.then_some(MUTE)), None);
    }

    /// A place that cannot be kept is forgotten at the end; that is worth a line.
    pub(super) fn note(&mut self, kept: Result<(), bellwether_spine::SpineError>) {
        if let Err(error) = kept {
            self.fail(None, error.to_string(), Instant::now());
        }
    }
}
