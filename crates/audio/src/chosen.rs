//! Which sound a configured file stands for.

use std::path::{Path, PathBuf};

use bellwether_spine::meta;

use crate::decode::{self, Decoder};
use crate::{AudioError, Clip, Effect};

/// What a configured file stands for.
#[derive(Debug)]
pub enum Chosen {
    /// Nothing is configured.
    Nothing,
    File(PathBuf),
    /// The effect of the same name, because the file is not there.
    Effect(&'static Effect),
    /// A file that is not there and has no namesake.
    Missing(PathBuf),
}

impl Chosen {
    /// What a file of the configuration means in a project.
    pub fn of(file: &str, project: Option<&Path>) -> Self {
        if file.is_empty() {
            return Self::Nothing;
        }
        let path = absolute(file, project);
        if path.as_ref().is_some_and(|path| path.exists()) {
            return Self::File(path.unwrap_or_default());
        }
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
        match stem.and_then(Effect::named) {
            Some(effect) => Self::Effect(effect),
            None => Self::Missing(path.unwrap_or_else(|| PathBuf::from(file))),
        }
    }

    /// Its samples; none where there is nothing to play. A file that cannot be read is an error, and
    /// the namesake is played by whoever asks for it with [`Chosen::instead`].
    pub fn clip(&self, decoder: &Decoder) -> Result<Option<Clip>, AudioError> {
        match self {
            Self::Nothing => Ok(None),
            Self::File(path) => decode::load(path, decoder).map(|clip| Some(clip.levelled())),
            Self::Effect(effect) => Ok(Some(effect.render())),
            Self::Missing(path) => Err(AudioError::File {
                path: path.clone(),
                reason: "it is not there, and no effect has its name".to_owned(),
            }),
        }
    }

    /// The effect that stands in for a file which cannot be read.
    pub fn instead(&self) -> Option<&'static Effect> {
        match self {
            Self::File(path) => Effect::named(path.file_stem()?.to_str()?),
            _ => None,
        }
    }
}

/// Where a file of the configuration is: under the project's folder, or under the person's with `~`.
fn absolute(file: &str, project: Option<&Path>) -> Option<PathBuf> {
    if let Some(rest) = file.strip_prefix("~/") {
        return Some(PathBuf::from(meta::variable("HOME")?).join(rest));
    }
    let path = Path::new(file);
    if path.is_absolute() {
        return Some(path.to_owned());
    }
    Some(project?.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wav;

    fn told(chosen: &Chosen) -> String {
        match chosen {
            Chosen::Nothing => "nothing".to_owned(),
            Chosen::File(path) => format!("file {}", path.display()),
            Chosen::Effect(effect) => format!("effect {}", effect.name),
            Chosen::Missing(path) => format!("missing {}", path.display()),
        }
    }

    #[test]
    fn a_file_counts_where_it_is_and_its_namesake_where_it_is_not() {
        let project = tempfile::tempdir().unwrap();
        let here = project.path();
        let effect = Effect::named("blink").unwrap().render();
        std::fs::write(here.join("bell_call.wav"), wav::encode(&effect)).unwrap();
        let of = |file: &str| told(&Chosen::of(file, Some(here)));
        assert_eq!(of(""), "nothing");
        assert_eq!(
            of("bell_call.wav"),
            format!("file {}", here.join("bell_call.wav").display())
        );
        assert_eq!(of(".claude/sounds/ui_open_1.mp3"), "effect ui_open_1");
        assert_eq!(of("/nowhere/harp_finish.ogg"), "effect harp_finish");
        assert_eq!(of("coin_dual"), "effect coin_dual");
        assert_eq!(
            of("mine.mp3"),
            format!("missing {}", here.join("mine.mp3").display())
        );
        assert_eq!(told(&Chosen::of("bell_call.wav", None)), "effect bell_call");
        let played = Chosen::of("bell_call.wav", Some(here))
            .clip(&Decoder::Here)
            .unwrap();
        assert_eq!(played, Some(effect));
    }

    #[test]
    fn a_broken_file_is_said_and_has_a_stand_in() {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join("blink.mp3"), "no sound").unwrap();
        let chosen = Chosen::of("blink.mp3", Some(project.path()));
        assert!(chosen.clip(&Decoder::Here).is_err());
        assert_eq!(chosen.instead().map(|effect| effect.name), Some("blink"));
    }
}
