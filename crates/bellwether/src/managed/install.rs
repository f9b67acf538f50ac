//! Installing for every user of the machine, in an order in which nothing is registered that is not there yet.

use bellwether_spine::Managed;

use super::{Receipt, policy, programs};
use crate::output;

/// What is to be installed beside the registration.
pub(crate) struct Installation<'a> {
    pub(crate) managed: &'a Managed,
}

impl Installation<'_> {
    /// Refuses what could not be finished, before anything is touched.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        policy::read(self.managed)?;
        programs::all(self.managed).map(drop)
    }

    pub(crate) fn show(&self) -> anyhow::Result<()> {
        for (from, to) in programs::all(self.managed)? {
            if programs::differs(&from, &to) {
                tell!("would copy {} to {}", from.display(), to.display());
            }
        }
        if !self.managed.policy().exists() {
            tell!("would make {}", self.managed.policy().display());
        }
        Ok(())
    }

    /// Puts programs and policy in place, and returns what has to be remembered.
    pub(crate) fn prepare(&self) -> anyhow::Result<Receipt> {
        let managed = self.managed;
        let mut receipt = Receipt::load(managed)?;
        let settings = managed.settings();
        let link = managed.link();
        let folders = [Some(managed.folder().as_path()), settings.parent()]
            .into_iter()
            .chain([Some(managed.programs().as_path()), link.parent()])
            .flatten()
            .map(ToOwned::to_owned)
            .collect::<Vec<_>>();
        for folder in folders {
            receipt.make_folder(&folder)?;
        }
        receipt.save(managed)?;
        let mut copied = Vec::new();
        for (from, to) in programs::all(managed)? {
            if programs::differs(&from, &to) {
                programs::copy(&from, &to)?;
                copied.push(to.display().to_string());
            }
        }
        programs::link(managed)?;
        if !copied.is_empty() {
            tell!(
                "{} in place: {}",
                output::many(copied.len(), "program"),
                copied.join(", ")
            );
        }
        if policy::begin(managed)? {
            tell!(
                "the policy of this machine is {}",
                managed.policy().display()
            );
        }
        policy::compile(managed)?;
        Ok(receipt)
    }
}
