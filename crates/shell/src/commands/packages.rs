//! Package managers: they run scripts of the project, and publish for everybody.

use serde_json::Value;

use crate::effect::{Code, Effect};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "npx",
    "pnpx",
    "bunx",
    "cargo",
    "twine",
    "gem",
    "poetry",
    "uv",
    "flit",
    "hatch",
    "mvn",
    "mvnw",
    "gradlew",
    "gradle",
    "dotnet",
    "nuget",
    "helm",
    "docker",
    "podman",
    "vsce",
    "ovsx",
    "lerna",
    "changeset",
    "semantic-release",
    "np",
    "goreleaser",
    "jsr",
    "composer",
    "pod",
    "dart",
    "flutter",
    "mix",
    "luarocks",
    "cabal",
    "stack",
    "conda",
    "snapcraft",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: if matches!(call.name.as_str(), "npx" | "npm" | "docker" | "podman") {
            "cpCvewu"
        } else {
            "CwF"
        },
        words: &[
            "--prefix",
            "--filter",
            "--dir",
            "--cwd",
            "--workspace",
            "--registry",
            "--tag",
            "--otp",
            "--package",
            "--manifest-path",
        ],
        stops: false,
    });
    if arguments.has(&["--help"]) {
        return Stream::Unknown(call.shown());
    }
    if call.name == "bun"
        && call
            .words
            .iter()
            .any(|word| matches!(word.lead(), "-e" | "--eval" | "-p" | "--print"))
    {
        return super::interpreter::run(runner, call);
    }
    let operands: Vec<String> = arguments
        .operands
        .iter()
        .map(Text::shown)
        // `cargo +stable publish`.
        .filter(|word| !word.starts_with('+'))
        .collect();
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    let pushes = arguments.has(&["--push"]) && matches!(call.name.as_str(), "docker" | "podman");
    if (pushes || publishes(&call.name, &words))
        && !arguments.has(&["--dry-run", "n", "--list", "--no-publish", "--snapshot"])
    {
        runner.note(Effect::Publish { what: call.shown() }, call);
        return Stream::Unknown(call.shown());
    }
    let has_volumes = call
        .words
        .iter()
        .any(|word| matches!(word.lead(), "-v" | "--volumes"));
    if destroys(&call.name, &words, has_volumes) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    match call.name.as_str() {
        "cargo" if words.first() == Some(&"watch") => {
            super::task::run(runner, call);
        }
        "npm" | "pnpm" | "yarn" | "bun" => scripts(runner, call, &arguments),
        "npx" | "pnpx" | "bunx" => tool(runner, call),
        "docker" | "podman" => super::remote::container(runner, call),
        "uv" | "poetry" | "hatch" | "conda" if words.first() == Some(&"run") => {
            after_run(runner, call);
        }
        _ => {}
    }
    Stream::Unknown(call.shown())
}

fn publishes(name: &str, words: &[&str]) -> bool {
    match name {
        "npm" | "pnpm" | "bun" | "cargo" | "poetry" | "uv" | "flit" | "hatch" | "lerna"
        | "changeset" | "vsce" | "ovsx" | "jsr" => {
            words.first() == Some(&"publish") || (name == "npm" && words.first() == Some(&"pub"))
        }
        "dart" | "flutter" => words.starts_with(&["pub", "publish"]),
        "yarn" => words.first() == Some(&"publish") || words.starts_with(&["npm", "publish"]),
        "twine" | "cabal" | "stack" | "luarocks" | "snapcraft" => words.first() == Some(&"upload"),
        "gem" | "helm" | "nuget" => words.first() == Some(&"push"),
        "mvn" | "mvnw" => words.iter().any(|word| {
            *word == "deploy" || word.ends_with(":deploy") || *word == "release:perform"
        }),
        "gradle" | "gradlew" => words.iter().any(|word| word.starts_with("publish")),
        "dotnet" => words.starts_with(&["nuget", "push"]),
        "docker" | "podman" => {
            words.first() == Some(&"push") || words.starts_with(&["image", "push"])
        }
        "mix" => words.first() == Some(&"hex.publish"),
        "pod" => words.starts_with(&["trunk", "push"]),
        "semantic-release" | "np" => true,
        "goreleaser" => words.first() == Some(&"release"),
        _ => false,
    }
}

/// Whether something published or kept elsewhere goes.
fn destroys(name: &str, words: &[&str], has_volumes: bool) -> bool {
    match name {
        "npm" | "pnpm" | "yarn" => matches!(
            words,
            ["unpublish" | "deprecate", ..] | ["npm", "unpublish", ..]
        ),
        "cargo" | "gem" => words.first() == Some(&"yank"),
        "helm" => matches!(words.first(), Some(&("uninstall" | "delete"))),
        "docker" | "podman" if words.starts_with(&["compose", "down"]) => has_volumes,
        "docker" | "podman" => {
            matches!(
                words,
                ["system" | "volume", "prune", ..] | ["volume", "rm", ..]
            )
        }
        _ => false,
    }
}

/// `npm run NAME`: the script stands in package.json.
fn scripts(runner: &mut Runner<'_>, call: &Call, arguments: &crate::run::Arguments) {
    let mut operands = arguments.operands.clone();
    let first = operands.first().map(Text::shown).unwrap_or_default();
    let own = [
        "test", "start", "stop", "restart", "build", "clean", "lint", "dev", "t", "tst",
    ];
    let name = match first.as_str() {
        "run" | "run-script" | "rum" | "urn" => operands.get(1).map(Text::shown),
        "exec" | "dlx" | "x" => {
            let source = arguments.value(&["c", "--call"]).cloned();
            operands.remove(0);
            let line = operands.first().cloned().unwrap_or_default();
            if let Some(source) = source
                .or_else(|| (operands.len() == 1 && line.shown().contains(' ')).then_some(line))
            {
                runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
                return;
            }
            runner.run_words(&operands, call);
            return;
        }
        "" => return,
        // `bun tools/x.js`.
        file if call.name == "bun" && file.contains('.') => {
            super::interpreter::run(runner, call);
            return;
        }
        "t" | "tst" => Some("test".to_owned()),
        name if own.contains(&name) || matches!(call.name.as_str(), "yarn" | "pnpm" | "bun") => {
            Some(name.to_owned())
        }
        _ => None,
    };
    let Some(name) = name else { return };
    let folder = arguments
        .value(&["C", "--prefix", "--dir", "--cwd"])
        .cloned();
    runner.apart(|runner| {
        if let Some(folder) = folder {
            runner.state.folders = runner.path(&folder).into_iter().collect();
        }
        run_script(runner, call, &name);
    });
}

/// Runs a script of the nearest package.json, with what stands before and behind it.
pub(super) fn run_script(runner: &mut Runner<'_>, call: &Call, name: &str) -> Stream {
    let shown = Stream::Unknown(call.shown());
    let Some(here) = runner.folder() else {
        return shown;
    };
    let found = here.ancestors().find_map(|folder| {
        let text = runner.content(&folder.join("package.json")).ok()?.text();
        Some((folder.to_owned(), text.known()?.to_owned()))
    });
    let Some((folder, text)) = found else {
        return shown;
    };
    // npm refuses what is no JSON; bun does not, and there it may run anything.
    let Ok(package) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else {
        let code = Code::Unreadable("package.json is no JSON".to_owned());
        runner.note(Effect::Run(code), call);
        return shown;
    };
    runner.apart(|runner| {
        runner.state.folders = vec![folder];
        for stage in [format!("pre{name}"), name.to_owned(), format!("post{name}")] {
            if let Some(source) = package["scripts"][&stage].as_str() {
                let by = format!("{} run {stage}", call.name);
                runner.through(&by, |runner| runner.source(source, &Stream::Nothing));
            }
        }
    });
    shown
}

/// `npx rimraf dist`: the tool is a program like any other.
fn tool(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "pc",
        words: &["--package", "--call"],
        stops: true,
    });
    if let Some(source) = arguments.value(&["c", "--call"]) {
        let source = source.clone();
        runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
    }
    let words: Vec<Text> = arguments
        .operands
        .iter()
        .enumerate()
        .map(|(at, word)| match word.known() {
            // `rimraf@5` is rimraf.
            Some(tool) if at == 0 && !tool.starts_with('@') => {
                Text::plain(tool.split('@').next().unwrap_or(tool))
            }
            _ => word.clone(),
        })
        .collect();
    runner.run_words(&words, call);
}

fn after_run(runner: &mut Runner<'_>, call: &Call) {
    let at = call.words.iter().position(|word| word.is("run"));
    if let Some(at) = at {
        let rest = Call {
            words: call.words[at + 1..].to_vec(),
            ..call.clone()
        };
        let operands = rest
            .arguments(&Spec {
                letters: "pnCw",
                words: &["--with", "--python", "--project", "--directory", "--name"],
                stops: true,
            })
            .operands;
        runner.run_words(&operands, call);
    }
}
