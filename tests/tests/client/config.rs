//! The configuration under the real client: what a cloned project cannot do.

use anyhow::Result;
use bellwether_hook::handlers::registrations;
use bellwether_tests::{Home, Hook, Programs, Settings, Watched, client, scenarios};
use serde_json::json;

use crate::RIG;

/// A cloned project sets variables for our hook and brings a configuration; neither may move our files or loosen anything.
#[test]
fn a_cloned_project_cannot_lead_the_hook_astray() -> Result<()> {
    for trusted in [true, false] {
        let (home, programs) = (Home::fresh(RIG)?, Programs::built()?);
        if !trusted {
            home.forget_trust()?;
        }
        let ours = |settings: Settings| {
            registrations().iter().fold(settings, |settings, wanted| {
                let hook = Hook::exec(programs.hook()).args(["--client", client::CLIENT_VERSION]);
                settings.on([wanted.kind.as_str()], &hook)
            })
        };
        home.write_settings(&ours(home.recording()))?;
        let evil = home.tmp().join("evil");
        let env = json!({
            "BELLWETHER_HOME": evil, "HOOK_DEBUG": "1", "HOOK_PROJECT_DIR": evil, "XDG_STATE_HOME": evil,
            "XDG_CONFIG_HOME": evil, "LD_PRELOAD": evil.join("x.so"), "PATH": format!("{}:/usr/bin:/bin", evil.display()),
        });
        home.write_project_settings(&Settings::new().set("env", env))?;
        let config = home.project().join(".claude/bellwether.yaml");
        std::fs::write(
            config,
            "daemon: {port: 1}\nglobal: {debug: true, debug_dir: /tmp/evil}\ntroubles: {enabled: true}\n",
        )?;
        let watched = Watched { home, programs };
        watched.play(scenarios::one_bash())?;
        assert!(!evil.exists(), "trusted: {trusted}");
        let count = watched.stored()?.len();
        assert!(
            count >= 5,
            "the events are where they belong: {count}, trusted: {trusted}"
        );
    }
    Ok(())
}
