//! What a yes is worth, and what changes a print.

use std::path::Path;

use bellwether_protocol::event::Deed;
use bellwether_spine::Home;

use super::super::judge::{Call, explain};
use super::super::sandbox::Sandbox;
use super::super::verdict::Judgement;
use super::super::{Config, Verdict};
use super::*;

/// What a command in a folder is about, where it is a question.
fn rests(folder: &Path, command: &str) -> Result<Rests, Unsure> {
    let config = Config::default();
    let home = Home::find(Some(folder.join("state"))).unwrap();
    let deed = Deed::command(command);
    let call = Call {
        deed: &deed,
        cwd: folder,
        project: Some(folder),
        home: &home,
        user: None,
        transcript: None,
    };
    let judged = explain(&call, &config);
    assert_eq!(judged.judgement.verdict, Verdict::Ask, "{command}");
    of(folder, command, &judged.judgement, judged.analysis.as_ref())
}

fn of(
    cwd: &Path,
    command: &str,
    judgement: &Judgement,
    analysis: Option<&bellwether_shell::Analysis>,
) -> Result<Rests, Unsure> {
    Rests::of(&Matter {
        judgement,
        analysis,
        deed: &Deed::command(command),
        cwd,
        user: None,
        config: &Config::default(),
    })
}

fn print(folder: &Path, command: &str) -> Result<Print, Unsure> {
    Print::of(&rests(folder, command)?, None)
}

/// A repository with work in it that git has never seen.
fn place() -> Sandbox {
    let sandbox = Sandbox::clean();
    sandbox.write("uploads/2024/a.png", "one");
    sandbox
}

#[test]
fn what_is_known_in_full_is_remembered_and_nothing_else() {
    let place = place();
    let worth = |command: &str| rests(&place.path(), command).map(|rests| rests.lasts);
    assert_eq!(worth("rm -rf uploads"), Ok(Lasts::Session));
    assert_eq!(worth("npm publish"), Ok(Lasts::Moments));
    assert_eq!(
        worth("kubectl delete namespace staging"),
        Ok(Lasts::Moments)
    );
    for unsure in [
        r#"find "$(ls | grep uploads)" -delete"#,
        r#"rm -rf uploads "$(cat list)"/x -rf"#,
        "shutdown now",
        "rm -rf uploads; claude --bare -p hi",
    ] {
        assert!(worth(unsure).is_err(), "{unsure}");
    }
}

#[test]
fn a_print_is_of_the_effect_and_not_of_the_words() {
    let place = place();
    let one = print(&place.path(), "rm -rf uploads").unwrap();
    for same in [
        "rm -r -f ./uploads",
        "cd uploads/.. && rm -fr uploads",
        "U=uploads; rm -rf $U",
    ] {
        assert_eq!(print(&place.path(), same).unwrap(), one, "{same}");
    }
    for other in [
        "rm -rf uploads/",
        "touch uploads/b; rm -rf uploads",
        "sudo rm -rf uploads",
    ] {
        assert_ne!(print(&place.path(), other).unwrap(), one, "{other}");
    }
    place.write("uploads/2024/a.png", "two");
    assert_ne!(print(&place.path(), "rm -rf uploads").unwrap(), one);
}

#[test]
fn there_is_no_print_past_its_bounds() {
    let place = place();
    for number in 0..5000 {
        place.write(&format!("uploads/many/{number}"), "");
    }
    assert_eq!(
        print(&place.path(), "rm -rf uploads"),
        Err(Unsure::TOO_MUCH)
    );
}
