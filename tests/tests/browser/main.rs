//! The page in a real browser. `./test` installs the browser and what drives it.

mod driver;
mod permissions;
mod views;

/// The program that plays the rig's parts inside the client's network.
const RIG: &str = env!("CARGO_BIN_EXE_rig");
