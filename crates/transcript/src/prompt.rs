//! What stands in a transcript as if the person had said it: a prompt, a command of the client and what it printed, a
//! command for a shell, a word of the client itself.

/// What was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    Person(String),
    /// A command of the client, as it is typed.
    Command(String),
    /// What a command of the client printed.
    Output(String),
    /// A command that the person ran in a shell, as it is typed.
    Shell(String),
    ShellOutput(String),
    /// A background task tells how it is.
    Notification(String),
    /// A hook did not let the turn end, and said why.
    Hook(String),
    Interrupted,
    Nothing,
}

const INTERRUPTED: &str = "[Request interrupted by user";
const HOOK: &str = "Stop hook feedback:";

impl Told {
    pub(crate) fn read(text: &str) -> Self {
        let text = without(text, "system-reminder");
        let text = text.trim();
        if text.is_empty() || text.starts_with("<local-command-caveat>") {
            return Self::Nothing;
        }
        if text.starts_with(INTERRUPTED) {
            return Self::Interrupted;
        }
        if let Some(why) = text.strip_prefix(HOOK) {
            return Self::Hook(why.trim().to_owned());
        }
        if text.starts_with('<')
            && let Some(told) = tagged(text)
        {
            return told;
        }
        Self::Person(text.to_owned())
    }

    /// The same of a line that the client wrote for the model alone: most say nothing to a reader.
    pub(crate) fn read_meta(text: &str) -> Self {
        match Self::read(text) {
            told @ (Self::Hook(_) | Self::Interrupted) => told,
            _ => Self::Nothing,
        }
    }

    /// Whether the agent begins to work on it.
    pub(crate) fn begins_turn(&self) -> bool {
        matches!(
            self,
            Self::Person(_) | Self::Command(_) | Self::Notification(_)
        )
    }
}

fn tagged(text: &str) -> Option<Told> {
    if let Some(name) = inside(text, "command-name") {
        let arguments = inside(text, "command-args").unwrap_or_default();
        return Some(Told::Command(
            format!("{name} {arguments}").trim().to_owned(),
        ));
    }
    if let Some(command) = inside(text, "bash-input") {
        return Some(Told::Shell(command.to_owned()));
    }
    let printed = |out: &str, errors: &str| {
        let parts = [inside(text, out)?, inside(text, errors).unwrap_or_default()];
        Some(parts.join("\n").trim().to_owned())
    };
    if let Some(printed) = printed("bash-stdout", "bash-stderr") {
        return Some(Told::ShellOutput(printed));
    }
    if let Some(printed) = printed("local-command-stdout", "local-command-stderr") {
        return Some(Told::Output(printed));
    }
    let about = inside(text, "task-notification")?;
    let summary = inside(about, "summary").unwrap_or(about);
    Some(Told::Notification(summary.to_owned()))
}

/// What stands between the first pair of such tags.
fn inside<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{tag}>"))?;
    let (inside, _) = rest.split_once(&format!("</{tag}>"))?;
    Some(inside.trim())
}

/// The text without what stands between such tags.
fn without(text: &str, tag: &str) -> String {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(&open) {
        let Some((_, behind)) = after.split_once(&close) else {
            break;
        };
        kept.push_str(before);
        rest = behind;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_client_writes_is_told_from_what_the_person_says() {
        let text = |text: &str| text.to_owned();
        for (said, told) in [
            ("Mend it.", Told::Person(text("Mend it."))),
            (
                "a < b and <b>bold</b>",
                Told::Person(text("a < b and <b>bold</b>")),
            ),
            ("<b>bold</b>", Told::Person(text("<b>bold</b>"))),
            (
                "<system-reminder>x</system-reminder>\nGo <system-reminder>open",
                Told::Person(text("Go <system-reminder>open")),
            ),
            ("<system-reminder>x</system-reminder>", Told::Nothing),
            (
                "<command-name>/model</command-name>\n  <command-message>m</command-message>\n <command-args>sonnet</command-args>",
                Told::Command(text("/model sonnet")),
            ),
            (
                "<local-command-stdout>Set.</local-command-stdout>",
                Told::Output(text("Set.")),
            ),
            ("<local-command-caveat>The command below", Told::Nothing),
            ("<bash-input>ls -l</bash-input>", Told::Shell(text("ls -l"))),
            (
                "<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>",
                Told::ShellOutput(text("a\nb")),
            ),
            (
                "[Request interrupted by user for tool use]",
                Told::Interrupted,
            ),
            (
                "<task-notification>\n<task-id>b1</task-id>\n<summary>The tests are done</summary></task-notification>",
                Told::Notification(text("The tests are done")),
            ),
            (
                "Stop hook feedback:\nRun the tests",
                Told::Hook(text("Run the tests")),
            ),
            ("", Told::Nothing),
        ] {
            assert_eq!(Told::read(said), told, "{said}");
        }
        assert_eq!(
            Told::read_meta("Base directory of this skill"),
            Told::Nothing
        );
        assert_eq!(
            Told::read_meta("Stop hook feedback: x"),
            Told::Hook(text("x"))
        );
    }
}
