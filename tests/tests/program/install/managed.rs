//! Installing for every user of a machine: what is put in place, what it withstands, and what is left of it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use bellwether_tests::managed::{administrator, printed};
use bellwether_tests::run::said;
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Lists what an installation touches, with owner, mode and content.
const LISTED: &str = r#"
    listed() {
        find /etc/claude-code /etc/bellwether /usr/local -printf '%p %u %m %l\n' 2> /dev/null | sed 's/ $//' | sort
        cat /etc/claude-code/managed-settings.json 2> /dev/null || true
    }
    at_terminal() { script -qec "$*" /dev/null < /dev/null; }
    INSTALL="$CLI install --managed --client-version 2.1.325"
"#;

fn folder() -> Result<tempfile::TempDir> {
    Ok(tempfile::Builder::new().prefix("bw-managed-").tempdir()?)
}

#[test]
fn a_machine_is_managed_and_then_as_it_was() -> Result<()> {
    let folder = folder()?;
    let said = printed(
        folder.path(),
        &format!(
            r#"{LISTED}
            $INSTALL --dry-run > /dev/null
            test ! -e /etc/bellwether
            $INSTALL
            echo ---
            listed | grep -v '^ \|^[{{}}]'
            echo ---
            $INSTALL
            echo ---
            test "$(stat -c %a /etc/claude-code/managed-settings.json)" = 644
            /usr/local/bin/bellwether status | grep ^mode
            at_terminal "$CLI uninstall --managed"
            echo ---
            listed
            at_terminal "$CLI uninstall --managed --policy"
            test ! -e /etc/bellwether || ls -la /etc/bellwether
            "#
        ),
    )?;
    let programs = bellwether_tests::Programs::built()?;
    let programs = programs
        .main()
        .parent()
        .context("a folder")?
        .display()
        .to_string();
    assert_snapshot!(said.replace(&programs, "DIST"), @"
    3 programs in place: /usr/local/lib/bellwether/bellwether-hook, /usr/local/lib/bellwether/bellwether-overlay, /usr/local/lib/bellwether/bellwether
    the policy of this machine is /etc/bellwether/policy.yaml
    installed in /etc/claude-code/managed-settings.json for Claude Code 2.1.325: added 30 events

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          sudo bellwether uninstall --managed
    ---
    /etc/bellwether root 755
    /etc/bellwether/installed.json root 644
    /etc/bellwether/policy.snapshot root 644
    /etc/bellwether/policy.yaml root 644
    /etc/claude-code root 755
    /etc/claude-code/managed-settings.json root 644
    /usr/local root 755
    /usr/local/bin root 755
    /usr/local/bin/bellwether root 777 ../lib/bellwether/bellwether
    /usr/local/lib root 755
    /usr/local/lib/bellwether root 755
    /usr/local/lib/bellwether/bellwether root 755
    /usr/local/lib/bellwether/bellwether-hook root 755
    /usr/local/lib/bellwether/bellwether-overlay root 755
    ---
    already installed in /etc/claude-code/managed-settings.json for Claude Code 2.1.325; nothing changed
    ---
    mode     managed: the guard obeys /etc/bellwether/policy.yaml
    uninstalled from /etc/claude-code/managed-settings.json
    the policy is kept in /etc/bellwether/policy.yaml; `sudo bellwether uninstall --managed --policy` deletes it
    ---
    /etc/bellwether root 755
    /etc/bellwether/policy.yaml root 644
    /usr/local root 755
    /usr/local/bin root 755
    /usr/local/lib root 755
    not installed: there is no /etc/claude-code/managed-settings.json
    ");
    Ok(())
}

/// Settings that an administrator has already are kept byte for byte, with and without the switch.
#[test]
fn other_settings_of_the_machine_stay_byte_for_byte() -> Result<()> {
    for before in [
        "{\n  \"model\": \"opus\"\n}\n",
        "{\"allowManagedHooksOnly\": true, \"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]}]}}",
        "{\r\n\t\"hooks\": {},\r\n\t\"env\": {\"A\": \"b\"}\r\n}",
    ] {
        let folder = folder()?;
        fs::write(folder.path().join("before"), before)?;
        printed(
            folder.path(),
            &format!(
                r#"{LISTED}
                mkdir -m 755 /etc/claude-code
                cp before /etc/claude-code/managed-settings.json
                for option in "" --managed-hooks-only; do
                    $INSTALL $option
                    grep -q bellwether-hook /etc/claude-code/managed-settings.json
                    [ -z "$option" ] || grep -q '"allowManagedHooksOnly": *true' /etc/claude-code/managed-settings.json
                    at_terminal "$CLI uninstall --managed --policy"
                    cmp before /etc/claude-code/managed-settings.json
                    test "$(ls -A /etc/claude-code)" = managed-settings.json
                    test ! -e /etc/bellwether && test ! -e /usr/local/lib/bellwether && test ! -e /usr/local/bin/bellwether
                done
                "#
            ),
        )
        .with_context(|| before.to_owned())?;
    }
    Ok(())
}

#[test]
fn without_root_it_says_what_to_do() -> Result<()> {
    let folder = folder()?;
    fs::set_permissions(
        folder.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )?;
    let output = administrator(
        folder.path(),
        r#"
        cp "$CLI" "$CLI-hook" /usr/local/bin && chmod 755 /usr/local/bin/*
        for words in "install --managed" "config compile --managed" "guard allow ls --managed"; do
            setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp /usr/local/bin/bellwether $words --client-version 2.1.325 2>&1 && exit 1 || true
            setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp /usr/local/bin/bellwether $words 2>&1 && exit 1 || echo "exit $?"
        done
        "#,
    )?;
    let said = said(&output);
    assert!(
        said.contains(
            "only the administrator of this machine can do this: sudo bellwether install --managed"
        ),
        "{said}"
    );
    assert!(
        said.contains("sudo bellwether config compile --managed"),
        "{said}"
    );
    assert!(said.matches("exit 77").count() >= 2, "{said}");
    Ok(())
}

fn call(command: &str) -> String {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/srv/proj", "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_1",
    })
    .to_string()
}

/// Runs the managed hook on a call in each of these worlds; prints the decision of each.
fn decisions(folder: &Path, setup: &str, worlds: &[&str]) -> Result<Vec<(String, String)>> {
    fs::write(folder.join("push"), call("git push --force origin main"))?;
    let mut script = format!(
        r#"{LISTED}
        {setup}
        HOOK="/usr/local/lib/bellwether/bellwether-hook --client 2.1.325 --from managed --managed --no-daemon"
        "#
    );
    for world in worlds {
        script.extend([
            "\n( ",
            world,
            "\n) < push > out || true\necho \"@ $(cat out)\"",
        ]);
    }
    let said = printed(folder, &script)?;
    let replies = said.lines().filter_map(|line| line.strip_prefix("@ "));
    let decided = replies.map(|reply| {
        let reply: Value = serde_json::from_str(reply).unwrap_or_default();
        let decision = &reply["hookSpecificOutput"]["permissionDecision"];
        decision.as_str().unwrap_or("nothing").to_owned()
    });
    Ok(worlds
        .iter()
        .map(|world| (*world).to_owned())
        .zip(decided)
        .collect())
}

#[test]
fn nothing_of_a_user_makes_it_milder() -> Result<()> {
    let folder = folder()?;
    let worlds = [
        "$HOOK",
        // Everything that a user can say against it.
        r#"mkdir -p .config/bellwether; printf 'guard: {enabled: false, allow: [{command: "*"}]}\n' > .config/bellwether/config.yaml
           "$CLI" config compile; (cd / && "$CLI" config compile --project /srv/proj); exec $HOOK"#,
        r#"mkdir -p .local/state/bellwether; printf '{"grants":[{"what":{"command":{"hash":"%s","shown":"x"}},"since_ms":0,"until_ms":99999999999999}]}' "$(printf 'git push --force origin main' | sha256sum | cut -d' ' -f1)" > .local/state/bellwether/allow.json
           exec $HOOK"#,
        "rm -rf .local/state/bellwether; exec $HOOK",
        "rm -rf .local/state/bellwether/config; mkdir -p .local/state/bellwether/config; mkfifo .local/state/bellwether/config/none.snapshot; exec $HOOK",
        "HOME=/proc/nowhere exec $HOOK",
        "HOME= exec $HOOK",
        "unset HOME; exec env -u HOME $HOOK",
        "HOME=/dev/null exec $HOOK",
        "CLAUDE_CONFIG_DIR=/tmp/elsewhere exec $HOOK",
        "BELLWETHER_HOME=$PWD/other exec $HOOK",
        "XDG_CONFIG_HOME=$PWD/.config XDG_STATE_HOME=$PWD/.local/state exec $HOOK",
        "AI_AGENT=claude-code_0-0-0 exec $HOOK",
        // What is wrong with the policy makes it stricter, not milder.
        "chmod 666 /etc/bellwether/policy.snapshot; $HOOK; chmod 644 /etc/bellwether/policy.snapshot",
        "chmod 777 /etc/bellwether; $HOOK; chmod 755 /etc/bellwether",
        "rm /etc/bellwether/policy.snapshot; exec $HOOK",
    ];
    for (world, decision) in decisions(folder.path(), "$INSTALL", &worlds)? {
        assert_eq!(decision, "deny", "{world}");
    }
    Ok(())
}

#[test]
fn the_policy_counts_once_it_is_compiled_and_the_last_good_one_until_then() -> Result<()> {
    let folder = folder()?;
    let policy = "/etc/bellwether/policy.yaml";
    let off =
        format!("echo 'guard: {{rules: {{git-push: {{enabled: false}}}}}}' > {policy}; exec $HOOK");
    let compiled = "\"$CLI\" config compile --managed > /dev/null; exec $HOOK";
    let broken = format!(
        "echo 'guard: {{enabled: maybe}}' > {policy}; ! \"$CLI\" config compile --managed 2> /dev/null; exec $HOOK"
    );
    let allowed = format!(
        "echo > {policy}; \"$CLI\" config compile --managed > /dev/null; at_terminal \"$CLI guard allow 'git push --force origin main' --managed\" > /dev/null; exec $HOOK"
    );
    let not_allowed = format!(
        "echo 'temporary_allowances: false' > {policy}; \"$CLI\" config compile --managed > /dev/null; exec $HOOK"
    );
    let worlds = [off.as_str(), compiled, &broken, &allowed, &not_allowed];
    let decided = decisions(folder.path(), "$INSTALL", &worlds)?;
    let decided: Vec<&str> = decided
        .iter()
        .map(|(_, decision)| decision.as_str())
        .collect();
    assert_eq!(decided, ["deny", "nothing", "nothing", "nothing", "deny"]);
    Ok(())
}

/// One event that reaches a user's hook and the machine's is stored and put on record once.
#[test]
fn two_registrations_are_one_event() -> Result<()> {
    let folder = folder()?;
    fs::write(
        folder.path().join("push"),
        call("git push --force origin main"),
    )?;
    let said = printed(
        folder.path(),
        &format!(
            r#"{LISTED}
            $INSTALL > /dev/null
            HOOK=/usr/local/lib/bellwether/bellwether-hook
            $HOOK --client 2.1.325 --from user --no-daemon < push > one &
            $HOOK --client 2.1.325 --from managed --managed --no-daemon < push > two
            wait
            echo "denied $(cat one two | grep -o '"deny"' | wc -l)"
            echo "stored $("$CLI" events --json --limit 0 | grep -c PreToolUse)"
            echo "recorded $(wc -l < .local/state/bellwether/audit.jsonl) $(wc -l < .local/state/bellwether/security.log)"
            "$CLI" guard log --verify | tail -1
            at_terminal "$CLI daemon stop" > /dev/null
            "#
        ),
    )?;
    assert!(
        said.contains("denied 2\nstored 1\nrecorded 1 1\n"),
        "{said}"
    );
    Ok(())
}
