//! Package managers: they run scripts of the project, and publish for everybody.

use serde_json::Value;

use super::{interpreter, task};
use crate::effect::{Code, Effect};
use crate::foreign::Language;
use crate::options::Options;
use crate::program::{Does, Program, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

/// A row: names, options beside those that all have, what calls do, and the code for the rest.
macro_rules! row {
    ($names:literal, $options:literal, $does:expr, $follow:expr) => {
        program(
            $names,
            concat!(
                "C|prefix|dir|cwd= registry= tag= otp= package= filter= workspace= manifest-path= n|dry-run list no-publish snapshot help ",
                $options
            ),
            $follow,
        )
        .dry("--help")
        .does(&$does)
    };
}

const UNPUBLISHED: Does = Does::Remote("unpublish|deprecate; npm unpublish");

pub(super) const PROGRAMS: &[Program] = &[
    row!(
        "npm",
        "c|call= w|workspace=",
        [
            Does::Publish(
                "publish|pub; dist-tag|dist-tags add|set|rm; access public|restricted|set; owner add|rm; stage publish"
            ),
            UNPUBLISHED
        ],
        npm
    ),
    row!(
        "pnpm",
        "F|filter=",
        [Does::Publish("publish"), UNPUBLISHED],
        scripts
    ),
    row!(
        "yarn",
        "",
        [Does::Publish("publish; npm publish"), UNPUBLISHED],
        scripts
    ),
    row!(
        "bun",
        "F|filter=",
        [Does::Publish("publish"), UNPUBLISHED],
        bun
    )
    .language(Language::JavaScript),
    program("npx pnpx bunx", "+ p|package= c|call= y|yes help", tool)
        .dry("--help")
        .does(&[Does::Runs(&["call"])]),
    row!(
        "cargo",
        "F|features= x|execute",
        [
            Does::Publish(
                "publish; +* publish; release|smart-release --execute; workspaces|ws publish; dist upload"
            ),
            Does::Remote("yank; +* yank")
        ],
        cargo
    ),
    row!(
        "uv poetry hatch pdm conda mamba micromamba pixi",
        "",
        [Does::Publish("publish")],
        after_run
    ),
    row!(
        "flit lerna changeset changesets maturin gleam nimble release-please vsce ovsx jsr elm spago dub wasm-pack",
        "",
        [Does::Publish("publish|upload; release publish; ..publish")],
        unknown
    ),
    row!(
        "twine cabal stack luarocks snapcraft charmcraft rockcraft conan anaconda huggingface-cli",
        "",
        [Does::Publish("upload")],
        unknown
    ),
    row!(
        "gem",
        "",
        [Does::Publish("push"), Does::Remote("yank")],
        unknown
    ),
    program("helm", "n|namespace= kube-context= dry-run? help", unknown)
        .dry("--help")
        .does(&[
            Does::Publish("push"),
            Does::Remote("uninstall|un|delete|del !--dry-run"),
        ]),
    row!("nuget", "", [Does::Publish("push")], unknown),
    row!(
        "hf",
        "",
        [
            Does::Publish("upload|upload-large-folder"),
            Does::Remote("..delete")
        ],
        unknown
    ),
    row!(
        "buildah",
        "",
        [Does::Publish("push; manifest push")],
        unknown
    ),
    row!("raco", "", [Does::Publish("pkg upload")], unknown),
    row!("cpan-upload", "", [Does::Publish("")], unknown),
    row!(
        "ko",
        "local L",
        [Does::Publish(
            "publish|apply|resolve !--local !-L; build !--local !-L"
        )],
        unknown
    ),
    row!(
        "pack",
        "publish",
        [Does::Publish(
            "build --publish; buildpack package --publish"
        )],
        unknown
    ),
    row!("web-ext", "", [Does::Publish("sign")], unknown),
    row!(
        "chrome-webstore-upload chrome-webstore-upload-cli",
        "",
        [Does::Publish("upload|publish")],
        unknown
    ),
    row!(
        "fastlane",
        "",
        [Does::Publish(
            "..deliver|supply|release|pilot|upload_to_*|deploy|beta|publish|testflight"
        )],
        unknown
    ),
    row!("eas eas-cli", "", [Does::Publish("submit|update")], unknown),
    row!("expo", "", [Does::Publish("publish")], unknown),
    row!(
        "kaggle",
        "",
        [Does::Publish("datasets|kernels|models version|push|create")],
        unknown
    ),
    row!(
        "ansible-galaxy",
        "",
        [Does::Publish("collection publish; role import")],
        unknown
    ),
    row!(
        "puppet",
        "",
        [Does::Publish("module push|publish")],
        unknown
    ),
    row!("pdk", "", [Does::Publish("release")], unknown),
    row!(
        "lein",
        "",
        [Does::Publish("deploy; release; push")],
        unknown
    ),
    row!("rebar3", "", [Does::Publish("hex publish")], unknown),
    row!(
        "jreleaser",
        "",
        [Does::Publish("full-release|release|deploy|upload|publish")],
        unknown
    ),
    row!(
        "dune-release",
        "",
        [Does::Publish("!*; publish|opam|undraft")],
        unknown
    ),
    row!("release-it", "", [Does::Publish("")], unknown),
    row!("release-plz", "", [Does::Publish("release")], unknown),
    program(
        "publish-module publish-psresource publish-script",
        "whatif",
        unknown,
    )
    .does(&[Does::Publish("")]),
    row!(
        "crane oras regctl",
        "",
        [Does::Publish("push|append|..push")],
        unknown
    ),
    row!(
        "skopeo",
        "",
        [Does::Publish("copy * docker://*; sync")],
        unknown
    ),
    row!(
        "dotnet",
        "",
        [
            Does::Publish("nuget push"),
            Does::Remote(
                "ef database drop !--dry-run; tool run dotnet-ef database drop !--dry-run"
            )
        ],
        unknown
    ),
    row!("dart flutter", "", [Does::Publish("pub publish")], unknown),
    row!(
        "mvn mvnw",
        "f|file=",
        [Does::Publish("..deploy|*:deploy|release:perform")],
        unknown
    ),
    row!(
        "sbt sbtn",
        "",
        [Does::Publish(
            "..publish|publishSigned|+publish|+publishSigned|sonatypeRelease|sonatypeBundleRelease|*/publish|*/publishSigned"
        )],
        unknown
    ),
    row!("gradle gradlew", "p|project-dir=", [], gradle),
    row!(
        "mix",
        "all",
        [
            Does::Publish("hex.publish"),
            Does::Remote(
                "..ecto.drop*|ecto.reset*|ash.reset*|ash_postgres.drop*; ..ecto.rollback --all"
            )
        ],
        unknown
    ),
    row!("pod", "", [Does::Publish("trunk push")], unknown),
    row!("semantic-release np", "", [Does::Publish("")], unknown),
    row!(
        "goreleaser",
        "f|config=",
        [Does::Publish("release")],
        unknown
    ),
    program("composer", "", unknown),
];

/// `npm run NAME`: the script stands in package.json. Only some need no `run`.
fn npm(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    const OWN: [&str; 16] = [
        "run",
        "run-script",
        "rum",
        "urn",
        "exec",
        "x",
        "test",
        "start",
        "stop",
        "restart",
        "build",
        "clean",
        "lint",
        "dev",
        "t",
        "tst",
    ];
    installed(runner, call, options);
    let first = options.operands.first().and_then(Text::known);
    // npm takes a word behind an option for its value.
    let mut pairs = call.words.windows(2);
    let undone = pairs.any(|pair| pair[0].is("--dry-run") && pair[1].is("false"));
    if undone && first == Some("publish") {
        runner.note(Effect::Publish { what: call.shown() }, call);
    }
    if first.is_some_and(|first| OWN.contains(&first)) {
        return scripts(runner, call, options);
    }
    Stream::Unknown(call.shown())
}

/// `bun tools/x.js`, `bun -e SOURCE`; else bun runs scripts.
fn bun(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let is_source = |word: &Text| matches!(word.lead(), "-e" | "--eval" | "-p" | "--print");
    let is_file = |word: &Text| word.shown().contains('.');
    if call.words.iter().any(is_source) || options.operands.first().is_some_and(is_file) {
        return interpreter::javascript(runner, call);
    }
    scripts(runner, call, options)
}

/// `npm install`: what package.json says for before and after it runs too. A package that is named brings its own,
/// which nobody can read yet.
fn installed(runner: &mut Runner<'_>, call: &Call, options: &Options) {
    const VERBS: [&str; 6] = ["install", "i", "ci", "add", "clean-install", "rebuild"];
    const STAGES: [&str; 3] = ["install", "prepublish", "prepare"];
    let skips = call.words.iter().any(|word| word.is("--ignore-scripts"));
    let verb = options.operands.first().and_then(Text::known);
    let alone = options.operands.len() == 1 && verb.is_some_and(|verb| VERBS.contains(&verb));
    let yarn = options.operands.is_empty() && call.name == "yarn";
    if skips || !(alone || yarn) {
        return;
    }
    runner.apart(|runner| {
        if let Some(folder) = options.value("prefix") {
            runner.state.folders = runner.path(folder).into_iter().collect();
        }
        for stage in STAGES {
            run_script(runner, call, stage);
        }
    });
}

/// Programs of packages that yarn, pnpm and bun start without being told that it is one.
const TOOLS: [&str; 16] = [
    "prisma",
    "typeorm",
    "sequelize",
    "sequelize-cli",
    "knex",
    "mikro-orm",
    "rimraf",
    "lerna",
    "changeset",
    "semantic-release",
    "release-it",
    "nx",
    "supabase",
    "wrangler",
    "vercel",
    "firebase",
];

fn scripts(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if call.name != "npm" {
        installed(runner, call, options);
    }
    let first = options.operands.first().map(Text::shown);
    let name = match first.as_deref() {
        None => None,
        Some("exec" | "dlx" | "x") => {
            executed(runner, call, options);
            None
        }
        Some("run" | "run-script" | "rum" | "urn") => options.operands.get(1).map(Text::shown),
        Some("t" | "tst") => Some("test".to_owned()),
        Some(name) => Some(name.to_owned()),
    };
    if call.name != "npm"
        && let Some(first) = first.filter(|first| TOOLS.contains(&first.as_str()))
        && let Some(at) = call.words.iter().position(|word| word.is(&first))
    {
        runner.run_words(&call.words[at..], call);
    }
    if let Some(name) = name {
        let folder = options.value("prefix");
        runner.apart(|runner| {
            if let Some(folder) = folder {
                runner.state.folders = runner.path(folder).into_iter().collect();
            }
            run_script(runner, call, &name);
        });
    }
    Stream::Unknown(call.shown())
}

/// `npm exec -- rimraf dist`, `npm exec -c 'rimraf dist'`.
fn executed(runner: &mut Runner<'_>, call: &Call, options: &Options) {
    let words = options.operands.get(1..).unwrap_or_default();
    let line = match words {
        [only] if only.shown().contains(' ') => Some(only),
        _ => None,
    };
    if let Some(source) = options.value("call").or(line) {
        runner.apart(|runner| runner.source_text(source, &Stream::Nothing));
    } else {
        runner.run_words(words, call);
    }
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
        if text.contains(&format!("\"{name}\"")) {
            let code = Code::Unreadable("package.json is no JSON".to_owned());
            runner.note(Effect::Run(code), call);
        }
        return shown;
    };
    let file = folder.join("package.json");
    runner.apart(|runner| {
        runner.state.folders = vec![folder];
        for stage in [format!("pre{name}"), name.to_owned(), format!("post{name}")] {
            if let Some(source) = package["scripts"][&stage].as_str() {
                let by = format!("{} run {stage}", call.name);
                let code = runner.code_file(&file, Some(source));
                runner.in_file(code, |runner| {
                    runner.through(&by, |runner| runner.source(source, &Stream::Nothing));
                });
            }
        }
    });
    shown
}

/// `npx rimraf dist`: the tool is a program like any other.
fn tool(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let mut words = options.operands.clone();
    let from = words.first().map(Text::shown).unwrap_or_default();
    if from.starts_with("http://") || from.starts_with("https://") {
        runner.note(Effect::Run(Code::Downloaded(from.clone())), call);
    }
    // `rimraf@5` is rimraf, and `@openai/codex@1` is codex.
    if let Some(first) = words.first_mut()
        && let Some(name) = first.known()
    {
        let name = name.strip_prefix('@').unwrap_or(name);
        let name = name.rsplit('/').next().unwrap_or(name);
        let name = name.split('@').next().unwrap_or(name);
        // A program that has another name than its package.
        *first = Text::plain(match (from.as_str(), name) {
            (_, "gemini-cli") => "gemini",
            (package, "cli") if package.starts_with("@changesets/") => "changeset",
            (package, "cli") if package.starts_with("@expo/") => "expo",
            (_, name) => name,
        });
    }
    runner.run_words(&words, call);
    Stream::Unknown(call.shown())
}

/// `gradle publish`; what is published to this machine stays on it.
fn gradle(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let publishes = |task: &Text| {
        let task = task.shown().to_ascii_lowercase();
        let name = task.rsplit(':').next().unwrap_or_default();
        let releases = matches!(
            name,
            "uploadarchives" | "jib" | "jibbuild" | "release" | "jreleaserfullrelease"
        );
        releases
            || (name.starts_with("publish") && !name.ends_with("local"))
            || name.starts_with("closeandrelease")
    };
    if options.operands.iter().any(publishes) && !options.has("dry-run") {
        runner.note(Effect::Publish { what: call.shown() }, call);
    }
    Stream::Unknown(call.shown())
}

/// `cargo watch -s COMMAND`.
fn cargo(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options
        .operands
        .first()
        .is_some_and(|verb| verb.is("watch"))
    {
        task::run(runner, call);
    }
    Stream::Unknown(call.shown())
}

/// `uv run COMMAND`.
fn after_run(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let is_run = |word: &Text| word.is("run");
    if options.operands.first().is_some_and(is_run)
        && let Some(at) = call.words.iter().position(is_run)
    {
        let inner = Options::read(
            &call.words[at + 1..],
            "+ p|n|C|w|e|with|python|project|directory|name|prefix|environment|manifest-path|env=",
        );
        runner.run_words(&inner.operands, call);
    }
    Stream::Unknown(call.shown())
}
