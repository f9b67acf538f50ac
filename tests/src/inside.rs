//! One run within its namespace: loopback, the fake API, and then the command with the environment it was given.
//!
//! The caller's side writes a `Plan` and starts `rig inside PLAN` in a fresh namespace; that process holds the fake
//! API and ends with the command. Its stdin is a lifeline: when the caller closes it, or dies, all processes of the
//! home are ended.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::env::ClientEnv;
use crate::fake_api::FakeApi;
use crate::home::Home;
use crate::{namespace, processes};

/// What to run inside, and where.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    home: PathBuf,
    project: PathBuf,
    api: FakeApi,
    env: BTreeMap<String, String>,
    command: Vec<String>,
}

impl Plan {
    pub(crate) fn new(home: &Home, env: &ClientEnv, command: Vec<String>) -> Self {
        Self {
            home: home.dir(),
            project: home.project(),
            api: FakeApi {
                scenarios: home.scenarios(),
                log: home.api_log_file(),
            },
            env: env.vars().clone(),
            command,
        }
    }

    /// Starts the run; its output goes to `stdout` and `stderr` in `folder`.
    pub(crate) fn start(&self, rig: &Path, folder: &Path) -> Result<Child> {
        let file = folder.join("plan.json");
        fs::write(&file, serde_json::to_vec_pretty(self)?)?;
        namespace::command(rig)?
            .arg("inside")
            .arg(&file)
            .stdin(Stdio::piped())
            .stdout(fs::File::create(folder.join("stdout"))?)
            .stderr(fs::File::create(folder.join("stderr"))?)
            // A signal to the caller's group would take away the one who is to clean up after the caller.
            .process_group(0)
            .spawn()
            .context("starting unshare")
    }
}

/// Runs the plan in this process, which must be in a namespace of its own, and returns the command's exit code.
pub fn run(plan: &Path) -> Result<u8> {
    let plan = fs::read(plan).with_context(|| format!("reading {}", plan.display()))?;
    let plan: Plan = serde_json::from_slice(&plan)?;
    namespace::raise_loopback()?;
    plan.api.start()?;
    hang_on_lifeline(plan.home);
    let (program, args) = plan
        .command
        .split_first()
        .context("the plan has no command")?;
    let status = Command::new(program)
        .args(args)
        .current_dir(&plan.project)
        .env_clear()
        .envs(&plan.env)
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("starting {program}"))?;
    let code = status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    Ok(u8::try_from(code).unwrap_or(u8::MAX))
}

fn hang_on_lifeline(home: PathBuf) {
    thread::spawn(move || {
        // Nothing is ever written: the read ends when the other end is closed.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        processes::end_all(&home);
    });
}
