//! Clients that are started by one: what one is told may switch the guard off in it.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const CLAUDE: &str = "settings= setting-sources= bare dangerously-skip-permissions \
    allow-dangerously-skip-permissions permission-mode= p|print add-dir= allowedTools= allowed-tools= model= \
    output-format= input-format= append-system-prompt= system-prompt= mcp-config= agents= r|resume= session-id= \
    c|continue max-turns= fallback-model= plugin-dir= h|help v|version";

pub(super) const PROGRAMS: &[Program] = &[
    program("claude claude-code", CLAUDE, claude).idle("--help; --version"),
    program(
        "codex",
        "+ full-auto dangerously-bypass-approvals-and-sandbox|yolo a|ask-for-approval= s|sandbox= c|config= m|model= \
         C|cd= h|help version",
        another,
    )
    .idle("--help; --version; login|logout|mcp|completion|--help"),
    program(
        "gemini qwen",
        "y|yolo approval-mode= p|prompt= i|prompt-interactive= m|model= s|sandbox h|help v|version",
        another,
    )
    .idle("--help; --version; mcp|extensions"),
    program(
        "cursor-agent opencode aider crush amp droid auggie copilot",
        "y|yes|yes-always|force|allow-all-tools|dangerously-allow-all|skip-permissions-unsafe p|print|prompt= h|help \
         version",
        another,
    )
    .idle("--help; --version"),
    program("goose", "dir|-dir|table|-table= h|help version", goose).idle("--help; --version"),
];

/// What an option, or a variable set for the call, switches off in a client that has our hooks.
const OFF: &[(&str, &str)] = &[
    ("setting-sources", "the settings that hold its hooks"),
    ("bare", "its hooks"),
    ("dangerously-skip-permissions", "its questions"),
    ("allow-dangerously-skip-permissions", "its questions"),
    ("CLAUDE_CONFIG_DIR", "the settings that hold its hooks"),
    ("CLAUDE_CODE_SIMPLE", "its hooks"),
    ("CLAUDE_CODE_DISABLE_HOOKS", "its hooks"),
    ("HOME", "the settings that hold its hooks"),
    ("XDG_CONFIG_HOME", "bellwether's configuration"),
    ("BELLWETHER_HOME", "bellwether's configuration"),
    ("AI_AGENT", "the version that its hooks go by"),
];

/// What our plugin and its marketplace are called.
const OWN: &str = "bellwether";
const OWN_PLUGIN: &str = "bellwether@";

/// Subcommands that start no agent.
const QUIET: [&str; 10] = [
    "mcp",
    "config",
    "doctor",
    "update",
    "install",
    "plugin",
    "plugins",
    "auth",
    "setup-token",
    "agents",
];

fn claude(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let printed = Stream::Unknown(call.shown());
    if removes_plugin(&options.operands) {
        let what = "the plugin of bellwether".to_owned();
        runner.note(Effect::Own { what }, call);
    }
    if options
        .operands
        .first()
        .is_some_and(|verb| QUIET.contains(&verb.lead()))
    {
        return printed;
    }
    let settings = options.values("settings").map(Text::shown);
    if settings
        .into_iter()
        .any(|text| text.contains("disableAllHooks"))
    {
        let what = "a client without hooks".to_owned();
        runner.note(Effect::Own { what }, call);
    }
    let mode = options.value("permission-mode").map(Text::shown);
    let mut off: Vec<&str> = Vec::new();
    for (name, without) in OFF {
        let is_set = options.has(name) || call.variables.iter().any(|(set, _)| set == name);
        if (is_set || exported(runner, name)) && !off.contains(without) {
            off.push(without);
        }
    }
    if runner.clears && off.is_empty() {
        off.push("the variables that lead to its settings");
    }
    if mode.is_some_and(|mode| mode.starts_with("bypass") || mode == "dontAsk") {
        off.push("its questions");
    }
    // Settings that come from a file may say anything of hooks.
    if options
        .values("settings")
        .any(|settings| !settings.lead().starts_with('{'))
    {
        off.push("hooks, if its settings say so");
    }
    if !off.is_empty() {
        let without = off.join(" and ");
        runner.note(Effect::Client { without }, call);
    }
    printed
}

/// Whether a plugin is switched off or removed that is ours, or may be: by a name that is not known, or with all others.
fn removes_plugin(operands: &[Text]) -> bool {
    let [plugin, rest @ ..] = operands else {
        return false;
    };
    let rest = match rest {
        [marketplace, rest @ ..] if marketplace.is("marketplace") => rest,
        rest => rest,
    };
    let Some((verb, names)) = rest.split_first() else {
        return false;
    };
    let removes = ["disable", "uninstall", "remove", "rm"]
        .iter()
        .any(|word| verb.is(word));
    let is_ours = |name: &Text| match name.known() {
        Some(name) => name == OWN || name.starts_with(OWN_PLUGIN),
        None => true,
    };
    (plugin.is("plugin") || plugin.is("plugins"))
        && removes
        && (names.is_empty() || names.iter().any(is_ours))
}

/// Whether a variable was set on the way, and not only for another call.
fn exported(runner: &Runner<'_>, name: &str) -> bool {
    runner.state.variables.contains_key(name)
}

/// Two programs have this name: a client, and one that moves databases between versions.
fn goose(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    const MIGRATES: [&str; 12] = [
        "up",
        "up-by-one",
        "up-to",
        "down",
        "redo",
        "status",
        "version",
        "create",
        "fix",
        "validate",
        "env",
        "postgres",
    ];
    const DROPS: [&str; 2] = ["reset", "down-to"];
    let says = |words: &[&str]| {
        let mut operands = options.operands.iter();
        operands.any(|operand| words.contains(&operand.lead()))
    };
    if says(&DROPS) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    } else if !says(&MIGRATES) && !options.has("dir") {
        return another(runner, call, options);
    }
    Stream::Unknown(call.shown())
}

/// A client that may have no hooks of ours at all.
fn another(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let without = "the guard of this one".to_owned();
    runner.note(Effect::Client { without }, call);
    Stream::Unknown(call.shown())
}
