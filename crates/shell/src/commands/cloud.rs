//! Tools that destroy things elsewhere: clusters, buckets, databases, repositories.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Does, Program, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

/// A row: names, options beside those that all have, and the calls that destroy.
macro_rules! row {
    ($names:literal, $options:literal, $calls:literal) => {
        program(
            $names,
            concat!("dry-run|dryrun|noop help ", $options),
            unknown,
        )
        .dry("--dry-run; --help; ..help")
        .does(&[Does::Remote($calls)])
    };
}

pub(super) const PROGRAMS: &[Program] = &[
    row!(
        "terraform tofu terragrunt",
        "destroy|-destroy",
        "..destroy|run-all-destroy; ..apply --destroy; state rm; workspace delete"
    ),
    row!(
        "pulumi cdk",
        "s|stack= C|cwd=",
        "..destroy; stack rm"
    ),
    row!(
        "aws",
        "delete profile= region= output= endpoint-url=",
        "..delete-*|terminate-*|deregister-*|purge-*|remove-*; s3 rm|rb; s3 sync --delete"
    ),
    row!("gcloud doctl az", "", "..delete|destroy|purge"),
    row!("gsutil", "d", "..rm|rb; ..rsync -d"),
    row!("s3cmd mc", "", "..rm|rb|del"),
    program(
        "gh glab",
        "R|repo= X|method= d|draft dry-run help",
        forge,
    )
    .dry("--dry-run; --help; ..help")
    .does(&[
        Does::Publish("release create"),
        Does::Remote(
            "repo delete|archive; release|secret|variable|label|gist|run|cache|workflow|codespace delete; \
             api ..delete",
        ),
    ]),
    row!("dropdb", "", ""),
    row!("mysqladmin", "", "..drop"),
    row!("serverless sls", "", "..remove"),
    row!(
        "vercel netlify firebase supabase wrangler eb",
        "",
        "..remove|rm|delete|terminate|reset|*:delete|*:disable"
    ),
    row!(
        "sequelize sequelize-cli typeorm knex",
        "",
        "..db:drop|schema:drop|db:drop:all"
    ),
    row!(
        "rails",
        "",
        "..db:drop|db:reset|db:purge|db:drop:all"
    ),
    row!("alembic", "c|config=", "downgrade ..base"),
    row!(
        "prisma",
        "force-reset",
        "migrate reset; db push --force-reset"
    ),
    row!("etcdctl", "", "..del"),
    program("sqlite3", CLIENT, embedded).dry("--help; ..help"),
    program(
        "psql mysql mariadb mongo mongosh cqlsh clickhouse-client",
        CLIENT,
        client,
    )
    .dry("--help; ..help"),
    program("redis-cli", CLIENT, redis).dry("--help; ..help"),
];

const CLIENT: &str =
    "c|e|command|execute|eval= f|h|d|U|p|P|u|n|D|H|a|file|host|dbname|username= help";

/// `gh api --method DELETE …`.
fn forge(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let method = options.value("method").map(Text::shown);
    let is_api = options.operands.first().is_some_and(|word| word.is("api"));
    if is_api && method.is_some_and(|method| method.eq_ignore_ascii_case("DELETE")) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    Stream::Unknown(call.shown())
}

/// A client of a database with a server.
fn client(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let given = options.values("command").chain(&options.operands);
    let texts = given.map(Text::shown).chain([call.stdin.text().shown()]);
    stated(runner, call, &texts.collect::<Vec<_>>())
}

/// A database that is a file; one that is temporary may go.
fn embedded(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let is_temporary = |word: &Text| word.lead().starts_with("/tmp/") || word.is(":memory:");
    if call.words.iter().any(is_temporary) {
        return stated(runner, call, &[]);
    }
    client(runner, call, options)
}

/// The operands are one statement.
fn redis(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let operands: Vec<String> = options.operands.iter().map(Text::shown).collect();
    let texts = [operands.join(" "), call.stdin.text().shown()];
    stated(runner, call, &texts)
}

fn stated(runner: &mut Runner<'_>, call: &Call, texts: &[String]) -> Stream {
    if let Some(what) = texts.iter().find_map(|text| dropping(text)) {
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

/// A statement that drops or empties.
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
