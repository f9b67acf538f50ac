//! What differs from program to program.

use super::catalog::Entry;
use super::feature::{Feature, FieldRule, HandlerType};
use super::running::Running;
use super::stand_in::StandIn;
use super::version::{Support, Version};
use crate::event::{Event, Kind, ToolKind};
use crate::fields::Fields;
use crate::reply::Reply;

/// All that is special about one program.
pub struct Wire {
    /// What people call it.
    pub title: &'static str,
    /// The newest version that was read and run; the tables are true for it.
    pub newest: Version,
    pub catalog: &'static [Entry],
    /// The kinds of handler that its settings may name, and the fields of one whose type it checks.
    pub handlers: &'static [HandlerType],
    pub fields: &'static [FieldRule],
    pub variables: Variables,
    pub running: Running,
    pub(crate) feature: fn(Feature) -> Option<Support>,
    /// Reads a payload; one that does not name its event is of the kind that its registration named.
    pub(crate) read: for<'a> fn(&Fields<'a>, Option<Kind>) -> Event<'a>,
    pub(crate) render: fn(Kind, Version, &Reply) -> Rendered,
    pub(crate) tools: Tools,
    /// The oldest version that our plugin is made for: it registers what that one has.
    pub plugin: Version,
    /// What tells a fact in the versions that have no event for it.
    pub stand_ins: &'static [StandIn],
    /// Writes an event of our own making as this program would send it; `None` where nothing stands in for anything.
    pub(crate) write: Option<fn(&Event<'_>) -> String>,
}

/// The tools of a program.
pub struct Tools {
    /// What each tool does.
    pub listed: &'static [(ToolKind, &'static [&'static str])],
    /// How the names of tools begin that an MCP server brings.
    pub mcp: &'static str,
    /// The fields in a command's input that name the folder it runs in.
    pub folders: &'static [&'static str],
}

impl Tools {
    pub(crate) fn kind(&self, name: &str) -> ToolKind {
        let listed = self.listed.iter().find(|(_, names)| names.contains(&name));
        match listed {
            Some((kind, _)) => *kind,
            None if name.starts_with(self.mcp) => ToolKind::Mcp,
            None => ToolKind::Unknown,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.listed
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
    }
}

/// What the hook's process leaves behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rendered {
    /// What it writes to stdout, without the final newline.
    pub stdout: Option<String>,
    pub stderr: Option<String>,
    pub exit: u8,
}

/// The value of a variable, by its name.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What the program tells its hooks by variables of the environment.
pub struct Variables {
    /// The project's folder, under the first of these that is set.
    pub project: &'static [&'static str],
    /// The program's process.
    pub pid: Option<&'static str>,
    /// How it was started.
    pub entrypoint: Option<&'static str>,
    /// `0` when nobody sits in front of it.
    pub attended: Option<&'static str>,
    /// The entry point with a person in front of it.
    pub interactive: &'static str,
    /// Its version.
    pub version: fn(Environment<'_>) -> Option<Version>,
}

impl Variables {
    /// The program says so itself from some version on; before that only its interactive entry point
    /// has a person in front of it.
    pub(super) fn is_attended(&self, env: Environment<'_>) -> bool {
        match self.attended.and_then(env) {
            Some(said) => said != "0",
            None => self
                .entrypoint
                .and_then(env)
                .is_none_or(|entrypoint| entrypoint == self.interactive),
        }
    }

    /// The project's folder.
    pub fn project(&self, env: Environment<'_>) -> Option<String> {
        self.project.iter().find_map(|name| env(name))
    }
}

#[cfg(test)]
mod tests {
    use crate::client::Client;

    #[test]
    fn attended_is_what_the_client_says_else_its_entry_point() {
        let attended = |said: Option<&str>, entrypoint: Option<&str>| {
            let env = |name: &str| match name {
                "CLAUDE_CODE_SESSION_ATTENDED" => said.map(str::to_owned),
                "CLAUDE_CODE_ENTRYPOINT" => entrypoint.map(str::to_owned),
                _ => None,
            };
            Client::default().is_attended(&env)
        };
        assert!(attended(Some("1"), Some("sdk-cli")));
        assert!(!attended(Some("0"), Some("cli")));
        assert!(attended(None, Some("cli")));
        assert!(!attended(None, Some("sdk-py")));
        assert!(attended(None, None));
    }

    #[test]
    fn colours_are_for_terminals() {
        use crate::client::{Product, Version};
        let shown = |client: Client, set: &[(&str, &str)]| {
            let env = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            client.shows_colours(&env)
        };
        let (now, cli) = (Client::default(), ("CLAUDE_CODE_ENTRYPOINT", "cli"));
        assert!(shown(now, &[cli]));
        assert!(!shown(now, &[]));
        assert!(!shown(now, &[("CLAUDE_CODE_ENTRYPOINT", "claude-vscode")]));
        assert!(!shown(now, &[cli, ("NO_COLOR", "1")]));
        assert!(!shown(now, &[cli, ("TERM", "dumb")]));
        let old = Client::new(Product::Claude, Version(1, 0, 64));
        assert!(!shown(old, &[cli]));
    }
}
