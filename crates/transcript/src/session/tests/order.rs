//! Where things stand in an export: links lead to their turns, and what was rewound is told apart.

use super::*;

/// Where the links of a page lead to in it, and which of those places are missing.
fn dead_links(page: &str) -> Vec<&str> {
    let links = page.split("href=\"#").skip(1);
    let links = links.filter_map(|rest| rest.split('"').next());
    let is_dead = |link: &&str| !page.contains(&format!("id=\"{link}\""));
    links.filter(is_dead).collect()
}

#[test]
fn every_link_of_a_page_leads_somewhere_also_in_a_subagent_s_own() {
    for name in ["basic", "shop", "sub", "tui"] {
        with(&fixture(name), &Stops::default(), |session| {
            let page = exported(session, Form::Html);
            assert_eq!(dead_links(&page), [""; 0], "{name}");
        });
    }
    let shop = fixture("shop").with_extension("");
    let agent = shop.join("subagents/agent-a7c1d00d5eed0001.jsonl");
    with(&agent, &Stops::default(), |session| {
        let outline = session.outline();
        assert_eq!(outline.len(), 1);
        let told = items(session);
        assert!(told.contains(&Item::Turn(outline[0].clone())));
        let page = exported(session, Form::Html);
        assert!(page.contains("href=\"#t1\"") && page.contains("id=\"t1\""));
        assert!(page.contains("The agent that started it"));
        assert_eq!(dead_links(&page), [""; 0]);
    });
}

#[test]
fn no_turn_of_a_recorded_session_was_rewound() {
    for name in ["basic", "shop", "sub", "tui"] {
        with(&fixture(name), &Stops::default(), |session| {
            let rewound = session.outline().iter().any(|turn| turn.is_rewound);
            assert!(!rewound, "{name}");
        });
    }
}

#[test]
fn a_turn_that_was_rewound_is_told_apart_in_every_form() {
    let line = |mut line: Value, id: &str, parent: Value| {
        line["uuid"] = json!(id);
        line["parentUuid"] = parent;
        line
    };
    let said = |text: &str| assistant(&json!({"type": "text", "text": text}));
    let lines = [
        line(user(&json!("Name the sheep")), "a", json!(null)),
        line(said("Dolly."), "b", json!("a")),
        line(user(&json!("A worse idea")), "c", json!("b")),
        line(said("As you like."), "d", json!("c")),
        line(user(&json!("A better idea")), "e", json!("b")),
        line(said("That is better."), "f", json!("e")),
    ];
    let (_folder, path) = written(&lines);
    with(&path, &Stops::default(), |session| {
        let rewound: Vec<bool> = session
            .outline()
            .iter()
            .map(|turn| turn.is_rewound)
            .collect();
        assert_eq!(rewound, [false, true, false]);
        let page = exported(session, Form::Html);
        assert!(page.contains("<section class=\"turn rewound\" id=\"t2\">"));
        assert!(page.contains("<li class=\"rewound\"><a href=\"#t2\">"));
        for text in [
            page,
            exported(session, Form::Markdown),
            in_terminal(session),
        ] {
            assert_eq!(
                text.matches("the conversation went on without this turn")
                    .count(),
                1,
                "{text}"
            );
            let at = |words: &str| text.find(words).unwrap();
            let told = at("the conversation went on without this turn");
            assert!(at("Dolly.") < told && told < at("As you like."), "{text}");
        }
        let turn = serde_json::to_value(&session.outline()[1]).unwrap();
        assert_eq!(turn["rewound"], true);
    });
}
