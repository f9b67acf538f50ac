//! The icon in the tray (StatusNotifierItem): how many agents need the person, and a short menu.
//!
//! Invariants: nothing here keeps the caller waiting, a bus that hangs included: a thread of its own speaks to it, and
//! sleeps while nothing is told or asked. Without a session bus there is no icon and nothing is said; a tray that
//! comes later shows it then.

use std::sync::mpsc::{Receiver, Sender, channel};

use ksni::blocking::{Handle, TrayMethods as _};
use ksni::menu::StandardItem;
use ksni::{Icon, MenuItem, OfflineReason, Status, ToolTip};

use crate::drawn::Sign;
use crate::picture::Picture;
use crate::text::Fonts;
use crate::words::{Language, Words};

/// What trays of plain and of dense screens show.
const SIZES: [u8; 3] = [22, 24, 48];

/// What a person wants of the tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrayDeed {
    /// The icon was clicked.
    Clicked,
    OpenPage,
    Mute,
    Unmute,
    Quit,
}

/// The icon; it goes when this is dropped.
#[derive(Debug)]
pub struct Tray {
    told: Sender<(Sign, Language)>,
}

impl Tray {
    /// Shows an icon as soon as there is a tray. What a person does with it is told from another thread.
    pub fn start(language: Language, deeds: impl Fn(TrayDeed) + Send + 'static) -> Self {
        let (told, hears) = channel();
        let item = Item::new(language, Box::new(deeds));
        let spoken = std::thread::Builder::new()
            .name("tray".to_owned())
            .spawn(move || attend(item, &hears));
        // Without a thread there is no icon, as without a bus.
        drop(spoken);
        Self { told }
    }

    /// Says how things are. The same again costs nothing on the bus.
    pub fn tell(&self, sign: Sign, language: Language) {
        // Nobody listens where there is no bus.
        let _ = self.told.send((sign, language));
    }
}

/// Shows the item and keeps it right until the other end goes.
fn attend(item: Item, hears: &Receiver<(Sign, Language)>) {
    let mut shown = (item.sign, item.language);
    let Ok(handle): Result<Handle<Item>, _> = item.assume_sni_available(true).spawn() else {
        return;
    };
    while let Ok(first) = hears.recv() {
        let latest = hears.try_iter().last().unwrap_or(first);
        if latest != shown {
            shown = latest;
            handle.update(|item| item.show(latest));
        }
    }
    handle.shutdown().wait();
}

struct Item {
    sign: Sign,
    language: Language,
    icons: Vec<Icon>,
    deeds: Box<dyn Fn(TrayDeed) + Send>,
}

impl Item {
    fn new(language: Language, deeds: Box<dyn Fn(TrayDeed) + Send>) -> Self {
        let sign = Sign::default();
        Self {
            sign,
            language,
            icons: icons(sign, language),
            deeds,
        }
    }

    fn show(&mut self, (sign, language): (Sign, Language)) {
        self.icons = icons(sign, language);
        (self.sign, self.language) = (sign, language);
    }

    const fn words(&self) -> &'static Words {
        self.language.words()
    }

    fn said(&self) -> String {
        let words = self.words();
        if self.sign.lost {
            words.daemon_lost.to_owned()
        } else {
            words.need_you(self.sign.waiting)
        }
    }

    fn entry(label: &str, deed: TrayDeed) -> MenuItem<Self> {
        StandardItem {
            label: label.to_owned(),
            activate: Box::new(move |item: &mut Self| (item.deeds)(deed)),
            ..StandardItem::default()
        }
        .into()
    }
}

impl ksni::Tray for Item {
    fn id(&self) -> String {
        "bellwether".to_owned()
    }

    fn title(&self) -> String {
        self.said()
    }

    fn status(&self) -> Status {
        if self.sign.waiting > 0 && !self.sign.lost {
            Status::NeedsAttention
        } else {
            Status::Active
        }
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        self.icons.clone()
    }

    /// Some trays show nothing at all where this is empty.
    fn attention_icon_pixmap(&self) -> Vec<Icon> {
        self.icons.clone()
    }

    fn tool_tip(&self) -> ToolTip {
        let muted = if self.sign.muted {
            self.words().muted
        } else {
            ""
        };
        ToolTip {
            title: self.said(),
            description: muted.to_owned(),
            ..ToolTip::default()
        }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        (self.deeds)(TrayDeed::Clicked);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let words = self.words();
        let mute = if self.sign.muted {
            Self::entry(words.unmute, TrayDeed::Unmute)
        } else {
            Self::entry(words.mute, TrayDeed::Mute)
        };
        vec![
            Self::entry(words.open_page, TrayDeed::OpenPage),
            mute,
            MenuItem::Separator,
            Self::entry(words.quit, TrayDeed::Quit),
        ]
    }

    /// A tray may come, or come back.
    fn watcher_offline(&self, _: OfflineReason) -> bool {
        true
    }
}

fn icons(sign: Sign, language: Language) -> Vec<Icon> {
    // Drawn seldom: what is known of fonts is not worth its memory in between.
    let mut fonts = Fonts::new(language.code());
    let drawn = SIZES.map(|size| icon(&sign.draw(size, &mut fonts)));
    drawn.into()
}

/// The picture as trays take it: alpha, red, green and blue, not premultiplied.
fn icon(picture: &Picture) -> Icon {
    let side = |length: u32| i32::try_from(length).unwrap_or(0);
    let pixels = picture.pixels.chunks_exact(4);
    Icon {
        width: side(picture.size.width),
        height: side(picture.size.height),
        data: pixels.flat_map(straight).collect(),
    }
}

fn straight(pixel: &[u8]) -> [u8; 4] {
    let &[blue, green, red, alpha] = pixel else {
        return [0; 4];
    };
    let divided = |channel: u8| {
        let full = u16::from(channel) * 255 / u16::from(alpha.max(1));
        u8::try_from(full).unwrap_or(255)
    };
    [alpha, divided(red), divided(green), divided(blue)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_turned_round_and_no_longer_premultiplied() {
        assert_eq!(straight(&[10, 20, 64, 128]), [128, 127, 39, 19]);
        assert_eq!(straight(&[1, 2, 3, 255]), [255, 3, 2, 1]);
        assert_eq!(straight(&[0, 0, 0, 0]), [0, 0, 0, 0]);
    }

    #[test]
    fn the_icon_changes_with_what_it_says() {
        let sign = Sign::default();
        let plain = icons(sign, Language::English);
        let sizes: Vec<_> = plain.iter().map(|icon| (icon.width, icon.height)).collect();
        assert_eq!(sizes, [(22, 22), (24, 24), (48, 48)]);
        let others = [
            Sign { waiting: 3, ..sign },
            Sign {
                muted: true,
                ..sign
            },
            Sign { lost: true, ..sign },
        ];
        for other in others {
            assert_ne!(
                icons(other, Language::English)[0].data,
                plain[0].data,
                "{other:?}"
            );
        }
    }
}
