//! Takes the pictures of `docs/desktop.md`: `cargo run -p bellwether-tests --bin desktop -- docs/pictures`. A real X server
//! without a screen, the real daemon and the real overlay, at its plain size and twice as large.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::overlay::{self, Overlay, event, tell};
use bellwether_tests::{Served, XServer};
use serde_json::{Value, json};

/// A desktop that is photographed.
struct Sitting {
    name: &'static str,
    ground: &'static str,
    dpi: u32,
}

const SITTINGS: [Sitting; 2] = [
    Sitting {
        name: "desktop.png",
        ground: "#1d2740",
        dpi: 96,
    },
    Sitting {
        name: "desktop-large.png",
        ground: "#1d2740",
        dpi: 192,
    },
];

/// What happens in each session, so that every state is seen.
fn story() -> Vec<Value> {
    let tool = |session: &str, project: &str, name: &str, tool: &str, input: Value| {
        let more = json!({"tool_name": tool, "tool_input": input, "tool_use_id": session, "permission_mode": "default"});
        event(session, project, name, &more)
    };
    let command = json!({"command": "git push origin main", "description": "Publish"});
    vec![
        event(
            "s1",
            "shop",
            "UserPromptSubmit",
            &json!({"prompt": "Sell apples by the pound"}),
        ),
        tool(
            "s1",
            "shop",
            "PreToolUse",
            "Bash",
            json!({"command": "cargo test --workspace"}),
        ),
        event(
            "s1",
            "shop",
            "SubagentStart",
            &json!({"agent_id": "a1", "agent_type": "reviewer"}),
        ),
        tool(
            "s2",
            "garden",
            "PreToolUse",
            "Read",
            json!({"file_path": "/home/dev/garden/beds.rs"}),
        ),
        tool(
            "s3",
            "site",
            "PreToolUse",
            "Edit",
            json!({"file_path": "/home/dev/site/index.html"}),
        ),
        event(
            "s4",
            "notes",
            "UserPromptSubmit",
            &json!({"prompt": "What is left of the plan?"}),
        ),
        event(
            "s5",
            "tools",
            "StopFailure",
            &json!({"error": "overloaded"}),
        ),
        event(
            "s6",
            "docs",
            "UserPromptSubmit",
            &json!({"prompt": "Spell-check the manual"}),
        ),
        event(
            "s6",
            "docs",
            "Stop",
            &json!({"last_assistant_message": "Three typos are gone."}),
        ),
        tool("s7", "api", "PreToolUse", "Bash", command.clone()),
        tool("s7", "api", "PermissionRequest", "Bash", command),
    ]
}

fn main() -> Result<()> {
    let to = std::env::args_os()
        .nth(1)
        .context("name the folder of the pictures")?;
    let to = PathBuf::from(to);
    SITTINGS.iter().try_for_each(|sitting| sitting.take(&to))
}

impl Sitting {
    fn take(&self, to: &Path) -> Result<()> {
        let (width, height) = (self.dpi * 960 / 96, self.dpi * 400 / 96);
        let size = |length: u32| u16::try_from(length).context("a large screen");
        let x = XServer::plan()
            .size(size(width)?, size(height)?)
            .composited()
            .start()?;
        let resources = x.folder().join("resources");
        std::fs::write(&resources, format!("Xft.dpi: {}\n", self.dpi))?;
        for words in [
            vec!["xsetroot", "-solid", self.ground],
            vec!["xrdb", "-nocpp", "-load", "resources"],
        ] {
            let done = x.command(words[0]).args(&words[1..]).status()?;
            ensure!(done.success(), "{words:?} failed");
        }
        let served = Served::configured(
            "page: {answer: true}\noverlay: {tray: false, motion: reduced, bubble_seconds: 60}\n",
        )?;
        let mut command = x.command(overlay::program()?);
        command.args(["--backend", "x11"]);
        let running = Overlay::start(&served, command)?;
        // What was there before the overlay says nothing by itself, so the sessions begin when it is there.
        tell(
            &served,
            &[event(
                "s0",
                "first",
                "SessionStart",
                &json!({"source": "startup"}),
            )],
        )?;
        let creatures = || -> Result<usize> { Ok(x.windows_of(running.pid())?.len()) };
        x.wait("the overlay", || Ok((creatures()? > 0).then_some(())))?;
        tell(
            &served,
            &[event(
                "s0",
                "first",
                "SessionEnd",
                &json!({"reason": "other"}),
            )],
        )?;
        for event in story() {
            tell(&served, &[event])?;
        }
        let mut before = x.screenshot()?;
        let mut same = 0;
        let still = x.wait("a still picture", || {
            let now = x.screenshot()?;
            same = if now == before && creatures()? > 9 {
                same + 1
            } else {
                0
            };
            before = now;
            Ok((same > 60).then(|| before.clone()))
        })?;
        still.save(&to.join(self.name))
    }
}
