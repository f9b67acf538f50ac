//! Which effect an announcement has: one of the pack, the configured file, or the effect that stands in for it.

use std::path::Path;

use bellwether_announce::Announcement;
use bellwether_audio::decode::Decoder;
use bellwether_audio::pack::{Category, Pack};
use bellwether_audio::{AudioError, Chosen, Clip, Effect};
use tracing::warn;

pub(super) struct Effects {
    /// What reads files that others have made.
    decoder: Decoder,
    /// The pack that was read last, and the name it was read by.
    pack: Option<(String, Option<Pack>)>,
    /// How many sounds of a pack were heard: packs have several for one kind.
    turn: u64,
}

impl Effects {
    pub(super) fn new() -> Self {
        Self {
            decoder: Decoder::of_program(),
            pack: None,
            turn: 0,
        }
    }

    /// The effect of an announcement. What cannot be read is logged, and something else is heard.
    pub(super) fn of(&mut self, announcement: &Announcement, pack: &str) -> Option<Clip> {
        let sound = announcement.sound.as_ref()?;
        if let Some(clip) = self.in_pack(&announcement.handler, pack) {
            return Some(clip);
        }
        let project = announcement.project.as_deref().map(Path::new);
        let chosen = Chosen::of(&sound.file, project);
        match chosen.clip(&self.decoder) {
            Ok(clip) => clip,
            Err(error) => {
                warn!("{error}");
                chosen.instead().map(Effect::render)
            }
        }
    }

    fn in_pack(&mut self, handler: &str, name: &str) -> Option<Clip> {
        if self.pack.as_ref().is_none_or(|(read, _)| read != name) {
            let pack = Pack::named(name).and_then(good);
            self.pack = Some((name.to_owned(), pack));
        }
        let pack = self.pack.as_ref()?.1.as_ref()?;
        let entry = pack.pick(Category::of_announcement(handler)?, self.turn)?;
        self.turn += 1;
        good(pack.clip(entry, &self.decoder))
    }
}

fn good<T>(outcome: Result<T, AudioError>) -> Option<T> {
    outcome.map_err(|error| warn!("{error}")).ok()
}
