//! `bellwether-overlay`: the flock on the desktop.

use std::process::ExitCode;

use bellwether_overlay::options::{HELP, Wish};
use bellwether_overlay::{run, terminal};
use bellwether_spine::VERSION;

/// As `sysexits.h` has it for a wrong command line.
const USAGE: u8 = 64;

fn main() -> ExitCode {
    let wish = match Wish::parse(std::env::args_os().skip(1)) {
        Ok(wish) => wish,
        Err(error) => {
            eprintln!("bellwether-overlay: {error}\n\n{HELP}");
            return USAGE.into();
        }
    };
    let done = match wish {
        Wish::Help => {
            print!("{HELP}");
            Ok(())
        }
        Wish::Version => {
            println!("bellwether-overlay {VERSION}");
            Ok(())
        }
        Wish::Raise(pid) => terminal::raise(pid).map_err(|why| why.to_string()),
        Wish::Show(options) => run::run(&options).map_err(|error| error.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("bellwether-overlay: {why}");
            ExitCode::FAILURE
        }
    }
}
