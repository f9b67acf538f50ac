//! What a source means without saying it where it acts: a file that is only made where there is none, and Perl's `$_`.

use super::Language;
use crate::text::Text;

/// Perl's `unlink` without a word takes `$_`, as in `find(sub { unlink }, "src")`; the name is put in.
pub(crate) fn with_topic(language: Language, source: &Text) -> Option<Text> {
    let source = source.known().filter(|_| language == Language::Perl)?;
    // What it may take there is of no worth.
    if source.contains("\"/tmp/") || source.contains("'/tmp/") {
        return None;
    }
    let mut named = String::new();
    let mut rest = source;
    while let Some(at) = ["unlink", "rmdir"]
        .iter()
        .filter_map(|verb| Some(rest.find(verb)? + verb.len()))
        .min()
    {
        named.push_str(&rest[..at]);
        rest = &rest[at..];
        let next = rest.trim_start();
        let bare = next.is_empty()
            || next.starts_with(['}', ';', ')'])
            || ["if ", "unless ", "and ", "or ", "for "]
                .iter()
                .any(|word| next.starts_with(word));
        if bare {
            named.push_str(" $_ ");
        }
    }
    named.push_str(rest);
    Some(Text::plain(named))
}

/// Whether a source writes a file only where there is none: `file_exists('a') || copy('b', 'a')`,
/// `if not os.path.exists('a')`.
pub(crate) fn is_made_anew(source: &str, path: &str) -> bool {
    let mut rest = source;
    while let Some(at) = rest.find("exist") {
        let (before, behind) = rest.split_at(at);
        rest = &behind["exist".len()..];
        let Some((name, arguments)) = rest.split_once('(') else {
            return false;
        };
        let Some((argument, after)) = arguments.split_once(')') else {
            return false;
        };
        let is_call = name
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "_?".contains(char));
        let is_path = argument.trim().trim_matches(['"', '\'']) == path;
        let head = before
            .trim_end_matches(|char: char| char.is_ascii_alphanumeric() || "_.:".contains(char))
            .trim_end();
        let after = after.trim_start();
        let otherwise = ["||", "or ", "?:"]
            .iter()
            .any(|word| after.starts_with(word))
            || head.ends_with('!')
            || head.ends_with("not")
            || head.ends_with("unless");
        if is_call && is_path && otherwise {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_anew_where_its_absence_is_a_condition() {
        for (source, expected) in [
            ("file_exists('.env') || copy('a', '.env');", true),
            ("if (!file_exists('.env')) { copy('a', '.env'); }", true),
            ("os.path.exists('.env') or shutil.copy('a', '.env')", true),
            ("if not os.path.exists('.env'): open('.env', 'w')", true),
            ("cp('a', '.env') unless File.exist?('.env')", true),
            ("if (file_exists('.env')) { copy('a', '.env'); }", false),
            ("file_exists('.env') && copy('a', '.env');", false),
            ("file_exists('a') || copy('a', '.env');", false),
            ("copy('a', '.env'); // it may exist", false),
        ] {
            assert_eq!(is_made_anew(source, ".env"), expected, "{source}");
        }
    }

    #[test]
    fn what_perl_deletes_without_a_word_gets_its_name() {
        let named = |source: &str| {
            with_topic(Language::Perl, &Text::plain(source)).map(|text| text.shown())
        };
        assert_eq!(
            named("find(sub { unlink }, 'src')").as_deref(),
            Some("find(sub { unlink $_  }, 'src')")
        );
        assert_eq!(named("unlink 'a'").as_deref(), Some("unlink 'a'"));
        assert_eq!(named("find(sub { unlink }, '/tmp/x')"), None);
        assert_eq!(with_topic(Language::Ruby, &Text::plain("unlink")), None);
    }
}
