//! What is no event, and what nobody should notice.

use anyhow::Result;
use bellwether_spine::trouble::Troubles;
use bellwether_tests::{Installation, trace};
use insta::assert_snapshot;

use super::asked::{given, recorded, shown};

#[test]
fn what_is_no_event_is_said_with_its_place() -> Result<()> {
    let place = Installation::fresh()?;
    assert_snapshot!(given(&place, "{\"a\": 1,\n  'b': 2}")?, @"
    exit 1

    bellwether: stdin: not a JSON object: key must be a string at line 2 column 3
    ");
    assert_snapshot!(given(&place, "[1, 2]")?, @"
    exit 1

    bellwether: stdin: not a JSON object: invalid type: sequence, expected an object at line 1 column 0
    ");
    assert_snapshot!(given(&place, "")?, @"
    exit 1

    bellwether: stdin: not a JSON object: EOF while parsing a value at line 1 column 0
    ");
    assert_snapshot!(shown(&place.cli(["explain", "/no/such/file"]).output()?)?, @"
    exit 1

    bellwether: /no/such/file: No such file or directory (os error 2)
    ");
    assert_snapshot!(shown(&place.cli(["explain", "--client", "new"]).output()?)?, @"
    exit 64

    error: invalid value 'new' for '--client <VERSION>': give three numbers, for instance 2.1.139

    For more information, try '--help'.
    ");
    Ok(())
}

#[test]
fn what_is_nested_too_deep_to_be_shown_is_still_explained() -> Result<()> {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let event =
        format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"x","tool_input":{deep}}}"#);
    let said = given(&Installation::fresh()?, &event)?;
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert!(
        said.contains("recursion limit exceeded") && said.contains("\"wanted_by\""),
        "{said}"
    );
    Ok(())
}

#[test]
fn no_explanation_leaves_a_trace() -> Result<()> {
    let place = Installation::fresh()?;
    Troubles(place.home()).note("disk", "the disk is full")?;
    let before = trace::of(place.root())?;
    for name in [
        "SessionStart-startup",
        "UserPromptSubmit",
        "PreToolUse-Write",
        "Stop",
        "TeammateIdle-in-subagent-teammate",
    ] {
        recorded(&place, name, &[])?;
    }
    given(&place, "no event")?;
    assert_eq!(trace::of(place.root())?, before);
    assert!(place.daemons()?.is_empty());
    assert_eq!(
        Troubles(place.home())
            .untold("855cf6ed-e06b-402f-8cd5-e8716e9b9770")
            .len(),
        1
    );
    Ok(())
}
