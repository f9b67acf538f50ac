//! The `OpenAPI` document (3.1): routes, what they take and what they give.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::super::access::Access;
use super::super::answer::Problem;
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Gives, Route};
use super::super::routes;
use super::super::stream::Told;

/// Where shapes stand in the document.
const SHAPES: &str = "/components/schemas";

pub fn openapi() -> String {
    let text = serde_json::to_string_pretty(&document()).unwrap_or_default();
    text + "\n"
}

/// The shapes of what is given and of what is taken. They are made apart: whatever may be null is always there in an
/// answer, and may be left out of a request.
struct Shapes {
    given: SchemaGenerator,
    taken: SchemaGenerator,
}

impl Shapes {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12()
            .with(|settings| settings.definitions_path = SHAPES.into());
        Self {
            given: settings.clone().for_serialize().into_generator(),
            taken: settings.for_deserialize().into_generator(),
        }
    }

    fn named(mut self) -> Map<String, Value> {
        let mut all = self.given.take_definitions(true);
        all.extend(self.taken.take_definitions(true));
        all
    }
}

fn document() -> Value {
    let mut shapes = Shapes::new();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes::ALL {
        let place = paths.entry(route.path).or_insert_with(|| json!({}));
        place[route.method.name().to_lowercase()] = operation(route, &mut shapes);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "bellwether",
            "version": bellwether_spine::VERSION,
            "description": "What the daemon serves on the loopback addresses. Everything that is derived from events is masked.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://127.0.0.1:4820"}],
        "paths": paths,
        "components": {
            "schemas": shapes.named(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "a token that `bellwether open --new-token NAME` made"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "bellwether_4820", "description": "what `bellwether open` sets; its name ends in the port"},
            },
        },
    })
}

fn operation(route: &Route, shapes: &mut Shapes) -> Value {
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": route.about,
        "parameters": route.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "responses": responses(route, &mut shapes.given),
    });
    if !route.more.is_empty() {
        operation["description"] = route.more.into();
    }
    operation["security"] = match route.access {
        Access::Key => json!([{"token": []}, {"cookie": []}]),
        Access::SameUser | Access::Anybody => json!([]),
    };
    if let Some(takes) = route.takes {
        let schema = (takes.schema)(&mut shapes.taken);
        operation["requestBody"] =
            json!({"required": true, "content": {"application/json": {"schema": schema}}});
    }
    operation
}

/// A name for those who make programs of the document.
fn operation_id(route: &Route) -> String {
    let words = route
        .path
        .split(|letter: char| !letter.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && *word != "api");
    let words: Vec<&str> = words.collect();
    format!("{}_{}", route.method.name().to_lowercase(), words.join("_"))
}

fn parameter(parameter: &Parameter) -> Value {
    let (place, schema) = match parameter.kind {
        Kind::Path => ("path", json!({"type": "string", "minLength": 1})),
        Kind::Text(most) => (
            "query",
            json!({"type": "string", "minLength": 1, "maxLength": most}),
        ),
        Kind::Next(most) => (
            "query",
            json!({"type": "string", "pattern": "^[0-9]{1,15}-", "maxLength": most}),
        ),
        Kind::Number { least, most, usual } => {
            let mut schema = json!({"type": "integer", "minimum": least, "maximum": most});
            if let Some(usual) = usual {
                schema["default"] = usual.into();
            }
            ("query", schema)
        }
        Kind::Decimal { least, most, usual } => (
            "query",
            json!({"type": "number", "minimum": least, "maximum": most, "default": usual}),
        ),
        Kind::Word(words) => ("query", json!({"type": "string", "enum": words})),
        Kind::Words(words) => (
            "query",
            json!({"type": "array", "minItems": 1, "items": {"type": "string", "enum": words}}),
        ),
    };
    let mut parameter_object = json!({
        "name": parameter.name, "in": place, "required": place == "path",
        "description": parameter.about, "schema": schema,
    });
    if matches!(parameter.kind, Kind::Words(_)) {
        parameter_object["style"] = "form".into();
        parameter_object["explode"] = false.into();
    }
    parameter_object
}

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let problem = generator.subschema_for::<Problem>();
    let refusal = |about: &str| json!({"description": about, "content": {"application/json": {"schema": problem}}});
    let mut responses =
        json!({"default": refusal("something else is wrong, and `error` says what")});
    let good = match route.gives {
        Gives::Json(schema) => json!({"application/json": {"schema": schema(generator)}}),
        Gives::Text => json!({"text/plain": {"schema": {"type": "string"}}}),
        Gives::Page => json!({"text/html": {"schema": {"type": "string"}}}),
        Gives::File(kind) => json!({kind: {}}),
        Gives::Events(all) => {
            json!({"text/event-stream": {"schema": {"type": "string"}, "x-events": told(all, generator)}})
        }
    };
    responses["200"] = json!({"description": "as asked", "content": good});
    for (status, about) in refusals(route) {
        responses[status.to_string()] = refusal(about);
    }
    if let (Gives::Page, Some(shown)) = (route.gives, responses.get_mut("401")) {
        shown["content"] = json!({"text/html": {"schema": {"type": "string"}}});
    }
    responses
}

/// What the events of a stream carry, for which `OpenAPI` 3.1 has no word of its own.
fn told(all: &[Told], generator: &mut SchemaGenerator) -> Value {
    let shape = |told: &Told| (told.name.to_owned(), (told.data)(generator).into());
    Value::Object(all.iter().map(shape).collect())
}

/// What a route may answer besides what was asked for: what it says itself, and what holds for all.
pub(super) fn refusals(route: &Route) -> Vec<(u16, &'static str)> {
    let mut all = route.refuses.to_vec();
    let mut add = |status: u16, about: &'static str| {
        if all.iter().all(|(known, _)| *known != status) {
            all.push((status, about));
        }
    };
    add(400, "the request is wrong, and `error` says where");
    match route.access {
        Access::Key => {
            add(401, "the token is missing or wrong");
            add(403, "another site's page asks");
        }
        Access::SameUser => add(403, "another user asks, or another site's page"),
        Access::Anybody => {}
    }
    if route.takes.is_some() {
        add(413, "the body is too long");
        add(415, "the body is not said to be JSON");
    }
    add(421, "`Host` names another machine");
    add(500, "the daemon could not do it, and `error` says why");
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_in_the_tree_is_of_this_code() {
        let written = include_str!("../../../../../docs/openapi.json");
        assert!(
            written == openapi(),
            "docs/openapi.json is old: run `cargo xtask docs`"
        );
    }

    /// Two types of one name would be told apart by a number, or one would hide the other.
    #[test]
    fn a_name_means_one_shape() {
        let mut shapes = Shapes::new();
        for route in routes::ALL {
            operation(route, &mut shapes);
        }
        let given = shapes.given.take_definitions(true);
        let taken = shapes.taken.take_definitions(true);
        for (name, shape) in given.iter().chain(&taken) {
            assert!(
                !name.ends_with(|last: char| last.is_ascii_digit()),
                "{name}"
            );
            let same = |other: Option<&Value>| other.is_none_or(|other| other == shape);
            assert!(same(given.get(name)) && same(taken.get(name)), "{name}");
        }
    }

    #[test]
    fn every_parameter_of_a_path_is_listed_and_no_two_routes_are_one() {
        let mut names: Vec<String> = routes::ALL.iter().map(operation_id).collect();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        for route in routes::ALL {
            let listed = route
                .parameters
                .iter()
                .filter(|known| matches!(known.kind, Kind::Path));
            let listed: Vec<String> = listed.map(|known| format!("{{{}}}", known.name)).collect();
            let parts = route.path.split('/').filter(|part| part.starts_with('{'));
            assert_eq!(listed, parts.collect::<Vec<_>>(), "{}", route.path);
        }
    }
}
