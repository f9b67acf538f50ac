//! The overlay's section. The daemon reads `auto` and gives the rest to the program that draws, which has no YAML.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Agents on your desktop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Overlay {
    /// Start it with the first event of a session on a display. `bellwether overlay` starts it by hand.
    pub auto: bool,
    /// Where on the screen the agents stand.
    pub place: OverlayPlace,
    /// The screen, by the name that the system gives it, such as `HDMI-1`; the main one when empty.
    pub screen: String,
    /// How large an agent is, in pixels of a screen without scaling.
    #[schemars(range(min = 64, max = 128))]
    pub size: u32,
    /// How many agents are shown at once; the others are a number.
    #[schemars(range(min = 1, max = 200))]
    pub most: u32,
    /// How much moves.
    pub motion: OverlayMotion,
    /// How long a bubble is shown, in seconds; one that asks something stays.
    #[schemars(range(min = 1, max = 60))]
    pub bubble_seconds: u32,
    /// How it reaches the screen.
    pub backend: OverlayBackend,
    /// Show an icon in the desktop's tray, with the number of agents that need you.
    pub tray: bool,
}

impl Default for Overlay {
    fn default() -> Self {
        Self {
            auto: false,
            place: OverlayPlace::BottomRight,
            screen: String::new(),
            size: 96,
            most: 12,
            motion: OverlayMotion::Full,
            bubble_seconds: 6,
            backend: OverlayBackend::Auto,
            tray: true,
        }
    }
}

/// Where on the screen the agents stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverlayPlace {
    BottomRight,
    BottomLeft,
    Bottom,
    TopRight,
    TopLeft,
    Top,
    Left,
    Right,
}

/// How much moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverlayMotion {
    /// Agents that do something move.
    Full,
    /// Nothing moves; agents change their pose.
    Reduced,
}

/// How it reaches the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverlayBackend {
    /// Wayland where the compositor has layers (Sway, Hyprland, KDE), else X11.
    Auto,
    X11,
    Wayland,
}
