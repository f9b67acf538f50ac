//! placeholder
use crate::words::Language;
#[derive(Debug)]
pub enum TrayDeed {
    OpenPage,
    Mute,
    Unmute,
    Quit,
}
pub struct Tray;
impl Tray {
    pub fn start(_: Language, _: impl Fn(TrayDeed) + Send + 'static) -> Option<Self> {
        None
    }
    pub fn tell(&self, _: usize, _: bool, _: bool) {}
}
