//! A switch at the top of the client's settings: put in behind everything else, and taken out again.

use super::document::Document;
use super::edit;
use super::foreign::foreign;
use super::json::Value;
use super::register::Refusal;
use super::remove;

/// Lets the client start no hooks but those of the managed settings.
pub(crate) const MANAGED_HOOKS_ONLY: &str = "allowManagedHooksOnly";

/// Whether a switch is there, and on.
pub(crate) fn is_on(document: &Document, name: &str) -> bool {
    let value = document.root().get(name).map(|node| &node.value);
    value == Some(&Value::Bool(true))
}

/// The text with the switch on.
pub(crate) fn switched_on(document: &Document, name: &str) -> Result<String, Refusal> {
    if is_on(document, name) {
        return Ok(document.text().to_owned());
    }
    if let Some(node) = document.root().get(name) {
        return Err(Refusal::SaidOtherwise {
            name: name.to_owned(),
            place: document.place(node),
        });
    }
    let text = edit::add_member(document, name, &true);
    verify(&Document::parse(text.clone())?, document, name)?;
    Ok(text)
}

/// The text without the switch.
pub(crate) fn without(document: &Document, name: &str) -> Result<String, Refusal> {
    if document.root().get(name).is_none() {
        return Ok(document.text().to_owned());
    }
    let text = remove::remove_member(document, name);
    verify(document, &Document::parse(text.clone())?, name)?;
    Ok(text)
}

/// Two texts may differ in the switch and in nothing else.
fn verify(with: &Document, without: &Document, name: &str) -> Result<(), Refusal> {
    let (with, without) = (foreign(with), foreign(without));
    let switch = format!("{name:?}:true");
    let rest = with
        .strip_suffix(&switch)
        .map(|rest| rest.strip_suffix(',').unwrap_or(rest));
    let anywhere = with.replacen(&format!("{switch},"), "", 1);
    if rest == Some(without.as_str()) || anywhere == without {
        return Ok(());
    }
    Err(Refusal::Unsafe("other settings differ"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_goes_in_and_out_byte_for_byte() {
        for text in [
            "{}",
            "{}\n",
            "{\n  \"model\": \"opus\"\n}\n",
            "{\"a\": 1, \"hooks\": {\"Stop\": []}}",
            "{\r\n\t\"a\": {\"b\": [1, 2]},\r\n\t\"c\": null\r\n}",
        ] {
            let before = Document::parse(text).unwrap();
            let on = switched_on(&before, MANAGED_HOOKS_ONLY).unwrap();
            let after = Document::parse(on.clone()).unwrap();
            assert!(is_on(&after, MANAGED_HOOKS_ONLY), "{on}");
            assert_eq!(switched_on(&after, MANAGED_HOOKS_ONLY).unwrap(), on);
            let off = without(&after, MANAGED_HOOKS_ONLY).unwrap();
            assert_eq!(off.trim_end(), text.trim_end());
        }
    }

    #[test]
    fn what_somebody_said_is_not_overruled() {
        let document = Document::parse(r#"{"allowManagedHooksOnly": false}"#).unwrap();
        let refused = switched_on(&document, MANAGED_HOOKS_ONLY).unwrap_err();
        assert!(
            refused.to_string().contains("line 1, column 27"),
            "{refused}"
        );
        let document =
            Document::parse(r#"{"a": 1, "allowManagedHooksOnly": true, "b": 2}"#).unwrap();
        assert_eq!(
            without(&document, MANAGED_HOOKS_ONLY).unwrap(),
            r#"{"a": 1, "b": 2}"#
        );
    }
}
