//! Containers: their own files are their own, what is mounted into them is ours, and their volumes hold what nobody else has.

use std::path::{Path, PathBuf};

use super::remote;
use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::target::Place;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "docker podman nerdctl",
        "+ H|c|l|n|host|context|config|log-level|connection|url|root|namespace|tlscacert|tlscert|tlskey= help",
        container,
    ),
    program("docker-compose podman-compose", COMPOSE, composed),
];

/// The options before a verb of compose.
const COMPOSE: &str = "+ f|p|file|project-name|profile|env-file|project-directory|ansi|progress|parallel|podman-args|\
     in-pod= dry-run help";
/// The options of a container that is started or entered.
const STARTED: &str = "+ v|volume= mount= w|workdir= entrypoint= \
     e|u|p|h|l|m|c|a|env|user|name|network|net|publish|env-file|platform|label|memory|cpus|hostname|add-host|cap-add|\
     cap-drop|device|dns|expose|gpus|group-add|ip|ipc|link|log-driver|log-opt|memory-swap|pids-limit|pull|restart|\
     runtime|security-opt|shm-size|stop-signal|stop-timeout|storage-opt|sysctl|tmpfs|ulimit|userns|uts|volumes-from|\
     cidfile|cgroupns|cgroup-parent|index|arch|os|annotation|secret|systemd|detach-keys= pid= privileged help";

fn container(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    match options.operands.as_slice() {
        [verb, rest @ ..] if verb.is("compose") => {
            return composed(runner, call, &Options::read(rest, COMPOSE));
        }
        // `docker container run` is `docker run`.
        [kind, rest @ ..] if kind.is("container") => told(runner, call, rest),
        words => told(runner, call, words),
    }
    Stream::Unknown(call.shown())
}

/// Follows a verb and its words.
fn told(runner: &mut Runner<'_>, call: &Call, words: &[Text]) {
    let [verb, rest @ ..] = words else {
        return;
    };
    let second = rest.first().map(Text::lead).unwrap_or_default();
    match verb.lead() {
        "run" | "create" => started(runner, call, rest),
        "exec" => entered(runner, call, rest),
        "push" => publishes(runner, call),
        "image" | "manifest" if second == "push" => publishes(runner, call),
        "build" | "buildx" if pushes(rest) => publishes(runner, call),
        "volume" if matches!(second, "rm" | "remove" | "prune") => loses(runner, call),
        "system" if matches!(second, "prune" | "reset") => loses(runner, call),
        "machine" if second == "rm" => loses(runner, call),
        "stack" | "service" | "secret" | "config" | "node" | "context" | "pod"
            if matches!(second, "rm" | "remove" | "down" | "prune") =>
        {
            loses(runner, call);
        }
        "swarm" if second == "leave" => loses(runner, call),
        // All of them, whatever they are: a list that another call makes.
        "rm" if given(rest, "a", "--all") || rest.iter().any(is_every_one) => loses(runner, call),

        _ => {}
    }
}

/// `docker compose down -v`: volumes go with it.
fn composed(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let [verb, rest @ ..] = options.operands.as_slice()
        && !options.has("dry-run")
    {
        match verb.lead() {
            "down" => {
                let down = Options::read(
                    rest,
                    "v|volumes rmi= t|timeout= remove-orphans dry-run help",
                );
                if down.has("volumes") && !down.has("dry-run") {
                    loses(runner, call);
                }
            }
            "rm" if given(rest, "v", "--volumes") => loses(runner, call),
            "run" => started(runner, call, rest),
            "exec" => entered(runner, call, rest),
            "push" => publishes(runner, call),
            "build" if pushes(rest) => publishes(runner, call),
            _ => {}
        }
    }
    Stream::Unknown(call.shown())
}

/// `$(docker ps -aq)`, without a filter.
fn is_every_one(word: &Text) -> bool {
    let shown = word.shown();
    let all = shown.contains("ps -aq") || shown.contains("ps -qa") || shown.contains("ps -a -q");
    all && !shown.contains("filter") && !shown.contains(" -f ")
}

/// Whether an option is given, alone or among other short ones.
fn given(words: &[Text], short: &str, long: &str) -> bool {
    words.iter().any(|word| {
        let lead = word.lead();
        word.is(long) || (lead.starts_with('-') && !lead.starts_with("--") && lead.contains(short))
    })
}

fn is_help(call: &Call) -> bool {
    call.words.iter().any(|word| word.is("--help"))
}

fn pushes(words: &[Text]) -> bool {
    words.iter().any(|word| {
        matches!(word.lead(), "--push" | "--push=true") || word.shown().contains("type=registry")
    })
}

fn publishes(runner: &mut Runner<'_>, call: &Call) {
    if !is_help(call) {
        runner.note(Effect::Publish { what: call.shown() }, call);
    }
}

fn loses(runner: &mut Runner<'_>, call: &Call) {
    if !is_help(call) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
}

/// `docker exec`: the container goes on with what is left of its files.
fn entered(runner: &mut Runner<'_>, call: &Call, words: &[Text]) {
    let inner = Options::read(words, STARTED);
    let command = inner.operands.get(1..).unwrap_or_default();
    // Its processes are its own, and so is what it runs.
    runner.only(&|_| true, |runner| remote::inside(runner, call, command));
}

/// `docker run`: the container is made anew, so only what is mounted can be lost.
fn started(runner: &mut Runner<'_>, call: &Call, words: &[Text]) {
    let inner = Options::read(words, STARTED);
    let mounts = mounts(runner, &inner);
    let entry = inner.value("entrypoint").into_iter();
    let rest = inner.operands.get(1..).unwrap_or_default();
    let command = entry.chain(rest).map(|word| placed(word, &mounts));
    let command: Vec<Text> = command.collect();
    let folder = match inner.value("workdir") {
        Some(folder) => {
            let ours = placed(folder, &mounts);
            (ours != *folder).then(|| runner.path(&ours)).flatten()
        }
        // Most images start in the folder that something is mounted to.
        None => mounts.first().map(|mount| mount.from.clone()),
    };
    // Who has all rights and sees the machine's processes can enter them: what it runs there is run on the machine.
    let is_of_machine = inner.value("pid").is_some_and(|pid| pid.is("host"));
    if is_of_machine && inner.has("privileged") && rest.iter().any(|word| word.is("nsenter")) {
        let enters = rest.iter().position(|word| word.is("nsenter")).unwrap_or(0);
        runner.run_words(&rest[enters..], call);
    }
    let by = format!("{} …", call.name);
    let within = |place: &Place| mounts.iter().any(|mount| mount.has(place));
    runner.only(&within, |runner| {
        runner.through(&by, |runner| {
            runner.apart(|runner| {
                runner.state.folders = folder.into_iter().collect();
                runner.run_words(&command, call)
            })
        });
    });
}

/// What a container sees of this machine.
struct Mount {
    from: PathBuf,
    to: String,
}

impl Mount {
    fn has(&self, place: &Place) -> bool {
        match place {
            Place::At(path) => path.starts_with(&self.from) || self.from.starts_with(path),
            Place::Within { folder, .. } => {
                folder.starts_with(&self.from) || self.from.starts_with(folder)
            }
            Place::Unknown { below } => {
                let below = below.as_deref();
                below.is_some_and(|folder| folder.starts_with(&self.from))
            }
        }
    }
}

/// What is mounted so that it can be written, the longest names first.
fn mounts(runner: &mut Runner<'_>, options: &Options) -> Vec<Mount> {
    let volumes = options.values("volume").map(Text::shown);
    let volumes = volumes.filter_map(|volume| {
        let mut parts = volume.split(':').map(str::to_owned);
        let (from, to) = (parts.next()?, parts.next()?);
        let read_only = parts.any(|flags| flags.split(',').any(|flag| flag == "ro"));
        (!read_only).then_some((from, to))
    });
    let given = options.values("mount").map(Text::shown);
    let given = given.filter_map(|mount| {
        let value = |names: [&str; 3]| {
            mount.split(',').find_map(|part| {
                let (name, value) = part.split_once('=')?;
                names.contains(&name).then(|| value.to_owned())
            })
        };
        let read_only = mount
            .split(',')
            .any(|part| matches!(part, "ro" | "readonly"));
        let from = value(["source", "src", "source"])?;
        let to = value(["target", "dst", "destination"])?;
        (!read_only).then_some((from, to))
    });
    let all: Vec<(String, String)> = volumes.chain(given).collect();
    let mut mounts: Vec<Mount> = all
        .into_iter()
        .filter_map(|(from, to)| {
            let to = to.trim_end_matches('/').to_owned();
            let from = source(runner, &from)?;
            (!to.is_empty()).then_some(Mount { from, to })
        })
        .collect();
    mounts.sort_by_key(|mount| std::cmp::Reverse(mount.to.len()));
    mounts
}

/// Where something that is mounted stands on this machine; a volume by the name that it has.
fn source(runner: &mut Runner<'_>, from: &str) -> Option<PathBuf> {
    if from.starts_with(['/', '.', '~', '$']) {
        return runner.path(&Text::plain(from));
    }
    Some(
        Path::new("/var/lib/docker/volumes")
            .join(from)
            .join("_data"),
    )
}

/// A word with the paths of the container as they are on this machine.
fn placed(word: &Text, mounts: &[Mount]) -> Text {
    let Some(known) = word.known() else {
        return word.clone();
    };
    let starts = |at: usize| {
        let before = known[..at].chars().next_back();
        before.is_none_or(|before| " '\"=:;&|(<>`\n\t".contains(before))
    };
    let ends = |at: usize| {
        let next = known[at..].chars().next();
        next.is_none_or(|next| "/ '\";&|)<>`\n\t".contains(next))
    };
    let (mut out, mut at) = (String::new(), 0);
    while let Some(next) = known[at..].chars().next() {
        let mount = mounts.iter().find(|mount| {
            known[at..].starts_with(&mount.to) && starts(at) && ends(at + mount.to.len())
        });
        if let Some(mount) = mount {
            out.push_str(&mount.from.to_string_lossy());
            at += mount.to.len();
        } else {
            out.push(next);
            at += next.len_utf8();
        }
    }
    if out == known {
        return word.clone();
    }
    Text::plain(out)
}
