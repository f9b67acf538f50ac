//! Clients of databases: what their statements drop or empty, wherever those stand.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

/// A row: names, options beside those that all have, and the code.
macro_rules! row {
    ($names:literal, $options:literal, $follow:expr) => {
        program($names, concat!("help version ", $options), $follow).dry("--help; --version")
    };
}

pub(super) const PROGRAMS: &[Program] = &[
    row!(
        "sqlite3 sqlite litecli",
        "command|cmd= init|file=",
        embedded
    ),
    row!(
        "psql pgcli usql",
        "c|command= f|file= h|d|U|p|P|v|o|L|F|R|T|host|dbname|username|port|pset|set|variable|output=",
        client
    ),
    row!(
        "mysql mariadb mycli",
        "e|command|execute= h|u|D|P|S|host|user|database|port|socket|defaults-file= p|password? f|force",
        client
    ),
    row!(
        "mongo mongosh",
        "command|eval= f|file= u|p|host|port|username|password|authenticationDatabase=",
        client
    ),
    row!(
        "cqlsh clickhouse-client clickhouse cockroach snowsql sqlcmd duckdb sqlplus trino presto beeline hive spark-sql \
         impala-shell surreal arangosh ysqlsh isql bcp gsql",
        "c|e|q|Q|s|command|execute|query|execute-string|-execute|javascript.execute-string= f|i|file|queries-file|filename= u|p|P|U|S|h|d|k|host|port|user|password|database|url=",
        client
    ),
    row!(
        "cypher-shell",
        "f|file= a|u|p|d|P|address|username|password|database|param|format=",
        client
    ),
    row!(
        "redis-cli valkey-cli",
        "h|p|n|a|u|i|r|host|port|user|pass|pattern=",
        redis
    ),
];

/// A client of a database with a server.
pub(super) fn client(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let given = options.values("command").chain(&options.operands);
    let mut texts: Vec<String> = given.map(Text::shown).collect();
    texts.push(call.stdin.text().shown());
    for file in options.values("file") {
        texts.push(runner.read_from(file).text().shown());
    }
    // A script of the client's own language is an operand.
    for script in options.operands.iter().filter(|word| is_script(word)) {
        texts.push(runner.read_from(script).text().shown());
    }
    included(runner, &mut texts);
    stated(runner, call, &texts)
}

fn is_script(word: &Text) -> bool {
    let ends = [".js", ".sql", ".cql", ".cypher"];
    word.known()
        .is_some_and(|word| ends.iter().any(|end| word.ends_with(end)))
}

/// What a statement reads from a file: `\i FILE`, `source FILE`, `.read FILE`.
fn included(runner: &mut Runner<'_>, texts: &mut Vec<String>) {
    let mut files = Vec::new();
    for line in texts.iter().flat_map(|text| text.split(['\n', ';'])) {
        let file = ["\\i ", "\\ir ", "\\. ", "source ", ".read ", "SOURCE "]
            .iter()
            .find_map(|start| line.trim_start().strip_prefix(start));
        files.extend(file.map(|file| file.trim().trim_matches(['\'', '"']).to_owned()));
    }
    for file in files.iter().take(8) {
        let text = runner.read_from(&Text::plain(file.as_str()));
        texts.push(text.text().shown());
    }
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
    let verb = options.operands.first().map(Text::lead).unwrap_or_default();
    let deletes = verb.eq_ignore_ascii_case("del") || verb.eq_ignore_ascii_case("unlink");
    // Keys that another call lists may be all of them.
    if deletes && options.operands.iter().any(Text::has_hole) {
        let what = operands.join(" ");
        runner.note(Effect::Remote { what }, call);
    }
    let texts = [operands.join(" "), call.stdin.text().shown()];
    stated(runner, call, &texts)
}

pub(super) fn stated(runner: &mut Runner<'_>, call: &Call, texts: &[String]) -> Stream {
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

/// The first statement of a text that drops or empties something.
fn dropping(text: &str) -> Option<String> {
    let said: String = text
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default())
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut statements = said.split(';').map(str::trim);
    let drops = statements.find(|statement| drops(&statement.to_uppercase()));
    drops.map(ToOwned::to_owned)
}

/// Calls by which programs empty what others keep for them, without blanks and in lower case.
const CALLS: [&str; 25] = [
    ".flushall(",
    ".flushdb(",
    ".delete_all",
    ".destroy_all",
    "::truncate(",
    ".objects.all().delete(",
    ".drop_database(",
    ".dropdatabase(",
    ".drop_all(",
    ".drop_collection(",
    "deletemany({})",
    "delete_many({})",
    "delete_bucket(",
    "delete_table(",
    "terminate_instances(",
    "delete_db_instance(",
    "delete_stack(",
    "bucket.objects.all().delete(",
    ").objects.all().delete(",
    "requests.delete(",
    "httpx.delete(",
    "axios.delete(",
    "http::delete",
    "method:'delete'",
    "method:\"delete\"",
];
/// By which they hand on a statement.
const HANDED: [&str; 6] = ["execute", "query", ".exec", "raw(", ".run(", "sql("];

/// What code in another language does to a database or a service, by its words.
pub(super) fn note_spoken(runner: &mut Runner<'_>, call: &Call, source: &str) {
    const LONGEST: usize = 16 * 1024;
    const HERE: [&str; 5] = ["localhost", "127.0.0.1", ":memory:", "/tmp/", "fakeredis"];
    if source.len() > LONGEST || HERE.iter().any(|here| source.contains(here)) {
        return;
    }
    let mut packed = source.to_ascii_lowercase();
    packed.retain(|char| !char.is_whitespace());
    let calls = CALLS.iter().any(|called| packed.contains(called));
    let handed = HANDED.iter().any(|called| packed.contains(called));
    let mut quoted = source.split(['"', '\'', '`']).skip(1);
    let mut states = || quoted.any(|text| dropping(text).is_some());
    if calls || (handed && states()) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
}

/// What can be dropped with all that is in it.
const DROPPED: [&str; 14] = [
    "TABLE",
    "DATABASE",
    "SCHEMA",
    "VIEW",
    "KEYSPACE",
    "COLLECTION",
    "COLUMN",
    "OWNED",
    "USER",
    "ROLE",
    "TABLESPACE",
    "MATERIALIZED",
    "EXTENSION",
    "BUCKET",
];

/// Whether a statement in upper case drops or empties.
fn drops(upper: &str) -> bool {
    let words: Vec<&str> = upper
        .split([' ', '\n', '\t', '(', ')'])
        .filter(|word| !word.is_empty())
        .collect();
    let pair = |first: &str, seconds: &[&str]| {
        words
            .windows(2)
            .any(|pair| pair[0] == first && seconds.contains(&pair[1]))
    };
    let narrowed = words.contains(&"WHERE") || upper.contains('{');
    pair("DROP", &DROPPED)
        || words.first() == Some(&"TRUNCATE")
        || pair("TRUNCATE", &["TABLE"])
        || words
            .iter()
            .any(|word| matches!(*word, "FLUSHALL" | "FLUSHDB"))
        || (words.first() == Some(&"REMOVE")
            && words.get(1).is_some_and(|word| DROPPED.contains(word)))
        || (words.first() == Some(&"UPDATE") && words.contains(&"SET") && !words.contains(&"WHERE"))
        || upper.contains("FLUSH_ALL")
        || upper.contains("('FLUSHALL')")
        || (pair("ALTER", &["TABLE"]) && upper.contains(" DELETE WHERE 1"))
        || upper.contains("DROPDATABASE")
        || upper.contains(".DROP(")
        || upper.contains("DELETEMANY({})")
        || upper.contains(".REMOVE({})")
        || (pair("DETACH", &["DELETE"]) && !narrowed)
        || (pair("DELETE", &["FROM"]) && !words.contains(&"WHERE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_drops_is_found_among_others() {
        for (text, expected) in [
            ("select 1; drop table users;", Some("drop table users")),
            ("-- drop table users\nselect 1", None),
            ("delete from users where id = 1", None),
            ("delete from users", Some("delete from users")),
            ("select 1; truncate users", Some("truncate users")),
            (
                "match (n) detach delete n",
                Some("match (n) detach delete n"),
            ),
            ("match (n {id: 1}) detach delete n", None),
            ("db.users.deleteMany({})", Some("db.users.deleteMany({})")),
            (
                "alter table a drop column b",
                Some("alter table a drop column b"),
            ),
            ("create table a (b int)", None),
        ] {
            assert_eq!(dropping(text).as_deref(), expected, "{text}");
        }
    }
}
