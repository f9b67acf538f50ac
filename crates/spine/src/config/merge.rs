//! One layer over another.

use super::{Key, Node, Value};

/// What `over` says counts; maps are joined key by key, everything else is replaced. A key without
/// a value says nothing.
pub fn merge(under: Node, over: Node) -> Node {
    match (under.value, over.value) {
        (value, Value::Null) => Node {
            value,
            place: under.place,
        },
        (Value::Map(below), Value::Map(above)) => Node {
            value: Value::Map(join(below, above)),
            place: over.place,
        },
        (_, value) => Node {
            value,
            place: over.place,
        },
    }
}

fn join(mut below: Vec<(Key, Node)>, above: Vec<(Key, Node)>) -> Vec<(Key, Node)> {
    for (key, node) in above {
        match below.iter().position(|(found, _)| found.text == key.text) {
            Some(at) => {
                let (_, under) = below.swap_remove(at);
                below.push((key, merge(under, node)));
                // The order of the lower layer is kept: it is the order of the reference.
                let last = below.len() - 1;
                below.swap(at, last);
            }
            None => below.push((key, node)),
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::super::{Origin, Place};
    use super::*;

    fn tree(name: &'static str, value: &Json) -> Node {
        Node::from_json(value, &Place::in_whole(Origin::BuiltIn(name)))
    }

    fn plain(node: &Node) -> Json {
        match &node.value {
            Value::Null => Json::Null,
            Value::Bool(flag) => json!(flag),
            Value::Integer(number) => json!(number),
            Value::Float(number) => json!(number),
            Value::Text(text) => json!(text),
            Value::List(items) => items.iter().map(plain).collect(),
            Value::Map(entries) => entries
                .iter()
                .map(|(key, node)| (key.text.clone(), plain(node)))
                .collect(),
        }
    }

    #[test]
    fn maps_are_joined_and_the_rest_is_replaced() {
        let under = json!({"a": {"x": 1, "y": [1, 2]}, "b": 2, "keep": true});
        let over = json!({"a": {"y": [3], "z": null}, "b": {"c": 1}, "keep": null, "new": "n"});
        let merged = merge(tree("under", &under), tree("over", &over));
        let expected =
            json!({"a": {"x": 1, "y": [3], "z": null}, "b": {"c": 1}, "keep": true, "new": "n"});
        assert_eq!(plain(&merged), expected);
        let origin = |path: &[&str]| merged.at(path).unwrap().place.origin.to_string();
        assert_eq!(
            (origin(&["a", "x"]), origin(&["a", "y"])),
            ("under".into(), "over".into())
        );
        let order: Vec<&str> = merged
            .entries()
            .iter()
            .map(|(key, _)| key.text.as_str())
            .collect();
        assert_eq!(order, ["a", "b", "keep", "new"]);
    }
}
