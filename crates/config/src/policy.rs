//! The policy of a machine, as its administrator writes it.

use std::path::Path;

use bellwether_hook::policy::Policy;
use bellwether_spine::config::{Node, Origin, Place, Problem, merge, read};

use crate::yaml;

/// What a policy's text says. Other than a user's file, one with a mistake counts for nothing: the administrator is there to
/// mend it, and until then the one that was compiled before counts.
pub fn policy(path: &Path, text: &str) -> Result<Policy, Problem> {
    let layer = yaml::parse(path, text)?;
    let defaults = serde_json::to_value(Policy::default()).unwrap_or_default();
    let place = Place::in_whole(Origin::BuiltIn("the defaults"));
    read(&merge(Node::from_json(&defaults, &place), layer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_the_defaults_with_what_it_says() {
        let read = |text: &str| policy(Path::new("/p.yaml"), text);
        assert_eq!(read("# nothing\n").unwrap(), Policy::default());
        let said =
            "guard: {mode: strict, protected_branches: [prod]}\ntemporary_allowances: false\n";
        let said = read(said).unwrap();
        assert!(!said.temporary_allowances && said.guard.enabled);
        assert_eq!(said.guard.protected_branches, ["prod"]);
        let error = read("guard:\n  mod: strict\n").unwrap_err().to_string();
        assert!(error.contains("mode") && error.contains('2'), "{error}");
        assert!(
            read("page: {answer: true}\n").is_err(),
            "that is the user's"
        );
    }
}
