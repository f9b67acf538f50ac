//! What is heard: effects, voices, and the players that bring them to the speakers.
//!
//! Architecture Invariant: this crate knows nothing of events, the store or the daemon. Whoever uses it
//! has a line to say or an effect to play and a seat at which it is to be heard.

pub mod character;
mod chosen;
pub mod decode;
mod effect;
mod error;
mod http;
mod levelled;
mod loudness;
pub mod pack;
mod pcm;
pub mod player;
mod seat;
mod secret;
mod settings;
mod source;
mod speakers;
mod stop;
mod synth;
mod utter;
pub mod voice;
pub mod wav;

pub use chosen::Chosen;
pub use effect::Effect;
pub use error::{AudioError, Lasting};
pub use pcm::{Clip, Format};
pub use seat::Seat;
pub use secret::Secret;
pub use settings::{Choice, Settings};
pub use source::Source;
pub use speakers::{At, Speakers};
pub use stop::Stop;
pub use utter::{Mouth, Utterance, Uttered};
