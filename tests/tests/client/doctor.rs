//! The doctor and the real client: what it puts right is heard, and it reads the client's own measure of us.

use anyhow::Result;
use bellwether_tests::doctor::Said;
use bellwether_tests::{Headless, Home, Programs, Settings, scenarios};

use crate::RIG;

/// Nothing but our own commands between an empty settings file and a session that is heard and measured.
#[test]
fn a_fix_is_heard_by_the_real_client_and_its_cost_is_read() -> Result<()> {
    let (home, programs) = (Home::fresh(RIG)?, Programs::built()?);
    home.write_settings(&Settings::new())?;
    let doctor = |words: &[&str]| {
        let mut command = home.command(&programs.main());
        Said::by(&command.arg("doctor").args(words).output()?)
    };
    doctor(&["--json"])?.finds("registration", "problem", "not registered")?;
    doctor(&["--json", "--fix"])?.assert_good("registration");
    Headless::new(&home).scenario(scenarios::one_bash()).run()?;
    let said = doctor(&["--json"])?;
    said.finds("cost", "good", "bellwether-hook ")?;
    said.assert_good("journal");
    said.assert_good("troubles");
    said.assert_good("settings");
    Ok(())
}
