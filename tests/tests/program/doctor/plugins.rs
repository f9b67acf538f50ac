//! Other people's plugins: what this version of the client drops of them, what differs, what does the same as we do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use bellwether_tests::doctor::Said;
use serde_json::{Value, json};

use super::machine::{Machine, executable};

/// A machine with plugins of one marketplace.
struct Shop {
    machine: Machine,
    list: Value,
    enabled: Value,
}

impl Shop {
    fn open() -> Result<Self> {
        let machine = Machine::healthy()?;
        let market = machine.path(".claude/plugins/marketplaces/shop");
        fs::create_dir_all(market.join(".claude-plugin"))?;
        let known = json!({"shop": {"source": {"source": "github", "repo": "a/shop"}, "installLocation": market}});
        fs::write(
            machine.path(".claude/plugins/known_marketplaces.json"),
            known.to_string(),
        )?;
        Ok(Self {
            machine,
            list: json!({"version": 2, "plugins": {}}),
            enabled: json!({}),
        })
    }

    /// Installs a plugin and switches it on; returns its folder.
    fn plugin(&mut self, name: &str, hooks: &str) -> Result<PathBuf> {
        let cache = format!(".claude/plugins/cache/shop/{name}/1.0.0");
        let root = self.machine.path(&cache);
        fs::create_dir_all(root.join("hooks"))?;
        fs::create_dir_all(root.join(".claude-plugin"))?;
        let manifest = json!({"name": name, "version": "1.0.0"});
        fs::write(
            root.join(".claude-plugin/plugin.json"),
            manifest.to_string(),
        )?;
        fs::write(root.join("hooks/hooks.json"), hooks)?;
        let id = format!("{name}@shop");
        self.list["plugins"][&id] =
            json!([{"scope": "user", "installPath": root, "version": "1.0.0"}]);
        self.enabled[&id] = true.into();
        self.write()?;
        Ok(root)
    }

    fn write(&self) -> Result<()> {
        let plugins = self.machine.path(".claude/plugins/installed_plugins.json");
        fs::write(plugins, self.list.to_string())?;
        let settings = json!({"enabledPlugins": self.enabled});
        let project = self.machine.path("project/.claude/settings.json");
        Ok(fs::write(project, settings.to_string())?)
    }

    /// What the marketplace offers.
    fn offers(&self, names: &[&str], version: &str) -> Result<PathBuf> {
        let market = self.machine.path(".claude/plugins/marketplaces/shop");
        let plugins = names
            .iter()
            .map(|name| json!({"name": name, "source": format!("./{name}")}));
        let list = json!({"name": "shop", "plugins": plugins.collect::<Vec<_>>()});
        fs::write(
            market.join(".claude-plugin/marketplace.json"),
            list.to_string(),
        )?;
        for name in names {
            let root = market.join(name);
            fs::create_dir_all(root.join(".claude-plugin"))?;
            fs::create_dir_all(root.join("hooks"))?;
            let manifest = json!({"name": name, "version": version});
            fs::write(
                root.join(".claude-plugin/plugin.json"),
                manifest.to_string(),
            )?;
        }
        Ok(market)
    }

    fn doctor(&self) -> Result<Said> {
        self.machine.doctor()
    }
}

fn hook(command: &str) -> Value {
    json!([{"hooks": [{"type": "command", "command": command}]}])
}

#[test]
fn what_the_client_drops_of_a_plugin_depends_on_its_version() -> Result<()> {
    let mut shop = Shop::open()?;
    let late = r#"[{"hooks": [{"type": "command", "command": "true", "timeout": "5"}]}]"#;
    let rows = [
        (
            "broken",
            r#"{"hooks": {"#.to_owned(),
            "drops all hooks of this plugin",
            "drops all hooks of this plugin",
        ),
        (
            "comment",
            "{\"hooks\": {} // why\n}".to_owned(),
            "drops all hooks of this plugin",
            "drops all hooks of this plugin",
        ),
        (
            "bare",
            json!({"Stop": hook("true")}).to_string(),
            "it has no `hooks`, in which the events must stand; Claude Code drops all",
            "drops all hooks of this plugin",
        ),
        (
            "unknown",
            r#"{"hooks": {"Halt": []}}"#.to_owned(),
            "does not know the event `Halt`; Claude Code drops this one alone",
            "drops all hooks of this plugin",
        ),
        (
            "late",
            format!(r#"{{"hooks": {{"Stop": {late}}}}}"#),
            "drops this one alone",
            "drops all hooks of this plugin",
        ),
        (
            "guard",
            format!(r#"{{"hooks": {{"PreToolUse": {late}}}}}"#),
            "does not load this plugin at all",
            "drops all hooks of this plugin",
        ),
        (
            "kind",
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "telepathy"}]}]}}"#.to_owned(),
            "hooks of type `telepathy`; Claude Code drops this one alone",
            "drops all hooks",
        ),
    ];
    for (name, hooks, ..) in &rows {
        shop.plugin(name, hooks)?;
    }
    let (new, old) = (shop.doctor()?, {
        shop.machine.client("echo 2.1.252")?;
        shop.doctor()?
    });
    for (name, _, in_new, in_old) in &rows {
        for (said, words) in [(&new, in_new), (&old, in_old)] {
            let about = format!("plugin {name}@shop: ");
            let found = said.of("plugins").into_iter().find(|finding| {
                let text = finding["text"].as_str().unwrap_or_default();
                text.starts_with(&about)
                    && text.contains("hooks.json, line ")
                    && text.contains(words)
            });
            let found =
                found.unwrap_or_else(|| panic!("{name}: {words}: {:#?}", said.of("plugins")));
            assert_eq!(found["level"], "warning");
            let advice = found["advice"].as_str().unwrap_or_default();
            assert!(
                advice.contains(&format!("claude plugin disable {name}@shop")),
                "{advice}"
            );
        }
    }
    // Whoever is switched off is not complained about.
    shop.machine.client("echo 2.1.325")?;
    shop.enabled = json!({"broken@shop": false});
    shop.write()?;
    shop.doctor()?.assert_good("plugins");
    Ok(())
}

#[test]
fn hooks_in_the_manifest_and_among_skills_are_read() -> Result<()> {
    let mut shop = Shop::open()?;
    let root = shop.plugin("inline", r#"{"hooks": {}}"#)?;
    let manifest =
        json!({"name": "inline", "hooks": {"Stop": hook("${CLAUDE_PLUGIN_ROOT}/gone.sh")}});
    fs::write(
        root.join(".claude-plugin/plugin.json"),
        manifest.to_string(),
    )?;
    let root = shop.plugin("named", r#"{"hooks": {}}"#)?;
    let manifest = json!({"name": "named", "hooks": ["./more.json", "./none.json"]});
    fs::write(
        root.join(".claude-plugin/plugin.json"),
        manifest.to_string(),
    )?;
    let more = json!({"hooks": {"Stop": hook("${CLAUDE_PLUGIN_DATA}/tool")}});
    fs::write(root.join("more.json"), more.to_string())?;
    let skill = shop.machine.path(".claude/skills/talk");
    fs::create_dir_all(skill.join(".claude-plugin"))?;
    fs::create_dir_all(skill.join("hooks"))?;
    fs::write(
        skill.join(".claude-plugin/plugin.json"),
        r#"{"name": "talk"}"#,
    )?;
    fs::write(skill.join("hooks/hooks.json"), "{}")?;
    let said = shop.doctor()?;
    said.finds("plugins", "warning", "inline/1.0.0/gone.sh does not exist")?;
    said.finds(
        "plugins",
        "warning",
        ".claude/plugins/data/named-shop/tool does not exist",
    )?;
    said.finds("plugins", "warning", "none.json, which does not exist")?;
    said.finds("plugins", "warning", "plugin talk@skills-dir: ")?;
    Ok(())
}

#[test]
fn a_copy_that_differs_from_its_marketplace_is_named_once() -> Result<()> {
    let mut shop = Shop::open()?;
    let same = json!({"hooks": {"Stop": hook("true")}}).to_string();
    let root = shop.plugin("lint", &same)?;
    let market = shop.offers(&["lint"], "1.0.0")?;
    fs::write(market.join("lint/hooks/hooks.json"), &same)?;
    // What a plugin writes beside its own files is no difference.
    fs::write(root.join("hooks/lint.log"), "seen")?;
    shop.doctor()?.assert_good("copies");
    fs::write(market.join("lint/hooks/lint.sh"), "exit")?;
    shop.doctor()?
        .finds("copies", "warning", "hooks/lint.sh in ")?;
    fs::remove_file(market.join("lint/hooks/lint.sh"))?;
    fs::write(market.join("lint/hooks/hooks.json"), r#"{"hooks": {}}"#)?;
    let said = shop.doctor()?;
    let found = said.finds("copies", "warning", "hooks/hooks.json in ")?;
    assert_eq!(
        found["advice"],
        "claude plugin uninstall lint@shop, then claude plugin install lint@shop"
    );
    shop.offers(&["lint"], "1.1.0")?;
    let said = shop.doctor()?;
    let found = said.finds(
        "copies",
        "note",
        "plugin lint@shop 1.0.0 is installed, its marketplace has 1.1.0",
    )?;
    assert_eq!(found["advice"], "claude plugin update lint@shop");
    assert_eq!(said.of("copies").len(), 1);
    fs::create_dir_all(shop.machine.path(".claude/plugins/cache/shop/old/0.1.0"))?;
    let said = shop.doctor()?;
    said.finds(
        "copies",
        "note",
        "belong to no installed plugin and are not run: shop/old/0.1.0",
    )?;
    fs::remove_dir_all(shop.machine.path(".claude/plugins/cache/shop/lint"))?;
    let said = shop.doctor()?;
    let found = said.finds("copies", "warning", "its folder ")?;
    assert_eq!(found["advice"], "claude plugin install lint@shop");
    Ok(())
}

/// The client runs a plugin of a folder's marketplace out of that folder.
#[test]
fn a_marketplace_that_is_a_folder_is_read_itself() -> Result<()> {
    let mut shop = Shop::open()?;
    shop.plugin("lint", "{")?;
    let market = shop.offers(&["lint"], "1.0.0")?;
    fs::write(market.join("lint/hooks/hooks.json"), r#"{"hooks": {}}"#)?;
    shop.doctor()?.finds(
        "plugins",
        "warning",
        "cache/shop/lint/1.0.0/hooks/hooks.json, line 1",
    )?;
    let known = json!({"shop": {"source": {"source": "directory", "path": market}, "installLocation": market}});
    let list = shop.machine.path(".claude/plugins/known_marketplaces.json");
    fs::write(list, known.to_string())?;
    let said = shop.doctor()?;
    said.assert_good("plugins");
    said.assert_good("copies");
    fs::write(market.join("lint/hooks/hooks.json"), "{")?;
    shop.doctor()?.finds(
        "plugins",
        "warning",
        "marketplaces/shop/lint/hooks/hooks.json, line 1",
    )?;
    // The nearer settings win.
    let off = json!({"enabledPlugins": {"lint@shop": false}});
    let local = shop.machine.path("project/.claude/settings.local.json");
    fs::write(local, off.to_string())?;
    shop.doctor()?.assert_good("plugins");
    Ok(())
}

#[test]
fn others_that_announce_or_guard_are_named_with_a_way_out() -> Result<()> {
    let mut shop = Shop::open()?;
    shop.doctor()?.assert_good("conflicts");
    let hooks =
        json!({"hooks": {"PreToolUse": hook("node ${CLAUDE_PLUGIN_ROOT}/cc-safety-net.js")}});
    shop.plugin("safety-net", &hooks.to_string())?;
    let local = json!({"hooks": {
        "Stop": hook("bash ~/.claude/hooks/peon-ping/peon.sh"),
        "Notification": hook("bash ~/.claude/hooks/peon-ping/peon.sh"),
        "PostToolUse": hook("echo say peon-ping # afplay"),
    }});
    let path = shop.machine.path("project/.claude/settings.local.json");
    fs::write(&path, local.to_string())?;
    let transcript = json!({"attachment": {"type": "hook_success", "hookEvent": "PreToolUse", "toolUseID": "t1",
        "command": "node ${CLAUDE_PLUGIN_ROOT}/cc-safety-net.js",
        "durationMs": 131}});
    fs::create_dir_all(shop.machine.path(".claude/projects/-p"))?;
    fs::write(
        shop.machine.path(".claude/projects/-p/a.jsonl"),
        format!("{transcript}\n"),
    )?;
    let said = shop.doctor()?;
    let heard = said.finds(
        "conflicts",
        "warning",
        "settings.local.json) is heard at Notification, Stop too: you will hear both",
    )?;
    assert_eq!(
        heard["advice"],
        "bash ~/.claude/hooks/peon-ping/uninstall.sh, or silence ours: bellwether mute"
    );
    let guard = said.finds(
        "conflicts",
        "note",
        "decides at PreToolUse too: both are asked, and either can refuse. It takes 131 ms",
    )?;
    let advice = guard["advice"].as_str().unwrap_or_default();
    assert!(
        advice.contains("claude plugin disable safety-net@shop"),
        "{advice}"
    );
    assert_eq!(said.of("conflicts").len(), 2);
    said.finds("cost", "good", "all hooks of a tool call 131 ms together (1 call): cc-safety-net.js 131 ms (plugin safety-net@shop, ")?;
    Ok(())
}

#[test]
fn what_a_plugin_and_settings_both_register_runs_twice() -> Result<()> {
    let mut shop = Shop::open()?;
    let hooks =
        json!({"hooks": {"Stop": hook("/bin/echo done"), "Notification": hook("/bin/echo note")}});
    shop.plugin("echo", &hooks.to_string())?;
    shop.doctor()?.assert_good("twice");
    let local = json!({"hooks": {"Stop": hook("'/bin/echo'  done")}});
    fs::write(
        shop.machine.path("project/.claude/settings.local.json"),
        local.to_string(),
    )?;
    shop.doctor()?.finds("twice", "warning", "/bin/echo done runs twice at Stop: it is registered in local settings and in plugin echo@shop")?;
    Ok(())
}

/// What somebody puts in the place of a `hooks.json`.
enum Hostile {
    Bytes(Vec<u8>),
    Sparse(u64),
    Link(&'static str),
    Pipe,
    Folder,
}

impl Hostile {
    fn text(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }

    fn put(&self, path: &Path) -> Result<()> {
        fs::remove_file(path)?;
        match self {
            Self::Bytes(bytes) => fs::write(path, bytes)?,
            Self::Sparse(size) => fs::File::create(path)?.set_len(*size)?,
            Self::Link(target) => std::os::unix::fs::symlink(target, path)?,
            Self::Pipe => drop(Command::new("mkfifo").arg(path).status()?),
            Self::Folder => fs::create_dir(path)?,
        }
        Ok(())
    }
}

/// Each with a name and with what is said of it.
fn hostile() -> Vec<(&'static str, Hostile, &'static str)> {
    let brackets = |bracket: &str| bracket.repeat(100_000);
    let deep = format!(r#"{{"hooks": {}{}}}"#, brackets("["), brackets("]"));
    let group = r#"{"hooks":[{"type":"command","command":"/none"}]}"#;
    let many = format!(
        r#"{{"hooks":{{"Stop":[{}]}}}}"#,
        vec![group; 8_000].join(",")
    );
    let wide = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let escape = "{\"hooks\": {\"\\u001b[31mred\\u0007\": []}}";
    let (text, bytes) = (Hostile::text, Hostile::Bytes);
    vec![
        ("pipe", Hostile::Pipe, "is not a regular file"),
        (
            "device",
            Hostile::Link("/dev/zero"),
            "is not a regular file",
        ),
        ("loop", Hostile::Link("hooks.json"), "cannot be read: "),
        ("folder", Hostile::Folder, "is not a regular file"),
        (
            "large",
            text(" ".repeat(10_000_000)),
            "has 10000000 bytes; doctor reads only files of up to 1 MiB; not checked",
        ),
        ("sparse", Hostile::Sparse(1 << 30), "has 1073741824 bytes"),
        ("deep", text(deep), "nested too deeply; not checked"),
        (
            "zero",
            bytes(b"{\"hooks\": {}\0}".into()),
            "line 1, column 13: ",
        ),
        ("wide", bytes(wide), "line 1, column 2: "),
        (
            "mark",
            bytes(b"\xef\xbb\xbf{}".into()),
            "a byte order mark stands before the JSON",
        ),
        (
            "bytes",
            bytes(b"{\"hooks\": {\"St\xffp\": []}}".into()),
            "does not know the event",
        ),
        ("escape", text(escape.into()), "does not know the event"),
        (
            "empty",
            bytes(Vec::new()),
            "the text ends where a value is expected",
        ),
        ("many", text(many), " and 499 more: /none does not exist"),
    ]
}

/// None of it stops the doctor, or makes it slow.
#[test]
fn hostile_files_are_named_and_harm_nothing() -> Result<()> {
    let mut shop = Shop::open()?;
    let rows = hostile();
    for (name, hostile, _) in &rows {
        hostile.put(&shop.plugin(name, "{}")?.join("hooks/hooks.json"))?;
    }
    let began = Instant::now();
    let said = shop.doctor()?;
    let took = began.elapsed();
    for (name, _, words) in &rows {
        let found = said.of("plugins").into_iter().any(|finding| {
            let text = finding["text"].as_str().unwrap_or_default();
            text.contains(&format!("shop/{name}/1.0.0/")) && text.contains(words)
        });
        assert!(found, "{name}: {:#?}", said.of("plugins"));
    }
    let text = said
        .findings
        .iter()
        .map(Value::to_string)
        .collect::<String>();
    assert!(
        !text.contains("\\u001b") && !text.contains("\\u0007"),
        "{text}"
    );
    assert!(took < Duration::from_secs(10), "{took:?}");
    // The lists themselves.
    for content in ["{", "[]", "\u{feff}{}", "{\"plugins\": 5}"] {
        fs::write(
            shop.machine.path(".claude/plugins/installed_plugins.json"),
            content,
        )?;
        fs::write(
            shop.machine.path(".claude/plugins/known_marketplaces.json"),
            content,
        )?;
        assert!(!shop.doctor()?.of("plugins").is_empty());
    }
    shop.doctor()?;
    Ok(())
}

#[test]
fn many_plugins_are_read_in_time() -> Result<()> {
    let mut shop = Shop::open()?;
    let script = shop.machine.path("bin/lint");
    executable(&script, "#!/bin/sh\n")?;
    let hooks = json!({"hooks": {"PreToolUse": hook("lint"), "Stop": hook("lint")}}).to_string();
    let timed = |shop: &Shop| -> Result<(Duration, Said)> {
        let began = Instant::now();
        let said = shop.doctor()?;
        Ok((began.elapsed(), said))
    };
    for index in 0..50 {
        shop.plugin(&format!("p{index:04}"), &hooks)?;
    }
    let (took, said) = timed(&shop)?;
    assert!(took < Duration::from_secs(10), "{took:?}");
    said.finds(
        "plugins",
        "note",
        "30 plugins more, named only where something is wrong",
    )?;
    for index in 50..2_000 {
        let (id, root) = (format!("p{index:04}@shop"), shop.machine.path("bin"));
        shop.list["plugins"][&id] = json!([{"scope": "user", "installPath": root}]);
        shop.enabled[&id] = true.into();
    }
    shop.write()?;
    let (took, said) = timed(&shop)?;
    assert!(took < Duration::from_secs(10), "{took:?}");
    said.finds("plugins", "note", "plugins were not read")?;
    Ok(())
}
