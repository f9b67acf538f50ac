//! Tools that destroy things elsewhere: clusters, buckets, databases, repositories.

use crate::effect::Effect;
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "terraform",
    "tofu",
    "terragrunt",
    "pulumi",
    "cdk",
    "aws",
    "gcloud",
    "gsutil",
    "az",
    "doctl",
    "gh",
    "glab",
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "mongo",
    "mongosh",
    "redis-cli",
    "dropdb",
    "mysqladmin",
    "cqlsh",
    "clickhouse-client",
    "serverless",
    "sls",
    "vercel",
    "netlify",
    "firebase",
    "supabase",
    "wrangler",
    "eb",
    "rails",
    "sequelize",
    "sequelize-cli",
    "typeorm",
    "knex",
    "alembic",
    "prisma",
    "s3cmd",
    "mc",
    "etcdctl",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec::default());
    let operands: Vec<String> = arguments.operands.iter().map(Text::shown).collect();
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    let dry =
        arguments.has(&["--dry-run", "--dryrun", "--help", "--noop"]) || words.contains(&"help");
    if dry {
        return Stream::Unknown(call.shown());
    }
    let what = match call.name.as_str() {
        "psql" | "mysql" | "mariadb" | "sqlite3" | "mongo" | "mongosh" | "redis-cli" | "cqlsh"
        | "clickhouse-client" => statement(call),
        _ => destroys(&call.name, &words, &arguments.options).then(|| call.shown()),
    };
    if matches!(call.name.as_str(), "gh" | "glab")
        && words.starts_with(&["release", "create"])
        && !arguments.has(&["d", "--draft"])
    {
        runner.note(Effect::Publish { what: call.shown() }, call);
    }
    if let Some(what) = what {
        runner.note(Effect::Remote { what }, call);
    }
    shells_of(runner, call);
    Stream::Unknown(call.shown())
}

/// Clients of databases have a way to a shell: `.shell rm x`, `\\! rm x`.
fn shells_of(runner: &mut Runner<'_>, call: &Call) {
    let texts = call.words.iter().map(Text::shown);
    for text in texts.chain([call.stdin.text().shown()]) {
        for line in text.lines() {
            let command = [".shell ", ".system ", "\\! ", "system "]
                .iter()
                .find_map(|start| line.trim_start().strip_prefix(start));
            if let Some(command) = command {
                let command = command.to_owned();
                runner.apart(|runner| runner.source(&command, &Stream::Nothing));
            }
        }
    }
}

type Options = [(String, Option<Text>)];

fn destroys(name: &str, words: &[&str], options: &Options) -> bool {
    // Terraform's options have one dash, and read as letters here.
    let letters: String = options
        .iter()
        .filter(|(name, _)| name.chars().count() == 1)
        .map(|(name, _)| name.as_str())
        .collect();
    let destroying =
        letters.contains("destroy") || options.iter().any(|(name, _)| name == "--destroy");
    let has = |option: &str| options.iter().any(|(name, _)| name == option);
    let verb = |verbs: &[&str]| words.iter().any(|word| verbs.contains(word));
    match name {
        "terraform" | "tofu" | "terragrunt" => {
            verb(&["destroy", "run-all-destroy"])
                || (verb(&["apply"]) && destroying)
                || words.starts_with(&["state", "rm"])
                || words.starts_with(&["workspace", "delete"])
        }
        "pulumi" | "cdk" => verb(&["destroy"]) || words.starts_with(&["stack", "rm"]),
        "kubectl" | "oc" => verb(&["delete", "drain"]) || (verb(&["replace"]) && has("--force")),
        "aws" => {
            words.iter().any(|word| {
                ["delete-", "terminate-", "deregister-", "purge-", "remove-"]
                    .iter()
                    .any(|start| word.starts_with(start))
            }) || (words.starts_with(&["s3", "rm"]) || words.starts_with(&["s3", "rb"]))
                || (words.starts_with(&["s3", "sync"]) && has("--delete"))
        }
        "gcloud" | "doctl" | "az" => verb(&["delete", "destroy", "purge"]),
        "gsutil" => verb(&["rm", "rb"]) || (verb(&["rsync"]) && has("d")),
        "s3cmd" | "mc" => verb(&["rm", "rb", "del"]),
        "gh" | "glab" => {
            matches!(
                words,
                ["repo", "delete" | "archive", ..]
                    | [
                        "release"
                            | "secret"
                            | "variable"
                            | "label"
                            | "gist"
                            | "run"
                            | "cache"
                            | "workflow"
                            | "codespace",
                        "delete",
                        ..
                    ]
            ) || (words.first() == Some(&"api")
                && options.iter().any(|(name, value)| {
                    matches!(name.as_str(), "X" | "--method")
                        && value.as_ref().is_some_and(|value| value.is("DELETE"))
                }))
                || words.windows(2).any(|pair| pair == ["api", "DELETE"])
                || (words.first() == Some(&"api") && verb(&["DELETE"]))
        }
        "dropdb" => true,
        "mysqladmin" => verb(&["drop"]),
        "serverless" | "sls" => verb(&["remove"]),
        "vercel" | "netlify" | "firebase" | "supabase" | "wrangler" | "eb" => {
            words.iter().any(|word| {
                matches!(*word, "remove" | "rm" | "delete" | "terminate" | "reset")
                    || word.ends_with(":delete")
                    || word.ends_with(":disable")
            })
        }
        "sequelize" | "sequelize-cli" | "typeorm" | "knex" => words
            .iter()
            .any(|word| matches!(*word, "db:drop" | "schema:drop" | "db:drop:all")),
        "vagrant" => verb(&["destroy"]),
        "rails" => words
            .iter()
            .any(|word| matches!(*word, "db:drop" | "db:reset" | "db:purge" | "db:drop:all")),
        "alembic" => words.starts_with(&["downgrade"]) && verb(&["base"]),
        "prisma" => {
            words.starts_with(&["migrate", "reset"])
                || (words.starts_with(&["db", "push"]) && has("--force-reset"))
        }
        "heroku" | "fly" | "flyctl" => words.iter().any(|word| {
            matches!(*word, "destroy") || word.ends_with(":destroy") || word.ends_with(":reset")
        }),
        "etcdctl" => verb(&["del"]),
        _ => false,
    }
}

/// A statement that drops or empties: given by an option, as an operand, or on the input.
fn statement(call: &Call) -> Option<String> {
    // A database that is temporary may go.
    let temporary = call
        .words
        .iter()
        .any(|word| word.lead().starts_with("/tmp/") || word.is(":memory:"));
    (call.name != "sqlite3" || !temporary).then_some(())?;
    let arguments = call.arguments(&Spec {
        letters: "cefhdUpPunDHa",
        words: &[
            "--command",
            "--execute",
            "--eval",
            "--file",
            "--host",
            "--dbname",
            "--username",
        ],
        stops: false,
    });
    let mut texts: Vec<String> = arguments
        .values(&["c", "e", "--command", "--execute", "--eval"])
        .iter()
        .map(|text| text.shown())
        .collect();
    texts.extend(arguments.operands.iter().map(Text::shown));
    if call.name == "redis-cli" {
        texts = vec![
            arguments
                .operands
                .iter()
                .map(Text::shown)
                .collect::<Vec<_>>()
                .join(" "),
        ];
    }
    texts.push(call.stdin.text().shown());
    texts.iter().find_map(|text| dropping(text))
}

fn dropping(text: &str) -> Option<String> {
    let upper = text.to_uppercase();
    let words: Vec<&str> = upper
        .split([' ', '\n', '\t', ';', '(', ')'])
        .filter(|word| !word.is_empty())
        .collect();
    let pair = |first: &str, seconds: &[&str]| {
        words
            .windows(2)
            .any(|pair| pair[0] == first && seconds.contains(&pair[1]))
    };
    let drops = pair(
        "DROP",
        &[
            "TABLE",
            "DATABASE",
            "SCHEMA",
            "VIEW",
            "KEYSPACE",
            "COLLECTION",
            "OWNED",
            "USER",
            "ROLE",
        ],
    ) || words.first() == Some(&"TRUNCATE")
        || pair("TRUNCATE", &["TABLE"])
        || words
            .iter()
            .any(|word| matches!(*word, "FLUSHALL" | "FLUSHDB"))
        || upper.contains("DROPDATABASE")
        || upper.contains(".DROP(")
        || upper.contains("DELETEMANY({})")
        || (pair("DELETE", &["FROM"]) && !words.contains(&"WHERE"));
    drops.then(|| text.trim().to_owned())
}
