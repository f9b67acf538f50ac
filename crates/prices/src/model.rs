//! The name of a model without what says only where it runs and of which day it is.

/// The plain name: `us.anthropic.claude-opus-4-5-20251101-v1:0`, `claude-opus-4-5@20251101` and `claude-opus-4-5[1m]` are
/// all `claude-opus-4-5`.
pub(crate) fn plain(model: &str) -> &str {
    let name = model.find("claude-").map_or(model, |at| &model[at..]);
    let end = name.find(['@', '[', ':']).unwrap_or(name.len());
    let name = without_last(&name[..end], is_revision);
    without_last(name, |part| part == "latest" || is_day(part))
}

/// The name without its last part, if that is such a one.
fn without_last(name: &str, is_such: impl Fn(&str) -> bool) -> &str {
    match name.rsplit_once('-') {
        Some((rest, last)) if is_such(last) => rest,
        _ => name,
    }
}

fn is_day(part: &str) -> bool {
    part.len() == 8 && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_revision(part: &str) -> bool {
    let number = part.strip_prefix('v').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_one_name_wherever_it_runs() {
        for (model, name) in [
            ("claude-opus-5-5", "claude-opus-5-5"),
            ("claude-opus-5-5[1m]", "claude-opus-5-5"),
            ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
            ("claude-opus-4-20250514", "claude-opus-4"),
            (
                "us.anthropic.claude-opus-4-5-20251101-v1:0",
                "claude-opus-4-5",
            ),
            ("claude-opus-4-5@20251101", "claude-opus-4-5"),
            ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
            ("anthropic/claude-opus-5", "claude-opus-5"),
            ("gpt-7", "gpt-7"),
            ("", ""),
        ] {
            assert_eq!(plain(model), name, "{model}");
        }
    }
}
