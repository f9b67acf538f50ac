//! `bellwether config`: what is set, where it was set, what is wrong with it, and whom to trust.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_spine::config::{Node, Trust, Value, sources};
use bellwether_spine::{Home, Managed, meta};
use clap::{Args, Subcommand};

use crate::config::{self, Ignored, Keys, Loaded, Why, settable};
use crate::{agreed, managed, person};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The project whose configuration counts [default: the current folder]
    #[arg(long, global = true, value_name = "DIR")]
    project: Option<PathBuf>,
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Show what counts, with where each value was set.
    Show {
        /// Print JSON, without the places.
        #[arg(long)]
        json: bool,
    },
    /// Show which files are read, and whether they are there.
    Path,
    /// Say what is wrong, with file, line and column. Exits 1 if something is.
    Check,
    /// Change a setting in your own file, which keeps its comments and its order.
    Set {
        /// The setting, with dots, for instance `audio.volume`. Without one, those that can be changed are listed.
        key: Option<String>,
        /// Its new value; a list with commas between its parts.
        #[arg(requires = "key")]
        value: Option<String>,
    },
    /// Trust the project's file as it is now, so that all of it counts.
    Trust {
        /// Trust it no longer.
        #[arg(long)]
        revoke: bool,
    },
    /// Confirm what your own file says about the guard now. Until then what loosens the guard does not count.
    Confirm,
    /// Make the snapshot that the hook reads. It is made by itself when a file has changed.
    Compile {
        /// Make that of the policy of this machine, /etc/bellwether/policy.yaml: needs sudo.
        #[arg(long)]
        managed: bool,
    },
    /// Keep keys for services in a file that only you can read.
    #[command(subcommand)]
    Key(Key),
    /// Print the JSON schema of the file, for editors.
    Schema,
}

#[derive(Subcommand)]
enum Key {
    /// Keep a key, read from stdin: `ELEVENLABS_API_KEY`, `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`.
    Set {
        /// Its name.
        name: String,
    },
    /// Forget a key.
    Remove {
        /// Its name.
        name: String,
    },
    /// Name the keys that are kept.
    List,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let current = std::env::current_dir().ok();
    // A whole path is taken as it stands: the hook names the snapshot by it.
    let project = match &arguments.project {
        Some(project) if project.is_absolute() => Some(project.clone()),
        Some(project) => Some(std::path::absolute(project)?),
        None => current,
    };
    let project = project.as_deref();
    let load = || config::load(home, project, &meta::variable);
    match &arguments.command {
        ConfigCommand::Show { json } => show(&load(), *json),
        ConfigCommand::Path => paths(home, project),
        ConfigCommand::Check => check(&load()),
        ConfigCommand::Set { key, value } => set(home, key.as_deref(), value.as_deref()),
        ConfigCommand::Trust { revoke } => trust(home, &load(), *revoke),
        ConfigCommand::Confirm => confirm(home),
        ConfigCommand::Compile { managed: false } => Ok(load().save(home, project)?),
        ConfigCommand::Compile { managed: true } => compile_policy(),
        ConfigCommand::Key(key) => keys(home, key),
        ConfigCommand::Schema => Ok(writeln!(
            std::io::stdout().lock(),
            "{:#}",
            config::schema()
        )?),
    }
}

fn compile_policy() -> anyhow::Result<()> {
    managed::require_root("config compile --managed")?;
    let managed = Managed::default();
    managed::compile(&managed)?;
    println!("{} is in effect", managed.policy().display());
    Ok(())
}

fn show(loaded: &Loaded, json: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, &loaded.config)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", tree(&loaded.tree, 0))?;
    }
    Ok(())
}

/// YAML with the place of each value behind it.
fn tree(node: &Node, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    node.entries()
        .iter()
        .fold(String::new(), |text, (key, node)| match &node.value {
            Value::Map(_) => format!("{text}{indent}{}:\n{}", key.text, tree(node, depth + 1)),
            value => {
                let line = format!("{indent}{}: {}", key.text, scalar(value));
                format!("{text}{line:48} # {}\n", node.place)
            }
        })
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "~".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| scalar(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(_) => "…".to_owned(),
    }
}

fn paths(home: &Home, project: Option<&Path>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in sources(home, project) {
        let there = if path.exists() { "" } else { "  (not there)" };
        writeln!(out, "{}{there}", path.display())?;
    }
    Ok(())
}

fn check(loaded: &Loaded) -> anyhow::Result<()> {
    for problem in &loaded.problems {
        println!("{problem}");
    }
    for what in &loaded.unconfirmed {
        println!("{what}: does not count until you have said `bellwether config confirm`");
    }
    for ignored in &loaded.ignored {
        println!("{}", passed_over(ignored));
    }
    anyhow::ensure!(
        loaded.problems.is_empty(),
        "{} wrong; the last valid values stay in effect",
        loaded.problems.len()
    );
    println!("the configuration is good");
    Ok(())
}

/// Changes a setting, or lists what can be changed.
fn set(home: &Home, key: Option<&str>, value: Option<&str>) -> anyhow::Result<()> {
    let Some(key) = key else {
        let mut out = std::io::stdout().lock();
        for (key, kind) in settable::all() {
            writeln!(out, "{key:40} {}", kind.about())?;
        }
        return Ok(());
    };
    // What can be changed here is harmless, but for whether the page may answer for the person.
    person::refuse_agents(home, "changing settings")?;
    let value = value.with_context(|| match settable::find(key) {
        Some(kind) => format!("give a value for {key}: {}", kind.about()),
        None => format!("{key} is not among what can be changed: see `bellwether config set`"),
    })?;
    let value = settable::find(key).map_or(value.into(), |kind| kind.read(value));
    config::change(home, &[(key.to_owned(), value)])
        .map_err(|refused| anyhow::anyhow!(refused.why))?;
    agreed::changed(home);
    println!("{key} is changed in {}", home.config_file().display());
    Ok(())
}

fn passed_over(ignored: &Ignored) -> String {
    let why = match ignored.why {
        Why::Untrusted => "is passed over until you have said `bellwether config trust`",
        Why::PersonOnly => "is passed over in a project's file: only your own can say it",
    };
    format!("{}: {} {why}", ignored.node.place, ignored.path)
}

fn trust(home: &Home, loaded: &Loaded, revoke: bool) -> anyhow::Result<()> {
    let none = "this project has no file to trust: see `bellwether config path`";
    let file = loaded.project.as_ref().context(none)?;
    let path = file.path.display();
    let mut trust = Trust::load(home);
    if revoke {
        let known = trust.revoke(&file.path);
        trust.save(home)?;
        agreed::changed(home);
        println!(
            "{path} {} trusted",
            if known { "is no longer" } else { "was not" }
        );
        return Ok(());
    }
    person::require(home, "trusting a project's file")?;
    // Exactly what was read and is shown here is trusted, whatever stands there a moment later.
    let content = file
        .content
        .as_deref()
        .filter(|_| loaded.problems.is_empty());
    let content = content.with_context(|| format!("{path} cannot be trusted while something is wrong with it: see `bellwether config check`"))?;
    for ignored in loaded
        .ignored
        .iter()
        .filter(|ignored| ignored.why == Why::Untrusted)
    {
        println!("{}: {} takes effect", ignored.node.place, ignored.path);
    }
    person::confirm(home, "trusting a project's file")?;
    trust.grant(file.path.clone(), content);
    trust.save(home)?;
    agreed::changed(home);
    println!(
        "{path} is trusted as it is now{}",
        if file.trusted { ", as it was" } else { "" }
    );
    Ok(())
}

/// Takes the person's file as it is now for what the person wants.
fn confirm(home: &Home) -> anyhow::Result<()> {
    let waiting = config::unconfirmed(home);
    if waiting.is_empty() {
        println!("nothing waits to be confirmed");
        return Ok(());
    }
    person::require(home, "confirming the guard's settings")?;
    for what in &waiting {
        println!("{what}");
    }
    person::confirm(home, "confirming the guard's settings")?;
    config::confirm(home)?;
    agreed::changed(home);
    println!(
        "confirmed: {} takes effect as it is now",
        home.config_file().display()
    );
    Ok(())
}

fn keys(home: &Home, key: &Key) -> anyhow::Result<()> {
    let mut keys = Keys::load(home)?;
    match key {
        Key::List => keys.names().for_each(|name| println!("{name}")),
        Key::Set { name } => {
            keys.set(name, &secret(name)?)?;
            keys.save(home)?;
            println!("{name} is kept in {}", home.keys().display());
        }
        Key::Remove { name } => {
            anyhow::ensure!(keys.remove(name), "no key named {name} is kept");
            keys.save(home)?;
            println!("{name} is forgotten");
        }
    }
    Ok(())
}

/// A key from stdin: never from the command line, where others could see it.
fn secret(name: &str) -> anyhow::Result<String> {
    if std::io::stdin().is_terminal() {
        eprint!("{name}: ");
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let secret = line.trim();
    anyhow::ensure!(
        !secret.is_empty(),
        "no key was given: write it to stdin, for instance `pass show key | bellwether config key set {name}`"
    );
    Ok(secret.to_owned())
}
