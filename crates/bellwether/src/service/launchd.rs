//! launchd, as an agent of the person's own session.

use super::{DAEMON, MARK, Manager};

/// The agent's name, and its file's.
const LABEL: &str = "bellwether.daemon";

pub(super) const MANAGER: Manager = Manager {
    words: DAEMON,
    file: |folders| {
        let folder = folders.home.join("Library/LaunchAgents");
        folder.join(format!("{LABEL}.plist"))
    },
    link: |_| None,
    text,
    enable: "launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/bellwether.daemon.plist",
    disabled: "launchctl bootout gui/$(id -u)/bellwether.daemon",
};

#[expect(
    clippy::unnecessary_wraps,
    reason = "another manager cannot hold every path"
)]
fn text(words: &[String]) -> anyhow::Result<String> {
    let words: Vec<String> = words
        .iter()
        .map(|word| format!("\t\t<string>{}</string>\n", escaped(word)))
        .collect();
    Ok(format!(
        "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!-- {MARK} -->
<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">
<plist version=\"1.0\">
<dict>
\t<key>Label</key>
\t<string>{LABEL}</string>
\t<key>ProgramArguments</key>
\t<array>
{}\t</array>
\t<key>RunAtLoad</key>
\t<true/>
\t<key>KeepAlive</key>
\t<dict>
\t\t<key>SuccessfulExit</key>
\t\t<false/>
\t</dict>
\t<key>ThrottleInterval</key>
\t<integer>30</integer>
\t<key>ProcessType</key>
\t<string>Interactive</string>
\t<key>Umask</key>
\t<integer>63</integer>
</dict>
</plist>
",
        words.concat()
    ))
}

fn escaped(word: &str) -> String {
    word.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements of a text as they open and close; what is not closed in its turn fails.
    fn elements(text: &str) -> Vec<(usize, String, String)> {
        let mut open: Vec<(String, String)> = Vec::new();
        let mut found = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('<') {
            if let Some((_, content)) = open.last_mut() {
                content.push_str(before);
            }
            let (tag, after) = after.split_once('>').unwrap();
            rest = after;
            match tag {
                _ if tag.starts_with(['?', '!']) => {}
                _ if tag.ends_with('/') => found.push((
                    open.len(),
                    tag.trim_end_matches('/').to_owned(),
                    String::new(),
                )),
                _ if tag.starts_with('/') => {
                    let (name, content) = open.pop().unwrap();
                    assert_eq!(Some(name.as_str()), tag.strip_prefix('/'));
                    found.push((open.len(), name, content));
                }
                _ => open.push((tag.split(' ').next().unwrap().to_owned(), String::new())),
            }
        }
        assert!(open.is_empty());
        found
    }

    #[test]
    fn an_agent_is_well_formed_and_says_what_runs() {
        let words = ["/opt/b/bellwether", "--home", "/a <b> & c", "daemon", "run"];
        let text = text(&words.map(str::to_owned)).unwrap();
        let elements = elements(&text);
        let at = |depth: usize, name: &str| -> Vec<&str> {
            let found = elements
                .iter()
                .filter(|one| one.0 == depth && one.1 == name);
            found.map(|(_, _, content)| content.as_str()).collect()
        };
        let keys = [
            "Label",
            "ProgramArguments",
            "RunAtLoad",
            "KeepAlive",
            "ThrottleInterval",
            "ProcessType",
            "Umask",
        ];
        assert_eq!(at(2, "key"), keys);
        // Each key has one value.
        assert_eq!(
            elements.iter().filter(|one| one.0 == 2).count(),
            2 * keys.len()
        );
        let expected = words.map(escaped);
        assert_eq!(at(3, "string"), expected.each_ref().map(String::as_str));
        assert_eq!(
            (
                elements.last().unwrap().1.as_str(),
                elements.last().unwrap().0
            ),
            ("plist", 0)
        );
    }
}
