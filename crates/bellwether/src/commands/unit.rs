//! `bellwether daemon unit`: the daemon as a service, for those who want it to run always.

use bellwether_daemon::control::Client;
use bellwether_spine::Home;
use clap::Args;

use crate::service::{Folders, LAUNCHD, Manager, Outcome, SYSTEMD};
use crate::{output, person};

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether daemon unit                  print it
  bellwether daemon unit --install        write it, and say what to do next
  bellwether daemon unit --remove

Hooks start the daemon by themselves, and it ends when it has been idle; a service keeps one running
from login on. A file that you have changed is left as it is.")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct Arguments {
    /// For systemd; the default except on macOS.
    #[arg(long, group = "manager")]
    systemd: bool,
    /// For launchd: the default on macOS.
    #[arg(long, group = "manager")]
    launchd: bool,
    /// Write the file.
    #[arg(long, conflicts_with = "remove")]
    install: bool,
    /// Remove the file.
    #[arg(long)]
    remove: bool,
}

impl Arguments {
    fn manager(&self) -> &'static Manager {
        match (self.systemd, self.launchd) {
            (true, _) => &SYSTEMD,
            (_, true) => &LAUNCHD,
            _ if cfg!(target_os = "macos") => &LAUNCHD,
            _ => &SYSTEMD,
        }
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let manager = arguments.manager();
    if !arguments.install && !arguments.remove {
        output::show_text(&manager.text(home)?);
        return Ok(());
    }
    let folders = Folders::of_person()?;
    let path = (manager.file)(&folders);
    let shown = path.display();
    if arguments.remove {
        person::refuse_agents(home, "removing the daemon's service")?;
        match manager.remove(&folders)? {
            Outcome::Removed => tell!("removed {shown}\nNext: {}", manager.disabled),
            _ => tell!("there is no {shown}"),
        }
        return Ok(());
    }
    if manager.differs(home, &path)? {
        person::refuse_agents(home, "changing the daemon's service")?;
    }
    match manager.install(home, &path)? {
        Outcome::Right => tell!("{shown} is up to date"),
        _ => tell!("wrote {shown}"),
    }
    if matches!(Client::connect(home), Ok(Some(_))) {
        tell!(
            "A daemon runs already; the service waits until it has ended: bellwether daemon stop"
        );
    }
    tell!("Next: {}", manager.enable);
    Ok(())
}
