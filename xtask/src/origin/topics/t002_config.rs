//! Seed 002's reading of its configuration, through `bellwether config show`: the values that a file
//! or a variable names. What neither names is a preset's and not the original's option tables.

use bellwether_tests::Programs;
use serde_json::{Value, json};

use super::super::Verdict;

const DEFAULTS: &str = "without a value the preset counts, not the original's option tables";
const UNKNOWN_KEYS: &str = "unknown keys are errors";
const BROKEN: &str = "a broken file means the last good one, and is complained of";

pub(super) fn run(case: &Value) -> Verdict {
    let yaml = case["yaml"].as_str().unwrap_or_default();
    if !case["expected"]["raises"].is_null() {
        return Verdict::Excused(BROKEN);
    }
    if case["case"] == "unknown_keys" {
        return Verdict::Excused(UNKNOWN_KEYS);
    }
    let shown = match shown(yaml, &case["env"]) {
        Ok(shown) => shown,
        Err(error) => {
            return Verdict::Fail {
                expected: "settings".into(),
                got: format!("{error:#}"),
            };
        }
    };
    let (expected, named) = (&case["expected"], |key: &str| yaml.contains(key));
    let env = |name: &str| !case["env"][name].is_null();
    let mut pairs = vec![
        ("ups.enabled", "hooks.user_prompt_submit.enabled", true),
        ("stop.enabled", "hooks.stop.enabled", true),
    ];
    pairs.extend([
        ("debug_dir", "global.debug_dir", true),
        ("debug", "global.debug", named("debug") || env("HOOK_DEBUG")),
        (
            "project_dir",
            "global.project_dir",
            named("project_dir") || env("HOOK_PROJECT_DIR"),
        ),
        ("stop.voice.rate", "hooks.stop.voice.rate", named("rate")),
        (
            "stop.voice.volume",
            "hooks.stop.voice.volume",
            named("voice: {volume"),
        ),
        (
            "stop.sound.volume",
            "hooks.stop.sound.volume",
            named("sound: {volume"),
        ),
    ]);
    for (theirs, ours, _) in pairs.into_iter().filter(|(_, _, compared)| *compared) {
        let path: Vec<&str> = ours.split('.').collect();
        let got = path.iter().fold(&shown, |value, key| &value[*key]);
        if &expected[theirs] != got {
            return Verdict::Fail {
                expected: format!("{ours} {}", expected[theirs]),
                got: got.to_string(),
            };
        }
    }
    summary(
        yaml,
        &expected["stop.summary"],
        &shown["hooks"]["stop"]["summary"],
    )
}

/// The keys of the summary that the file names.
fn summary(yaml: &str, expected: &Value, got: &Value) -> Verdict {
    for key in ["mode", "max_sentences", "max_characters", "start"] {
        if yaml.contains(key) && expected[key] != got[key] {
            return Verdict::Fail {
                expected: format!("{key} {}", expected[key]),
                got: got[key].to_string(),
            };
        }
    }
    if expected == got {
        Verdict::Pass
    } else {
        Verdict::Excused(DEFAULTS)
    }
}

/// What counts with this file as the person's own.
fn shown(yaml: &str, env: &Value) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("config"))?;
    if !yaml.is_empty() {
        std::fs::write(folder.path().join("config/config.yaml"), yaml)?;
    }
    let variables = env.as_object().into_iter().flatten();
    let output = std::process::Command::new(Programs::built()?.main())
        .args([
            "--home",
            &folder.path().display().to_string(),
            "config",
            "show",
            "--json",
        ])
        .env_clear()
        .envs(variables.map(|(name, value)| (name, value.as_str().unwrap_or_default())))
        .current_dir(folder.path())
        .output()?;
    let shown: Value = serde_json::from_slice(&output.stdout)?;
    Ok(json!(shown))
}
