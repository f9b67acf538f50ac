use super::*;

/// The table: what is written, with which settings, and what is said.
const TABLE: &str = include_str!("../../tables/summaries.tsv");

fn settings(words: &str) -> Summary {
    let mut settings = Summary {
        max_sentences: 2,
        max_characters: 200,
        ..Summary::default()
    };
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("sentences", number)) => settings.max_sentences = number.parse().unwrap(),
            Some(("characters", number)) => {
                settings.mode = Mode::Characters;
                settings.max_characters = number.parse().unwrap();
            }
            Some(("full", number)) => {
                settings.mode = Mode::Full;
                settings.max_characters = number.parse().unwrap();
            }
            Some(("start", "beginning")) => settings.start = Start::Beginning,
            _ => assert_eq!(word, "-"),
        }
    }
    settings
}

#[test]
fn summaries_are_as_in_the_table() {
    let rows = TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for row in rows {
        let [message, words, expected] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let message = message.replace("\\n", "\n");
        assert_eq!(
            summary(&message, &settings(words), "Task completed"),
            expected,
            "{row}"
        );
    }
}

#[test]
fn a_deed_is_a_whole_word_at_the_start() {
    for (sentence, expected) in [
        ("Created the file.", 1),
        ("created the file.", 1),
        ("I've Created it.", 1),
        ("I have updated it.", 1),
        ("I wrote it.", 1),
        ("I've successfully created it.", 1),
        ("I have successfully created it.", 1),
        ("I successfully created it.", 1),
        ("I've successfully done it.", 0),
        ("I've successful tests.", 0),
        ("I will have created it.", 0),
        ("Set up the tests.", 1),
        ("Committed and pushed.", 1),
        ("Successfully installed it.", 1),
        ("Successfully done it.", 0),
        ("  Fixed it.", 1),
        ("Moved.", 1),
        ("Donegal is nice.", 0),
        ("The file was created.", 0),
        ("Additional work.", 0),
    ] {
        assert_eq!(
            action_start(&["Some context.", sentence]),
            expected,
            "{sentence}"
        );
    }
    assert_eq!(action_start(&["One.", "Two."]), 0);
    assert_eq!(action_start(&[]), 0);
}

#[test]
fn the_last_question_is_found() {
    for (message, question) in [
        ("I did it. Shall I go on?", Some("Shall I go on?")),
        ("Is it? Yes. Was it? No.", Some("Was it?")),
        ("question?\n\nmore text", Some("question?")),
        ("Which of **these**?", Some("Which of these?")),
        ("All is done.", None),
        ("What?!", None),
        ("", None),
    ] {
        assert_eq!(last_question(message).as_deref(), question, "{message}");
    }
    let context = "This is what I found out about it. ".repeat(9);
    let long = format!("{context}Shall I push?");
    assert_eq!(short_question(&long), "Shall I push?");
    assert_eq!(short_question("One. Two?"), "One. Two?");
    let endless = format!("Shall I {}?", "push and ".repeat(30));
    assert_eq!(short_question(&endless).split(' ').count(), 30);
    assert!(ends_with_question("Done. Shall I push?"));
    assert!(!ends_with_question("Shall I? I did."));
}
