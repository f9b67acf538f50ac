//! YAML into a tree with places.

use std::path::Path;
use std::sync::Arc;

use bellwether_spine::config::{Key, Node, Origin, Place, Problem, Value};
use saphyr::{LoadableYamlNode as _, MarkedYaml, Marker, Scalar, YamlData};
use saphyr_parser::{Event, Parser};

/// No configuration is nested more deeply.
const DEEPEST: usize = 32;

/// Reads the text of a file. An empty one is an empty map.
pub(crate) fn parse(file: &Path, text: &str) -> Result<Node, Problem> {
    let origin = Origin::File(Arc::new(file.to_owned()));
    let complain = |place: Place, message: String| Problem {
        place,
        path: String::new(),
        message,
        suggestion: None,
    };
    if let Some(at) = too_deep(text) {
        return Err(complain(
            place(&origin, &at),
            format!("is nested deeper than {DEEPEST} levels"),
        ));
    }
    let documents = MarkedYaml::load_from_str(text)
        .map_err(|error| complain(place(&origin, error.marker()), error.info().to_owned()))?;
    match documents.as_slice() {
        [] => Ok(Node::empty(Place::in_whole(origin))),
        [document] => convert(document, &origin),
        [_, second, ..] => Err(complain(
            place(&origin, &second.span.start),
            "only one document is read; remove the line `---`".to_owned(),
        )),
    }
}

/// Where the text is nested too deeply, if it is. Whatever is made of it would be walked by functions
/// that call themselves, and a stack ends.
fn too_deep(text: &str) -> Option<Marker> {
    let mut depth = 0_usize;
    for event in Parser::new_from_str(text) {
        match event.ok()? {
            (Event::SequenceStart(..) | Event::MappingStart(..), span) => {
                depth += 1;
                if depth > DEEPEST {
                    return Some(span.start);
                }
            }
            (Event::SequenceEnd | Event::MappingEnd, _) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn place(origin: &Origin, marker: &Marker) -> Place {
    Place {
        origin: origin.clone(),
        line: marker.line(),
        column: marker.col() + 1,
    }
}

fn convert(yaml: &MarkedYaml<'_>, origin: &Origin) -> Result<Node, Problem> {
    let here = place(origin, &yaml.span.start);
    let complain = |message: &str| Problem {
        place: here.clone(),
        path: String::new(),
        message: message.to_owned(),
        suggestion: None,
    };
    let value = match &yaml.data {
        YamlData::Value(scalar) => of_scalar(scalar),
        YamlData::Sequence(items) => Value::List(
            items
                .iter()
                .map(|item| convert(item, origin))
                .collect::<Result<_, _>>()?,
        ),
        YamlData::Mapping(entries) => Value::Map(
            entries
                .iter()
                .map(|(key, value)| Ok((to_key(key, origin)?, convert(value, origin)?)))
                .collect::<Result<_, Problem>>()?,
        ),
        YamlData::Tagged(_, inner) => return convert(inner, origin),
        YamlData::Representation(text, ..) => Value::Text(text.to_string()),
        YamlData::Alias(_) | YamlData::BadValue => {
            return Err(complain("this value cannot be read"));
        }
    };
    Ok(Node { value, place: here })
}

fn of_scalar(scalar: &Scalar<'_>) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(flag) => Value::Bool(*flag),
        Scalar::Integer(number) => Value::Integer(*number),
        Scalar::FloatingPoint(number) => Value::Float(number.into_inner()),
        Scalar::String(text) => Value::Text(text.to_string()),
    }
}

fn to_key(yaml: &MarkedYaml<'_>, origin: &Origin) -> Result<Key, Problem> {
    let place = place(origin, &yaml.span.start);
    match &yaml.data {
        YamlData::Value(Scalar::String(text)) => Ok(Key {
            text: text.to_string(),
            place,
        }),
        YamlData::Value(Scalar::Integer(number)) => Ok(Key {
            text: number.to_string(),
            place,
        }),
        YamlData::Value(Scalar::Boolean(flag)) => Ok(Key {
            text: flag.to_string(),
            place,
        }),
        _ => Err(Problem {
            place,
            path: String::new(),
            message: "a key must be a word".to_owned(),
            suggestion: None,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_places() {
        let node = parse(Path::new("/c.yaml"), "a: 1\nb:\n  c: [x, 1.5, true, ~]\n").unwrap();
        let list = node.at(&["b", "c"]).unwrap();
        assert_eq!(list.place.to_string(), "/c.yaml:3:6");
        let Value::List(items) = &list.value else {
            panic!("{list:?}")
        };
        let values: Vec<_> = items.iter().map(|item| item.value.clone()).collect();
        assert_eq!(
            values,
            [
                Value::Text("x".into()),
                Value::Float(1.5),
                Value::Bool(true),
                Value::Null
            ]
        );
        assert_eq!(
            parse(Path::new("/c.yaml"), "# nothing\n")
                .unwrap()
                .entries()
                .len(),
            0
        );
    }

    #[test]
    fn depth_and_repetition_harm_nobody() {
        for text in [
            "- ".repeat(200_000),
            "a: ".repeat(2),
            "[".repeat(100_000),
            "{a: ".repeat(100_000),
        ] {
            assert!(
                parse(Path::new("/c.yaml"), &text).is_err(),
                "{}",
                &text[..10]
            );
        }
        let bomb: String = (1..40).fold("a0: &a0 x\n".to_owned(), |text, n| {
            format!("{text}a{n}: &a{n} [*a{p}, *a{p}]\n", p = n - 1)
        });
        let problem = parse(Path::new("/c.yaml"), &bomb).unwrap_err();
        assert!(problem.place.line > 1, "{problem}");
    }

    #[test]
    fn what_is_no_yaml_says_where() {
        for (text, place) in [
            ("a: [", "/c.yaml:2:1"),
            ("a: 1\n b: 2\n", "/c.yaml:2"),
            ("a: 1\n---\nb: 2\n", "/c.yaml:3:1"),
        ] {
            let problem = parse(Path::new("/c.yaml"), text).unwrap_err().to_string();
            assert!(problem.starts_with(place), "{text:?}: {problem}");
        }
    }
}
