//! The person's own Piper: its program and its models, with bare samples from stdout.

use std::path::{Path, PathBuf};
use std::process::Command;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Lasting;
use crate::voice::feed::VoiceFeed;
use crate::voice::pace::Pace;
use crate::voice::program::{self, PATIENCE, Trouble};
use crate::voice::stream::SampleKind;
use crate::voice::{Engine, Keys, Known, Lack, Line, Settings, Tongue};
use crate::{AudioError, Format, Source, Stop};

pub(super) const ABOUT: &str = "the Piper that you have installed, with your models";
const NAME: &str = "piper";
const PACE: Pace = Pace {
    own: 165.0,
    slowest: 80.0,
    fastest: 320.0,
};

/// Settings of Piper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The program: a name that is on the search path, or a path.
    pub program: String,
    /// Your models: paths of `.onnx` files with their `.onnx.json` beside them. The first one that
    /// reads a line's language speaks it; a voice's name is that of its file.
    pub models: Vec<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            program: "piper".into(),
            models: Vec::new(),
        }
    }
}

/// A model, as its description says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Model {
    path: PathBuf,
    name: String,
    language: String,
    rate: u32,
}

impl Model {
    fn read(path: &Path) -> Result<Self, String> {
        let described = PathBuf::from(format!("{}.json", path.display()));
        let text = std::fs::read_to_string(&described)
            .map_err(|error| format!("cannot read {}: {error}", described.display()))?;
        let seen: serde_json::Value = serde_json::from_str(&text)
            .map_err(|error| format!("{} is damaged: {error}", described.display()))?;
        let said = [&seen["language"]["code"], &seen["espeak"]["voice"]];
        let language = said.into_iter().find_map(|it| it.as_str()).unwrap_or("en");
        let rate = seen["audio"]["sample_rate"].as_u64().unwrap_or(22_050);
        Ok(Self {
            path: path.to_owned(),
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            language: language.replace('_', "-"),
            rate: u32::try_from(rate).unwrap_or(22_050),
        })
    }
}

struct Piper {
    wanted: String,
    program: Option<PathBuf>,
    models: Vec<Result<Model, String>>,
    latin: Tongue,
}

pub(super) fn build(settings: &Settings, _: &Keys) -> Box<dyn Engine> {
    let config = &settings.piper;
    Box::new(Piper {
        wanted: config.program.clone(),
        // Without a model there is nothing to look for.
        program: (!config.models.is_empty())
            .then(|| program::find(&config.program))
            .flatten(),
        models: config.models.iter().map(|path| Model::read(path)).collect(),
        latin: settings.latin(),
    })
}

impl Piper {
    fn able(&self) -> impl Iterator<Item = &Model> {
        self.models.iter().flatten()
    }

    fn chosen(&self, line: &Line, language: &Tongue) -> Option<&Model> {
        let reads = |it: &&Model| language.is_read_by(&it.language);
        let named = self
            .able()
            .filter(reads)
            .find(|it| it.name.eq_ignore_ascii_case(&line.voice));
        named.or_else(|| self.able().find(reads)).or_else(|| {
            self.able()
                .find(|it| language.is_latin() && Tongue::named(&it.language).is_latin())
        })
    }
}

impl Engine for Piper {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ready(&self) -> Result<(), Lack> {
        if self.models.is_empty() {
            return Err(Lack::of("no model is named", "set `voice.piper.models`"));
        }
        if let (None, Some(Err(reason))) = (self.able().next(), self.models.first()) {
            return Err(Lack::of(reason, "set `voice.piper.models`"));
        }
        if self.program.is_none() {
            let reason = format!("there is no program `{}`", self.wanted);
            return Err(Lack::of(
                reason,
                "install piper, or set `voice.piper.program`",
            ));
        }
        Ok(())
    }

    fn speaks(&self, language: &Tongue) -> bool {
        self.chosen(&Line::new("", 0), language).is_some()
    }

    fn voices(&self) -> Result<Vec<Known>, AudioError> {
        let known = |it: &Model| Known {
            name: it.name.clone(),
            languages: vec![it.language.clone()],
            about: it.path.display().to_string(),
        };
        Ok(self.able().map(known).collect())
    }

    fn fingerprint(&self) -> String {
        format!("{:?} {}", self.models, self.latin)
    }

    fn speak(&self, line: &Line, stop: &Stop) -> Result<Box<dyn Source>, AudioError> {
        let language = Tongue::of(&line.text, &self.latin);
        let (Some(program), Some(model)) = (&self.program, self.chosen(line, &language)) else {
            return Err(AudioError::voice(
                NAME,
                Lasting::UntilMended,
                "it is not installed",
            ));
        };
        let pitch = line.held_pitch();
        let mut command = Command::new(program);
        command
            .arg("--model")
            .arg(&model.path)
            .arg("--length_scale")
            .arg(format!("{:.3}", pitch / PACE.speed(line.rate)))
            .arg("--output_raw");
        // It speaks a line at a time, so the text is one.
        let text = format!("{}\n", line.words(&language));
        let kind = SampleKind::Raw(Format::mono(model.rate));
        VoiceFeed::start(NAME, PATIENCE, stop, move |maker| {
            program::run(command, &text, kind, pitch, maker).map_err(|trouble| match trouble {
                Trouble::Start(error) => {
                    let reason = format!("it does not start: {error}");
                    AudioError::voice(NAME, Lasting::UntilMended, reason)
                }
                Trouble::Broke(reason) => AudioError::voice(NAME, Lasting::While, reason),
            })
        })
    }
}
