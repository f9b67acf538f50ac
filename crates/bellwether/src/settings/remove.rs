//! Taking handlers out of the text, and with them what would be left empty.
//!
//! A group, an event or `hooks` that only held what is removed goes too, unless it was there and
//! empty before us: then it is written again as it was. That is the one thing that adding loses,
//! and the reason for which the text before us is kept.

use std::ops::Range;

use super::document::{Document, Entry};
use super::edit::{Splice, spliced};
use super::json::{Member, Node};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Text(String),
    /// Not one member, and before us there were not even the braces.
    Nothing,
}

/// Takes entries out; `before` is the text before us, if it is known.
pub(super) fn remove(
    document: &Document,
    entries: &[Entry<'_>],
    before: Option<&Document>,
) -> Left {
    let (Some(hooks), false) = (document.hooks(), entries.is_empty()) else {
        return Left::Text(document.text().to_owned());
    };
    let removal = Removal {
        document,
        before,
        gone: entries
            .iter()
            .map(|entry| entry.handler().span.start)
            .collect(),
    };
    match removal.of_hooks(hooks) {
        Cut::Parts(splices) => Left::Text(spliced(document.text(), splices)),
        Cut::Whole => removal.of_root(),
    }
}

/// Takes a member out of the settings.
pub(super) fn remove_member(document: &Document, name: &str) -> String {
    let root = document.root();
    let members = root.members().iter().map(|member| {
        let cut = if member.name == name {
            Cut::Whole
        } else {
            Cut::Parts(Vec::new())
        };
        (member.span(), cut)
    });
    let splices = match joined(members) {
        Cut::Parts(splices) => splices,
        Cut::Whole => vec![Splice {
            at: root.span.clone(),
            text: "{}".to_owned(),
        }],
    };
    spliced(document.text(), splices)
}

/// What has to be cut so that something holds nothing that shall be gone.
enum Cut {
    /// These parts; something is left.
    Parts(Vec<Splice>),
    /// All of it: nothing would be left.
    Whole,
}

struct Removal<'a> {
    document: &'a Document,
    before: Option<&'a Document>,
    /// Where the handlers begin that shall be gone.
    gone: Vec<usize>,
}

impl Removal<'_> {
    fn of_root(&self) -> Left {
        let root = self.document.root();
        let members = root.members();
        let children = members.iter().map(|member| {
            let cut = if member.name == "hooks" {
                Cut::Whole
            } else {
                Cut::Parts(Vec::new())
            };
            (member.span(), cut)
        });
        match joined(children) {
            Cut::Parts(splices) => Left::Text(spliced(self.document.text(), splices)),
            Cut::Whole => self.empty_root(),
        }
    }

    /// Only braces are left: as they were before us, or nothing at all.
    fn empty_root(&self) -> Left {
        let root = self.document.root();
        match self.before.map(|before| (before, before.root())) {
            Some((before, empty)) if empty.members().is_empty() => {
                let text = before.text_at(empty.span.clone()).to_owned();
                let at = root.span.clone();
                Left::Text(spliced(self.document.text(), vec![Splice { at, text }]))
            }
            _ => Left::Nothing,
        }
    }

    fn of_hooks(&self, hooks: &Node) -> Cut {
        let before = self.before.and_then(Document::hooks);
        let events = hooks.members().iter().map(|event| {
            let empty = before.and_then(|before| before.get(&event.name));
            (
                event.span(),
                self.or_empty_again(&event.value, self.of_event(event), empty),
            )
        });
        self.or_empty_again(hooks, joined(events), before)
    }

    fn of_event(&self, event: &Member) -> Cut {
        let groups = event.value.items().iter();
        joined(groups.map(|group| (group.span.clone(), self.of_group(group))))
    }

    fn of_group(&self, group: &Node) -> Cut {
        let handlers = group.get("hooks").map(Node::items).unwrap_or_default();
        joined(handlers.iter().map(|handler| {
            let gone = self.gone.contains(&handler.span.start);
            let cut = if gone {
                Cut::Whole
            } else {
                Cut::Parts(Vec::new())
            };
            (handler.span.clone(), cut)
        }))
    }

    /// What was there and empty before us is not cut but emptied.
    fn or_empty_again(&self, node: &Node, cut: Cut, before: Option<&Node>) -> Cut {
        let (Cut::Whole, Some(text), Some(empty)) = (&cut, self.before, before) else {
            return cut;
        };
        if !empty.items().is_empty() || !empty.members().is_empty() {
            return cut;
        }
        let text = text.text_at(empty.span.clone()).to_owned();
        Cut::Parts(vec![Splice {
            at: node.span.clone(),
            text,
        }])
    }
}

/// Joins the cuts of neighbours: those that go take the comma before them along, or, where nothing
/// before them stays, the one behind them. What has no children was empty already and stays.
fn joined(children: impl Iterator<Item = (Range<usize>, Cut)>) -> Cut {
    let children: Vec<_> = children.collect();
    let stays = |(_, cut): &(Range<usize>, Cut)| matches!(cut, Cut::Parts(_));
    let Some(first_kept) = children.iter().position(stays) else {
        return if children.is_empty() {
            Cut::Parts(Vec::new())
        } else {
            Cut::Whole
        };
    };
    let mut splices = Vec::new();
    let mut cut = |at| {
        splices.push(Splice {
            at,
            text: String::new(),
        });
    };
    if first_kept > 0 {
        cut(children[0].0.start..children[first_kept].0.start);
    }
    let mut kept_end = children[first_kept].0.end;
    for (span, child) in &children[first_kept..] {
        match child {
            Cut::Parts(_) => kept_end = span.end,
            // Each of a row of neighbours takes the gap before itself.
            Cut::Whole => {
                cut(kept_end..span.end);
                kept_end = span.end;
            }
        }
    }
    splices.extend(children.into_iter().flat_map(|(_, cut)| match cut {
        Cut::Parts(splices) => splices,
        Cut::Whole => Vec::new(),
    }));
    Cut::Parts(splices)
}
