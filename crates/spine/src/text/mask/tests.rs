//! The table's own examples, and what holds for every text.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const TABLE: &str = include_str!("../../../tables/secrets.tsv");

struct Kind {
    name: String,
    example: String,
    masked: String,
    near_miss: String,
}

fn kinds() -> Vec<Kind> {
    let rows = TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        let marked = made_up(columns[3]);
        let (before, rest) = marked.split_once('«').unwrap();
        let (secret, after) = rest.split_once('»').unwrap();
        Kind {
            name: columns[0].to_owned(),
            example: format!("{before}{secret}{after}"),
            masked: format!("{before}{MASKED}{after}"),
            near_miss: made_up(columns[4]),
        }
    })
    .collect()
}

/// Puts made-up letters in place of `{a20}`: so no key that looks real stands in the tree.
fn made_up(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inner, behind) = after.split_once('}').unwrap_or((after, ""));
        let letters: &[u8] = match inner.bytes().next() {
            Some(b'a') => b"a1B2c3D4e5F6g7H8i9J0k",
            Some(b'h') => b"0a1b2c3d4e5f6789",
            Some(b'u') => b"A2B3C4D5E6F7G",
            Some(b'd') => b"1234567890",
            _ => b"",
        };
        out.push_str(before);
        match inner.get(1..).and_then(|count| count.parse().ok()) {
            Some(count) if !letters.is_empty() => {
                out.extend(
                    letters
                        .iter()
                        .cycle()
                        .take(count)
                        .map(|byte| char::from(*byte)),
                );
                rest = behind;
            }
            _ => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out.replace("\\n", "\n")
}

#[test]
fn every_kind_is_masked_and_its_near_miss_stays() {
    let kinds = kinds();
    let mut wrong = Vec::new();
    for kind in &kinds {
        if mask(&kind.example) != kind.masked {
            wrong.push(format!(
                "{}: {} → {}",
                kind.name,
                kind.example,
                mask(&kind.example)
            ));
        }
        if mask(&kind.near_miss) != kind.near_miss {
            wrong.push(format!(
                "{}, near miss: {} → {}",
                kind.name,
                kind.near_miss,
                mask(&kind.near_miss)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!(names.len(), kinds.len(), "each has a name of its own");
    assert!(kinds.len() >= 150);
}

#[test]
fn a_kind_is_masked_in_json_too() {
    for kind in kinds() {
        let json = serde_json::json!({ "text": kind.example }).to_string();
        let masked = super::super::mask_json(&json);
        let read: serde_json::Value = serde_json::from_str(&masked).unwrap();
        assert_eq!(read["text"], kind.masked, "{}", kind.name);
    }
}

#[test]
fn many_options_and_openings_take_no_longer_than_their_length() {
    for part in [
        "-p ",
        "-p",
        "password is ",
        "비밀번호 ",
        "://a:",
        "echo x | sudo -S ",
        "a:1:b:",
        "{\"",
        "-----BEGIN ",
        "mysql -p ",
    ] {
        let text = part.repeat((1 << 16) / part.len());
        let begun = std::time::Instant::now();
        let _ = mask(&text);
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(10),
            "{part}: {:?}",
            begun.elapsed()
        );
    }
}

#[test]
fn secrets_are_masked_and_the_rest_stays() {
    let rows = [
        (
            "key sk-ant-api03-abcdefghijklmnop0123 end",
            "key [masked] end",
        ),
        ("export AWS=AKIAIOSFODNN7EXAMPLE;", "export AWS=[masked];"),
        ("ghp_0123456789abcdefghijABCDEFGHIJ", "[masked]"),
        (
            "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
            "jwt [masked]",
        ),
        (
            "curl -H 'Authorization: Bearer abc.def' x",
            "curl -H 'Authorization: Bearer [masked]' x",
        ),
        (
            "curl -H \"X-Api-Key: 12345\"",
            "curl -H \"X-Api-Key: [masked]\"",
        ),
        (
            "postgres://app:s3cr3t@db/main",
            "postgres://app:[masked]@db/main",
        ),
        (
            "https://oauth2-token-of-some-length@host/x",
            "https://[masked]@host/x",
        ),
        (
            "git@github.com:a/b and https://git@host/x",
            "git@github.com:a/b and https://git@host/x",
        ),
        ("DB_PASSWORD=hunter2 make", "DB_PASSWORD=[masked] make"),
        (
            "{\"password\": \"two words\", \"n\": 1}",
            "{\"password\": \"[masked]\", \"n\": 1}",
        ),
        (
            r#"{"c":"{\"apiKey\":\"abc\"}"}"#,
            r#"{"c":"{\"apiKey\":\"[masked]\"}"}"#,
        ),
        (
            "tool --token abc --verbose",
            "tool --token [masked] --verbose",
        ),
        ("tool --password=abc", "tool --password=[masked]"),
        ("password=[masked]", "password=[masked]"),
        (
            "PGPASSWORD=x SSHPASS=y dbpassword=z",
            "PGPASSWORD=[masked] SSHPASS=[masked] dbpassword=[masked]",
        ),
        (
            "curl -u user:pa55 https://x",
            "curl -u user:[masked] https://x",
        ),
        ("curl --user \"me:$PW\" x", "curl --user \"me:$PW\" x"),
        (
            r#"{"password":"ab\"cd","n":1}"#,
            r#"{"password":"[masked]","n":1}"#,
        ),
        ("bypass: no, compass: north", "bypass: no, compass: north"),
        ("echo $TOKEN; TOKEN=$OTHER x", "echo $TOKEN; TOKEN=$OTHER x"),
        (
            "max_tokens: 4096, tokenizer: x",
            "max_tokens: 4096, tokenizer: x",
        ),
        ("the secret of success", "the secret of success"),
        ("task-123 sk-8 key=value", "task-123 sk-8 key=value"),
        (
            "a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b",
            "a [masked] b",
        ),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb", "[masked]"),
        (
            "-----BEGIN CERTIFICATE-----\nMII",
            "-----BEGIN CERTIFICATE-----\nMII",
        ),
        (
            "비밀번호 password=한글암호 끝",
            "비밀번호 password=[masked] 끝",
        ),
    ];
    for (text, masked) in rows {
        assert_eq!(mask(text), masked, "{text}");
    }
}

proptest! {
    #[test]
    fn masking_twice_is_masking_once(text in "([a-zA-Z0-9_:=@/\"'\\\\ $.-]|password|token| is |mysql -p|://|é|비밀번호|\\||echo ){0,40}") {
        let once = mask(&text).into_owned();
        prop_assert_eq!(mask(&once), once.clone());
    }

    #[test]
    fn a_planted_key_never_shows(before in "[a-z \n]{0,20}", after in "[ \n][a-z ]{0,20}", number in 0..kinds().len()) {
        let kind = &kinds()[number];
        let text = format!("{before}\n{}\n{after}", kind.example);
        let (kept, _) = kind.masked.split_once(MASKED).unwrap();
        let secret = &kind.example[kept.len()..];
        let length = kind.example.len() + MASKED.len() - kind.masked.len();
        prop_assert!(!mask(&text).contains(&secret[..length]) || length < 4, "{}", mask(&text));
    }
}
