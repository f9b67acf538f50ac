//! The reference of the command line.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::Result;
use bellwether_tests::Programs;
use insta::assert_snapshot;

/// The whole reference in one place: a change of the command line is a change of this text.
#[test]
#[expect(clippy::too_many_lines, reason = "the reference is one text")]
fn the_help_of_every_command() -> Result<()> {
    let programs = Programs::built()?;
    let mut reference = String::new();
    for words in [
        &["--help"][..],
        &["install", "--help"],
        &["uninstall", "--help"],
        &["upgrade", "--help"],
        &["versions", "--help"],
        &["completions", "--help"],
        &["man", "--help"],
        &["status", "--help"],
        &["events", "--help"],
        &["announce", "--help"],
        &["mute", "--help"],
        &["unmute", "--help"],
        &["transcript", "show", "--help"],
        &["transcript", "export", "--help"],
        &["transcript", "summary", "--help"],
        &["doctor", "--help"],
        &["overlay", "--help"],
        &["explain", "--help"],
        &["guard", "--help"],
        &["guard", "explain", "--help"],
        &["guard", "test", "--help"],
        &["guard", "log", "--help"],
        &["guard", "replay", "--help"],
        &["guard", "stats", "--help"],
        &["guard", "allow", "--help"],
        &["guard", "rules", "--help"],
        &["gate", "--help"],
        &["gate", "run", "--help"],
        &["gate", "status", "--help"],
        &["gate", "clear", "--help"],
        &["gate", "explain", "--help"],
        &["workflow", "--help"],
        &["workflow", "next", "--help"],
        &["workflow", "set", "--help"],
        &["workflow", "board", "--help"],
        &["daemon", "--help"],
        &["daemon", "start", "--help"],
        &["daemon", "stop", "--help"],
        &["daemon", "run", "--help"],
        &["daemon", "unit", "--help"],
        &["hook", "--help"],
    ] {
        let output = Command::new(programs.main())
            .args(words)
            .env_clear()
            .output()?;
        assert_eq!(output.status.code(), Some(0));
        let help = String::from_utf8(output.stdout)?;
        writeln!(reference, "$ bellwether {}\n{help}", words.join(" "))?;
    }
    assert_snapshot!(reference, @r#"
    $ bellwether --help
    Tells you what your Claude Code agents need, and stops what would destroy your work.

    Claude Code starts `bellwether-hook` at every event; the hook answers within about a millisecond,
    writes the event to a journal and wakes the daemon, which stores it.

    Usage: bellwether [OPTIONS] <COMMAND>

    Commands:
      install      Register the hook with Claude Code, leaving everything else in its settings as it is
      uninstall    Remove the hook from Claude Code's settings
      upgrade      Bring what is registered up to date for the installed Claude Code, and keep what was
                   chosen
      versions     Show which events a version of Claude Code has, and what replaces the others
      status       Show the state of the daemon, the journal and the store
      events       Show what the agents did: the stored events, oldest first
      flock        Show every agent and what it does, live
      export       Write stored events for other programs. Secrets are masked
      purge        Remove stored events, with their payloads
      announce     Show what was announced lately, or what recorded events would announce
      mute         Be silent for a while, or until `unmute`
      unmute       Make announcements again
      say          Say something aloud, as announcements are said
      sounds       List the effects, play them or a file, and export them
      voices       List the voices, and try them
      character    List the characters that can rewrite what is said, and try them
      creature     Draw an agent as SVG, or a gallery of them
      open         Open the page in a browser
      overlay      Show your agents on the desktop
      demo         Show a minute with several agents: on the page and by sound, through the real hook
      forward      Send an event from stdin to a collector over HTTP, starting it if need be
      transcript   Read sessions afterwards: in the terminal, as a page, as Markdown
      doctor       Check the installation, say what to do about problems, and fix them with `--fix`
      explain      Show, as JSON, what would be done with an event, and do nothing
      guard        Explain why something was stopped, show the record, allow something for a while
      gate         Check what is about to be committed, and show what is checked and was found
      workflow     Show where planned work stands, and let it go on
      config       Show, check and trust the configuration
      daemon       Start, stop or look at the daemon. Hooks start it by themselves
      completions  Print a completion script for your shell
      man          Print the manual page, or write one for every command
      hook         Handle one event from stdin, as `bellwether-hook` does. Always exits 0, but for
                   `--wait`: that speaks the agent's last message and ends when it has been heard
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    Everywhere:
          --home <DIR>
              Keep every file of bellwether under this folder instead of the usual ones
              
              [env: BELLWETHER_HOME]

    $ bellwether install --help
    Register the hook with Claude Code, leaving everything else in its settings as it is

    Usage: bellwether install [OPTIONS]

    Options:
          --user                      For all your sessions: ~/.claude/settings.json, or the one in
                                      `CLAUDE_CONFIG_DIR`. The default
          --project                   For everybody in this project: .claude/settings.json in the
                                      current folder
          --local                     For you in this project: .claude/settings.local.json in the
                                      current folder
          --managed                   For every user of this machine, with programs and a policy that
                                      belong to root: needs sudo
          --settings <FILE>           Change this file instead, for instance the one that your
                                      settings.json is a symlink to
          --only <EVENT>              Register only these events, for instance `PreToolUse,Stop`
          --wait                      Register only a hook that speaks the agent's last message at the
                                      end of each turn, and ends when it has been heard. Other entries
                                      of bellwether stay as they are
          --on-failure <WHAT>         What Claude Code does with a tool call when the guard's hook dies
                                      or is missing, where its version has that choice: from 2.1.295 on
                                      [default: block] [possible values: block, allow]
          --managed-hooks-only        With --managed: let Claude Code start no hooks but those of the
                                      managed settings
          --client-version <VERSION>  Register for this version of Claude Code instead of asking `claude
                                      --version`
          --dry-run                   Show what would change, as a diff, and change nothing
      -h, --help                      Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether install                      for all your sessions
      bellwether install --dry-run            only show what would change
      bellwether install --local              only in this project, only for you
      bellwether install --only Stop,SessionStart
      bellwether install --home ~/trial       with all files of bellwether in ~/trial
      sudo bellwether install --managed       for every user of this machine: see docs/guard.md

    Run it again after an update of Claude Code: entries are brought up to date where they stand, and a
    file that is already right is not written. The file as it was before is kept beside it.

    Where bellwether's plugin is on, only the events that it does not bring are registered.

    $ bellwether uninstall --help
    Remove the hook from Claude Code's settings

    Usage: bellwether uninstall [OPTIONS]

    Options:
          --user             For all your sessions: ~/.claude/settings.json, or the one in
                             `CLAUDE_CONFIG_DIR`. The default
          --project          For everybody in this project: .claude/settings.json in the current folder
          --local            For you in this project: .claude/settings.local.json in the current folder
          --managed          For every user of this machine, with programs and a policy that belong to
                             root: needs sudo
          --settings <FILE>  Change this file instead, for instance the one that your settings.json is a
                             symlink to
          --state            Also delete what bellwether has stored: events, journal, logs
          --policy           With --managed: also delete the policy of this machine
          --dry-run          Show what would change, as a diff, and change nothing
      -h, --help             Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether uninstall                    out of your own settings; daemon and overlay are stopped
      bellwether uninstall --local            out of this project's local settings
      bellwether uninstall --dry-run          only show what would change
      bellwether uninstall --state            and delete every stored event
      sudo bellwether uninstall --managed     what was installed for every user of this machine

    $ bellwether upgrade --help
    Bring what is registered up to date for the installed Claude Code, and keep what was chosen

    Usage: bellwether upgrade [OPTIONS]

    Options:
          --managed                   Only the settings of every user of this machine: needs sudo
          --client-version <VERSION>  Register for this version of Claude Code instead of asking `claude
                                      --version`
          --dry-run                   Show what would change, as a diff, and change nothing
          --json                      Print JSON: each file with what was added, updated, removed and
                                      left out
      -h, --help                      Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether upgrade --dry-run            only show what would change
      bellwether upgrade                      your settings, and those of this project
      sudo bellwether upgrade --managed       the settings of every user of this machine

    Events that were left out by `install --only` stay out, and are named; `bellwether install` adds
    them. --home, --wait and --on-failure stay as they were chosen. Files that are up to date
    are not touched.

    $ bellwether versions --help
    Show which events a version of Claude Code has, and what replaces the others

    Usage: bellwether versions [OPTIONS] [VERSION]

    Arguments:
      [VERSION]  The version of Claude Code; without it, the one that is installed

    Options:
          --all   List every version in which an event or a setting came, or went
          --json  Print JSON
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether versions            of the Claude Code that is installed
      bellwether versions 2.0.30     of another one
      bellwether versions --all      what came with which version

    $ bellwether completions --help
    Print a completion script for your shell

    Usage: bellwether completions [OPTIONS] <SHELL>

    Arguments:
      <SHELL>  The shell to write for [possible values: bash, elvish, fish, powershell, zsh]

    Options:
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether completions bash > ~/.local/share/bash-completion/completions/bellwether
      bellwether completions zsh  > ~/.local/share/zsh/site-functions/_bellwether
      bellwether completions fish > ~/.config/fish/completions/bellwether.fish
      bellwether completions elvish > ~/.config/elvish/lib/bellwether.elv     then: use bellwether
      bellwether completions powershell >> $PROFILE                           in PowerShell

    $ bellwether man --help
    Print the manual page, or write one for every command

    Usage: bellwether man [OPTIONS]

    Options:
          --into <FOLDER>  Write a page for every command into this folder instead of the first to
                           stdout
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether man | man -l -               read it
      bellwether man --into ~/.local/share/man/man1

    $ bellwether status --help
    Show the state of the daemon, the journal and the store

    Usage: bellwether status [OPTIONS]

    Options:
          --json  Print JSON
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether events --help
    Show what the agents did: the stored events, oldest first

    Usage: bellwether events [OPTIONS]

    Options:
      -s, --session <S>       Only events of the session whose id begins with S
      -a, --agent <ID>        Only events of this agent
      -e, --event <NAME>      Only events of this name, for instance `PreToolUse`
      -t, --type <TYPE>       Only events of this normalised type, for instance `tool_failed`
          --tool <TOOL>       Only events about this tool, for instance `Bash`
      -p, --project <NAME>    Only events of this project, by the name of its folder
          --severity <LEVEL>  Only events of this severity or higher: debug, info, warn, error
          --since <WHEN>      Only events from then on: `30m`, `2h`, `7d` ago, or a time such as
                              `2026-02-20T15:00:00Z`
          --until <WHEN>      Only events before then
      -q, --search <WORDS>    Only events that contain all these words; the last, from three letters on,
                              may be incomplete
      -n, --limit <N>         At most so many events, counted from the newest; 0 for all [default: 50]
          --json              One JSON object a line: {seq, meta, payload}. Secrets are masked
      -f, --follow            Keep showing new events until interrupted
      -h, --help              Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether announce --help
    Show what was announced lately, or what recorded events would announce

    Usage: bellwether announce [OPTIONS]

    Options:
          --replay <FILE>  Run recorded events with their times through the announcer and print what
                           would be said when: one JSON object a line, as `bellwether events --json`
                           prints them
          --all            Also show what is not said, and why
          --json           One JSON object a line
      -f, --follow         Keep showing new ones until interrupted
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether mute --help
    Be silent for a while, or until `unmute`

    Usage: bellwether mute [OPTIONS] [TIME]

    Arguments:
      [TIME]  For how long: 30m, 2h, 90s, 1d. Without it, and without `--until`, until `unmute`

    Options:
          --until <HH:MM>    Until this time of the day, for instance 18:00
          --project [<DIR>]  Only this project: the current folder, or the one named
      -h, --help             Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether unmute --help
    Make announcements again

    Usage: bellwether unmute [OPTIONS]

    Options:
          --project [<DIR>]  Only this project: the current folder, or the one named. Without it,
                             everything
      -h, --help             Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether transcript show --help
    Show a session in the terminal: turns, tool calls, changes, subagents, what the guard stopped

    Usage: bellwether transcript show [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  A session's id or the beginning of it, or the path of a transcript

    Options:
          --last  The newest session of this project; so it is when none is named
          --full  Show outputs and changes whole
          --json  Print JSON: the overview, then one thing a line
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether transcript export --help
    Write a session as one page for a browser, or as Markdown. Secrets are masked

    Usage: bellwether transcript export [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  A session's id or the beginning of it, or the path of a transcript

    Options:
          --last           The newest session of this project; so it is when none is named
          --html           One page for a browser, with all that it needs inside; so it is when nothing
                           is said
          --md             Markdown
      -o, --output <FILE>  Write to this file, `-` for stdout. Only an export of ours is replaced
          --folder <DIR>   Write into this folder, and an index over the pages that are there.
                           `transcripts.folder` if it is set, else the current folder without an index
          --all            Every session of this project
          --full           Leave out as little as possible of long outputs and large images
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether transcript summary --help
    Print what would be said of the agent's last message

    Usage: bellwether transcript summary [OPTIONS] [FILE]

    Arguments:
      [FILE]  A transcript of the client, or a message as plain text; `-` or nothing for stdin

    Options:
          --mode <MODE>         Which limit counts [default: sentences] [possible values: sentences,
                                characters, full]
          --max-sentences <N>   How many sentences at the most [default: 1]
          --max-characters <N>  How many characters at the most, with `--mode characters` and `full`
                                [default: 80]
          --start <START>       Where to begin [default: action] [possible values: action, beginning]
          --json                Print JSON, with what else is known of the message
      -h, --help                Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether doctor --help
    Check the installation, say what to do about problems, and fix them with `--fix`

    Usage: bellwether doctor [OPTIONS]

    Options:
          --json   Print JSON: an array of findings {check, about, level, text, advice, fix}
          --fix    Fix what can be fixed, and check again
          --sound  Only play something, listen to what the sound server plays, and say what was heard
      -h, --help   Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether overlay --help
    Show your agents on the desktop

    Usage: bellwether overlay [OPTIONS]

    Options:
          --backend <HOW>      How it reaches the screen, whatever the configuration says [possible
                               values: auto, x11, wayland]
          --foreground         Run it in this terminal, which shows what it complains about
          --stop               End it, on every display
          --status             Show where it runs, and whether it is started by itself
          --at-login <on|off>  Have your desktop start it when you log in, or not any more [possible
                               values: on, off]
          --json               Print JSON, with `--status`: {running: [{display, pid}], display,
                               `at_login`, auto, program}
      -h, --help               Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether overlay                      start it on this desktop
      bellwether overlay --at-login on        and whenever you log in
      bellwether overlay --stop

    It runs in the background and ends with your desktop. With `overlay.auto` in the configuration the
    first event of a session on a display starts it.

    $ bellwether explain --help
    Show, as JSON, what would be done with an event, and do nothing

    Usage: bellwether explain [OPTIONS] [FILE]

    Arguments:
      [FILE]  The event as the client sends it, one JSON object; stdin when no file is named

    Options:
          --agent <NAME>      The program that sends it, for instance `gemini` [default: claude]
          --client <VERSION>  Answer as for this version of the program, for instance 2.1.139; the
                              newest when not given
          --event <EVENT>     The event that the hook is registered for; it counts when the payload does
                              not name its own
      -h, --help              Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether guard --help
    Explain why something was stopped, show the record, allow something for a while

    Usage: bellwether guard [OPTIONS] <COMMAND>

    Commands:
      explain  Show what a command would do and how the guard answers. Nothing is run
      test     Check a table of commands against the expected verdicts
      log      Show what was stopped, oldest first, and check that nothing was changed in that record
      replay   Show what would have been stopped in your past sessions. Nothing is run
      stats    Count what was stopped, by rule and by project, and how much of it was right
      allow    Allow something for a while that a rule forbids. For people only
      rules    List the rules, with what each says
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether guard explain --help
    Show what a command would do and how the guard answers. Nothing is run

    Usage: bellwether guard explain [OPTIONS] [COMMAND]

    Arguments:
      [COMMAND]
              The command, as an agent would give it to its shell

    Options:
          --file <PATH>
              A file that would be written, instead of a command

          --cwd <DIR>
              The folder it would run in; this one when not given

          --mode <MODE>
              Use this mode instead of the configured one

              Possible values:
              - loss:   By what would be lost
              - strict: By what is done

          --json
              Print JSON: {verdict, findings, analysis}, and what a yes would be worth

      -h, --help
              Print help (see a summary with '-h')

    Everywhere:
          --home <DIR>
              Keep every file of bellwether under this folder instead of the usual ones
              
              [env: BELLWETHER_HOME]

    Examples:
      bellwether guard explain 'git push --force origin main'
      bellwether guard explain --mode strict 'git reset --hard'
      bellwether guard explain --file .env

    $ bellwether guard test --help
    Check a table of commands against the expected verdicts

    Usage: bellwether guard test [OPTIONS] [FILE]

    Arguments:
      [FILE]
              The table; stdin when no file is named

    Options:
          --cwd <DIR>
              The folder it would run in; this one when not given

          --mode <MODE>
              Use this mode instead of the configured one

              Possible values:
              - loss:   By what would be lost
              - strict: By what is done

          --json
              Print JSON: {rows, wrong}, with {line, what, verdict, rule, reason, via} for each that is
              not as expected

      -h, --help
              Print help (see a summary with '-h')

    Everywhere:
          --home <DIR>
              Keep every file of bellwether under this folder instead of the usual ones
              
              [env: BELLWETHER_HOME]

    A row is one JSON object a line; empty lines and lines that begin with # are skipped:
      {"command": "git push -f origin main", "expect": "deny"}
      {"command": "rm -rf node_modules", "expect": "silent", "cwd": "/home/me/shop"}
      {"file": ".env", "expect": "stop", "mode": "strict"}
    `expect` is deny, ask, silent, or stop for deny or ask.

    $ bellwether guard log --help
    Show what was stopped, oldest first, and check that nothing was changed in that record

    Usage: bellwether guard log [OPTIONS]

    Options:
      -n, --limit <N>  At most so many, counted from the newest; 0 for all [default: 50]
          --json       One JSON object a line, as it stands in audit.jsonl; characters that steer a
                       terminal are escaped
      -f, --follow     Keep showing what is stopped until interrupted
          --verify     Only check that the record is intact: no line changed, removed or added, and
                       nothing missing that the daemon has seen. Exits 1 if not. With --json: {holds,
                       lines, gaps, faults, missing, trouble}
          --review     Say of each stop whether it was right, with one key; the newest first. It is kept
                       on this machine, for `guard stats`
      -h, --help       Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether guard replay --help
    Show what would have been stopped in your past sessions. Nothing is run

    Usage: bellwether guard replay [OPTIONS] [TRANSCRIPT]...

    Arguments:
      [TRANSCRIPT]...  Transcripts of the client; without any, those of this project

    Options:
          --all   Every session of every project
          --json  Print JSON: {calls, asked, refused, `left_out`, projects}, with {project, calls,
                  asked, refused, `per_thousand`, stops} for each, and {verdict, rule, reason, subject,
                  times, `first_ms`} for each stop
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Every command and every change of a file is judged where it was made, on the files as they are now.

    Examples:
      bellwether guard replay                     this project's sessions
      bellwether guard replay --all --json        every project's, as a table for programs

    $ bellwether guard stats --help
    Count what was stopped, by rule and by project, and how much of it was right

    Usage: bellwether guard stats [OPTIONS]

    Options:
          --json  Print JSON: {total, rules, projects}, each with {asked, refused, right, wrong}. Demos
                  are left out
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether guard allow --help
    Allow something for a while that a rule forbids. For people only

    Usage: bellwether guard allow [OPTIONS] <COMMAND|--path <PATH>|--id <ID>|--list|--revoke <ID>|--revoke-all>

    Arguments:
      [COMMAND]  Exactly this command, all of it

    Options:
          --path <PATH>    This file, or all that is in this folder
          --id <ID>        What was stopped under this id
          --for <TIME>     How long: 30s, 10m, 2h; at most 24h [default: 10m]
          --rule <RULE>    Only against this rule
          --project <DIR>  Only in this project
          --list           List what is allowed now
          --json           With --list: print JSON, an array of {id, what, rule, project, `since_ms`,
                           `until_ms`}
          --revoke <ID>    Take back what was allowed under this id
          --revoke-all     Take back all that was allowed
          --managed        For every user of this machine, where a policy holds: needs sudo
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether guard allow 'git push --force origin main' --for 10m
      bellwether guard allow --path .env --for 1h
      bellwether guard allow --id 3f9a1c20be47         what `guard log` shows behind the time
      bellwether guard allow --list
      bellwether guard allow --revoke 3f9a1c20be47
      sudo bellwether guard allow 'git push --force origin main' --managed

    $ bellwether guard rules --help
    List the rules, with what each says

    Usage: bellwether guard rules [OPTIONS]

    Options:
          --json  Print JSON: an array of {id, about, severity, `by_loss`, strict, change}
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether gate --help
    Check what is about to be committed, and show what is checked and was found

    Usage: bellwether gate [OPTIONS] <COMMAND>

    Commands:
      run      Check what is staged, as a commit would be checked. A tree that has passed is remembered
      status   Show what is being checked, what was found last here, and which trees have passed
      clear    Forget which trees have passed here, so that they are checked again
      explain  Show whether commits are checked here, by which checks, and why those
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether gate run --help
    Check what is staged, as a commit would be checked. A tree that has passed is remembered

    Usage: bellwether gate run [OPTIONS]

    Options:
          --tree <TREE>      Check this tree, by its id, instead of what is staged
          --deadline-ms <N>  End after so many milliseconds, whatever has not ended by then
          --again            Check also what has passed before
          --project <DIR>    The folder whose configuration counts; else the nearest one that has some
                             or is trusted
          --json             Print the result as JSON: {outcome, steps, reason, note}
      -h, --help             Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether gate status --help
    Show what is being checked, what was found last here, and which trees have passed

    Usage: bellwether gate status [OPTIONS]

    Options:
          --json  Print JSON: {running, last, passes}
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether gate clear --help
    Forget which trees have passed here, so that they are checked again

    Usage: bellwether gate clear [OPTIONS]

    Options:
          --all   In every work tree, not only in this one
          --json  Print JSON: {forgotten}
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether gate explain --help
    Show whether commits are checked here, by which checks, and why those

    Usage: bellwether gate explain [OPTIONS]

    Options:
          --project <DIR>  The folder whose configuration counts; else the nearest one that has some or
                           is trusted
          --json           Print JSON: whether it is on or why not, the project, where the checks would
                           run, the checks
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether workflow --help
    Show where planned work stands, and let it go on

    Usage: bellwether workflow [OPTIONS] <COMMAND>

    Commands:
      init     Turn the workflow on in a project: make its status file, switch `workflow.enabled` on,
               trust the project
      status   Show where each feature stands, who works on what, and what waits for you
      next     Let a feature go on: pass the checkpoint that it waits at, or grant one more iteration
      set      Put a feature into a phase, or say its match rate
      undo     Take back the last step of a feature. It stays in the history
      archive  Move a finished feature, with its history, into `.bellwether/archive/`
      board    Show the features by phase, live
      import   Take over features from another status file: bkit's `.pdca-status.json`, or one of our
               archives
      help     Print this message or the help of the given subcommand(s)

    Options:
          --project <DIR>  The project [default: the folder with `.bellwether/workflow.json`, here or
                           above]
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether workflow next --help
    Let a feature go on: pass the checkpoint that it waits at, or grant one more iteration

    Usage: bellwether workflow next [OPTIONS] [FEATURE]

    Arguments:
      [FEATURE]  The feature; not needed when only one waits for you

    Options:
          --project <DIR>  The project [default: the folder with `.bellwether/workflow.json`, here or
                           above]
          --reason <TEXT>  Why, for the history
          --json           Print JSON: the feature as it is then
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether workflow set --help
    Put a feature into a phase, or say its match rate

    Usage: bellwether workflow set [OPTIONS] <FEATURE> [PHASE]

    Arguments:
      <FEATURE>  The feature. One that is not there yet begins
      [PHASE]    The phase that it goes to

    Options:
          --project <DIR>   The project [default: the folder with `.bellwether/workflow.json`, here or
                            above]
          --rate <PERCENT>  The match rate that was measured, in percent. An agent may say it too
          --reason <TEXT>   Why, for the history
          --force           Take a step that the workflow does not allow; needs a reason
          --json            Print JSON: the feature as it is then
      -h, --help            Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether workflow board --help
    Show the features by phase, live

    Usage: bellwether workflow board [OPTIONS]

    Options:
          --once           Print the board once and end; the default when stdout is not a terminal
          --project <DIR>  The project [default: the folder with `.bellwether/workflow.json`, here or
                           above]
          --json           Print JSON: what `status --json` prints
      -h, --help           Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether daemon --help
    Start, stop or look at the daemon. Hooks start it by themselves

    Usage: bellwether daemon [OPTIONS] <COMMAND>

    Commands:
      start   Start the daemon in the background, unless it is running
      stop    Stop the daemon, once it has stored everything. The next event starts it again
      status  Show its state: the same as `bellwether status`
      run     Run the daemon in the foreground
      unit    Print, write or remove a file that keeps the daemon running: for systemd or launchd
      help    Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether daemon start --help
    Start the daemon in the background, unless it is running

    Usage: bellwether daemon start [OPTIONS]

    Options:
          --port <PORT>          The port for HTTP on 127.0.0.1; 0 for none [default: `daemon.port` in
                                 the configuration]
          --idle-exit <SECONDS>  End after so many seconds without anything to do, or `never`; the next
                                 event starts it again [default: `daemon.idle_exit` in the
                                 configuration]
          --json                 Print JSON: {started, pid}
      -h, --help                 Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether daemon stop --help
    Stop the daemon, once it has stored everything. The next event starts it again

    Usage: bellwether daemon stop [OPTIONS]

    Options:
          --json  Print JSON: {stopped}
      -h, --help  Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether daemon run --help
    Run the daemon in the foreground

    Usage: bellwether daemon run [OPTIONS]

    Options:
          --port <PORT>          The port for HTTP on 127.0.0.1; 0 for none [default: `daemon.port` in
                                 the configuration]
          --idle-exit <SECONDS>  End after so many seconds without anything to do, or `never`; the next
                                 event starts it again [default: `daemon.idle_exit` in the
                                 configuration]
      -h, --help                 Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    $ bellwether daemon unit --help
    Print, write or remove a file that keeps the daemon running: for systemd or launchd

    Usage: bellwether daemon unit [OPTIONS]

    Options:
          --systemd  For systemd; the default except on macOS
          --launchd  For launchd: the default on macOS
          --install  Write the file
          --remove   Remove the file
      -h, --help     Print help

    Everywhere:
          --home <DIR>  Keep every file of bellwether under this folder instead of the usual ones [env:
                        BELLWETHER_HOME]

    Examples:
      bellwether daemon unit                  print it
      bellwether daemon unit --install        write it, and say what to do next
      bellwether daemon unit --remove

    Hooks start the daemon by themselves, and it ends when it has been idle; a service keeps one running
    from login on. A file that you have changed is left as it is.

    $ bellwether hook --help
    bellwether-hook 0.1.0: reads one event of Claude Code from stdin, answers it, and always exits 0

    Usage: bellwether-hook [--home DIR] [--agent NAME] [--client VERSION] [--from NAME] [--event EVENT] [--managed] [--no-daemon]

      --home DIR        keep every file of bellwether under this folder
      --agent NAME      the program it is registered with: claude, gemini
      --client VERSION  the version of that program
      --from NAME       which registration calls it: user, project, local, managed, plugin
      --event EVENT     the event it is registered for, where the program does not name it
      --managed         the policy of this machine in /etc/bellwether counts
      --no-daemon       start no daemon
    "#);
    Ok(())
}
