use bellwether_announce::{Language, Mode, Preset};

use super::*;

struct Room {
    _folder: tempfile::TempDir,
    home: Home,
    project: PathBuf,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir_all(project.join(".claude/hooks")).unwrap();
        std::fs::create_dir_all(home.config()).unwrap();
        Self {
            _folder: folder,
            home,
            project,
        }
    }

    fn person(&self, text: &str) {
        std::fs::write(self.home.config_file(), text).unwrap();
    }

    fn in_project(&self, name: &str, text: &str) -> PathBuf {
        let path = self.project.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn load(&self) -> Loaded {
        load(&self.home, Some(&self.project), &|_| None)
    }
}

fn messages(loaded: &Loaded) -> Vec<String> {
    loaded.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn without_files_the_calm_preset_counts() {
    let loaded = Room::new().load();
    assert_eq!(loaded.config, Config::default());
    assert!(loaded.problems.is_empty() && loaded.ignored.is_empty() && loaded.project.is_none());
}

#[test]
fn layers_count_in_their_order() {
    let place = Room::new();
    place.person("preset: full\nhooks:\n  stop:\n    voice:\n      rate: 300\n      name: Karen\n");
    place.in_project(
        ".claude/bellwether.yaml",
        "hooks: {stop: {voice: {rate: 250}, summary: {mode: characters}}}\n",
    );
    let loaded = load(&place.home, Some(&place.project), &|name| {
        (name == "HOOK_DEBUG").then(|| "YES".to_owned())
    });
    assert_eq!(messages(&loaded), [""; 0]);
    let stop = &loaded.config.hooks.stop;
    assert_eq!(
        (stop.voice.rate, stop.voice.name.as_str(), stop.summary.mode),
        (250, "Karen", Mode::Characters)
    );
    assert_eq!(
        (stop.min_turn_seconds, stop.voice.volume),
        (0, 0.2),
        "the rest is the preset's"
    );
    assert_eq!(loaded.config.preset, Preset::Full);
    assert!(loaded.config.global.debug);
    let origin = loaded
        .tree
        .at(&["hooks", "stop", "voice", "rate"])
        .unwrap()
        .place
        .to_string();
    assert!(origin.ends_with("bellwether.yaml:1:30"), "{origin}");
}

#[test]
fn of_a_project_s_two_places_our_own_counts() {
    let place = Room::new();
    place.in_project(
        ".claude/hooks/config.yaml",
        "hooks: {stop: {voice: {rate: 100}}}\n",
    );
    assert_eq!(place.load().config.hooks.stop.voice.rate, 100);
    place.in_project(
        ".claude/bellwether.yaml",
        "hooks: {stop: {voice: {rate: 200}}}\n",
    );
    assert_eq!(place.load().config.hooks.stop.voice.rate, 200);
}

#[test]
fn an_untrusted_project_can_choose_messages_and_be_silent_but_name_no_files() {
    let place = Room::new();
    let text = "daemon: {port: 1}\npage: {answer: true}\nglobal: {debug: true, debug_dir: /etc}\nhooks:\n  stop:\n    enabled: false\n    sound: {file: /x.wav, volume: 0.1}\n  notification: {idle_message: Wake up}\n";
    let file = place.in_project(".claude/bellwether.yaml", text);
    let loaded = place.load();
    let ignored: Vec<(&str, Why)> = loaded
        .ignored
        .iter()
        .map(|it| (it.path.as_str(), it.why))
        .collect();
    assert_eq!(
        ignored,
        [
            ("daemon", Why::PersonOnly),
            ("page", Why::PersonOnly),
            ("global.debug", Why::Untrusted),
            ("global.debug_dir", Why::Untrusted),
            ("hooks.stop.sound.file", Why::Untrusted),
        ]
    );
    let config = &loaded.config;
    assert!(!config.hooks.stop.enabled && !config.global.debug && !config.page.answer);
    assert_eq!(config.hooks.notification.idle_message, "Wake up");
    assert!((config.hooks.stop.sound.volume - 0.1).abs() < 1e-9);
    assert_eq!(config.daemon, crate::Daemon::default());

    let mut trust = Trust::load(&place.home);
    trust.grant(file.clone(), text.as_bytes());
    trust.save(&place.home).unwrap();
    let loaded = place.load();
    assert_eq!(loaded.config.hooks.stop.sound.file, "/x.wav");
    assert_eq!(
        loaded.config.daemon,
        crate::Daemon::default(),
        "never a project's to say"
    );
    assert!(loaded.project.unwrap().trusted);
    std::fs::write(&file, format!("{text}\n")).unwrap();
    assert!(
        !place.load().project.unwrap().trusted,
        "a change asks again"
    );
}

#[test]
fn what_runs_a_project_s_own_programs_counts_only_where_it_is_trusted() {
    let place = Room::new();
    place.person("gate: {enabled: true}\n");
    let ignored = |loaded: &Loaded| -> Vec<String> {
        let paths = loaded.ignored.iter().map(|it| it.path.clone());
        paths.collect()
    };
    let trust = |file: &Path, content: &[u8]| {
        let mut trust = Trust::load(&place.home);
        trust.grant(file.to_owned(), content);
        trust.save(&place.home).unwrap();
    };
    let loaded = place.load();
    assert!(!loaded.config.gate.enabled && !loaded.trust.trusted);
    assert_eq!(ignored(&loaded), ["gate.enabled"]);
    let file = place.project.join(".claude/bellwether.yaml");
    trust(&file, &[]);
    let loaded = place.load();
    assert!(loaded.config.gate.enabled && loaded.trust.trusted);
    assert_eq!(ignored(&loaded), [""; 0]);
    let text = "gate: {timeout: 20}\n";
    place.in_project(".claude/bellwether.yaml", text);
    let loaded = place.load();
    assert!(
        !loaded.config.gate.enabled,
        "a file that came later asks again"
    );
    assert_eq!(ignored(&loaded), ["gate", "gate.enabled"]);
    trust(&file, text.as_bytes());
    let config = place.load().config;
    assert!(config.gate.enabled);
    assert_eq!(config.gate.timeout, 20);
}

#[test]
fn phases_that_do_not_fit_together_are_named() {
    let place = Room::new();
    let file = place.home.config_file();
    for (workflow, expected) in [
        (
            "phases: [{name: a, next: [b]}]",
            "1:20: workflow.phases: phase \"a\" leads to \"b\", which is no phase",
        ),
        (
            "checkpoints: [qa]",
            "1:25: workflow.checkpoints: there is no phase \"qa\"; there are plan, design, do, check, act, report",
        ),
        (
            "threshold: 101",
            "1:23: workflow.threshold: must be from 0 to 100, and is 101",
        ),
    ] {
        place.person(&format!("workflow: {{{workflow}}}\n"));
        let loaded = place.load();
        assert_eq!(
            messages(&loaded),
            [format!("{}:{expected}", file.display())]
        );
    }
    place.person("workflow: {flow: kanban}\n");
    assert_eq!(
        messages(&place.load()),
        [""; 0],
        "whose checkpoints are nobody's"
    );
}

#[test]
fn a_wrong_section_costs_only_itself() {
    let place = Room::new();
    place.person("preset: plain\nhooks:\n  stop: {voice: {rate: fast}}\n  notification: {idle_message: Hello}\nbogus: 1\ndaemon: {prot: 1}\ntroubles: {enabled: false}\n");
    let loaded = place.load();
    let mut problems = messages(&loaded);
    problems.sort();
    let file = place.home.config_file();
    let at = |rest: &str| format!("{}:{rest}", file.display());
    assert_eq!(
        problems,
        [
            at(
                "3:24: hooks.stop.voice.rate: expected a whole number, not negative, found the text \"fast\""
            ),
            at(
                "5:1: unknown key `bogus`; known are preset, language, quiet, global, hooks, audio, voice, character, guard, gate, format, session, workflow, page, overlay, daemon, store, transcripts, prices, troubles"
            ),
            at("6:10: daemon: unknown key `prot` (did you mean `port`?)"),
        ]
    );
    let config = &loaded.config;
    assert_eq!(
        config.hooks.stop,
        bellwether_announce::handlers::stop::Config::of(Preset::Plain, Language::En)
    );
    assert_eq!(config.hooks.notification.idle_message, "Hello");
    assert!(!config.troubles.enabled);
}

#[test]
fn a_broken_file_means_what_was_last_good() {
    let place = Room::new();
    place.person("troubles: {enabled: false}\nhooks: {stop: {voice: {rate: 111}}}\n");
    place
        .load()
        .save(&place.home, Some(&place.project))
        .unwrap();
    place.person("hooks: [\n");
    let loaded = place.load();
    assert_eq!(loaded.problems.len(), 1);
    assert_eq!(
        (
            loaded.config.hooks.stop.voice.rate,
            loaded.config.troubles.enabled
        ),
        (111, false)
    );
    place.person("troubles: {enabled: maybe}\nhooks: {stop: {voice: {rate: 222}}}\n");
    let loaded = place.load();
    assert_eq!(
        (
            loaded.config.hooks.stop.voice.rate,
            loaded.config.troubles.enabled
        ),
        (222, false)
    );
}

#[test]
fn with_nothing_good_the_defaults_count() {
    let place = Room::new();
    place.person("{{{{");
    let loaded = place.load();
    assert_eq!(loaded.config, Config::default());
    assert_eq!(loaded.problems.len(), 1);
}

/// The configuration of the notification kit that people bring along: its keys and its values.
const KIT: &str = r#"
global: {debug: false, debug_dir: "Temp", project_dir: ""}
hooks:
  stop:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/ui_open_1.mp3", volume: 0.2, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.2, rate: 350}
    summary: {mode: "sentences", max_sentences: 1, max_characters: 80, start: "action"}
  ask_user_question:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/bell_ring_1.mp3", volume: 0.6, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.6, rate: 350}
    message_mode: "extract"
    default_message: "Claude has a question for you"
  permission_request:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/bell_call.mp3", volume: 0.4, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.4, rate: 350}
    message_template: "Approve {tool_name}?"
  notification:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/bell_ring_1.mp3", volume: 0.2, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.2, rate: 350}
    idle_message: "Claude is idle"
    auth_message: "Auth successful"
    default_message: "Notification"
  subagent_start:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/coin_simple.mp3", volume: 0.2, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.2, rate: 350}
    message_template: "Subagent {agent_type} started"
  subagent_stop:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/marimba_complete.mp3", volume: 0.2, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.2, rate: 350}
    message_template: "Subagent {agent_type} finished"
  teammate_idle:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/marimba_nudge_1.mp3", volume: 0.5, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.5, rate: 350}
    message_template: "{teammate_name} is idle"
  task_completed:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/harp_finish.mp3", volume: 0.5, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.5, rate: 350}
    message_template: "Task completed: {task_subject}"
    max_subject_length: 80
  post_tool_use_failure:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/error_buzz.mp3", volume: 0.2, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.2, rate: 350}
    message_template: "{tool_name} failed"
  user_prompt_submit:
    enabled: false
    sound: {enabled: false, file: "", volume: 0.2, delay_ms: 200}
    voice: {enabled: false, name: "Victoria", volume: 0.2, rate: 350}
  pre_compact:
    enabled: true
    sound: {enabled: true, file: ".claude/sounds/blink.mp3", volume: 0.2, delay_ms: 200}
    voice: {enabled: true, name: "Victoria", volume: 0.2, rate: 350}
    message: "Compacting context"
"#;

#[test]
fn the_kit_s_configuration_loads_from_both_its_places_and_is_the_full_preset() {
    for name in [".claude/bellwether.yaml", ".claude/hooks/config.yaml"] {
        let room = Room::new();
        let file = room.in_project(name, KIT);
        let mut trust = Trust::default();
        trust.grant(file, KIT.as_bytes());
        trust.save(&room.home).unwrap();
        let loaded = room.load();
        assert_eq!(messages(&loaded), [""; 0]);
        // What it does not name, such as the length of turns, is that preset's too.
        assert_eq!(loaded.config.hooks, Hooks::of(Preset::Full, Language::En));
        assert_eq!(loaded.config.preset, Preset::Full);
        assert_eq!(loaded.config.global, bellwether_announce::Global::default());
    }
}

#[test]
fn the_kit_s_file_means_the_full_preset_where_it_names_no_key() {
    let preset = |name: &str, text: &str| {
        let room = Room::new();
        match name {
            "" => room.person(text),
            name => drop(room.in_project(name, text)),
        }
        room.load().config.preset
    };
    // The same as a person's own file, and as a part of it.
    assert_eq!(preset("", KIT), Preset::Full);
    assert_eq!(preset("", "global: {}\nhooks: {}\n"), Preset::Full);
    let place = ".claude/hooks/config.yaml";
    assert_eq!(
        preset(place, "hooks: {stop: {enabled: true}}\n"),
        Preset::Full
    );
    assert_eq!(preset(".claude/bellwether.yaml", KIT), Preset::Full);
    // What is ours is not the kit's.
    for ours in [
        "hooks: {stop: {enabled: true}}\n",
        "global: {debug: true}\n",
        "global: {}\nhooks: {}\nguard: {enabled: true}\n",
        "global: {}\nhooks: {}\npreset: calm\n",
    ] {
        assert_eq!(preset("", ours), Preset::Calm, "{ours}");
    }
    assert_eq!(preset(place, "preset: plain\nhooks: {}\n"), Preset::Plain);
    let daemons = "daemon: {port: 1}\nglobal: {debug: true}\nhooks: {}\n";
    assert_eq!(preset(".claude/bellwether.yaml", daemons), Preset::Calm);
    // What the person has named counts over what the kit's file only means.
    let room = Room::new();
    room.person("preset: calm\n");
    room.in_project(place, KIT);
    assert_eq!(room.load().config.preset, Preset::Calm);
}

#[test]
fn a_placeholder_that_nobody_fills_in_is_told_with_its_place() {
    let room = Room::new();
    room.person(
        "hooks:\n  permission_request:\n    message_template: \"{project}: {comand}?\"\n    voice: {rate: 111}\n  notification: {idle_message: \"{xyzzy} waits\"}\n  stop: {voice: {rate: 222}}\n",
    );
    let loaded = room.load();
    let file = room.home.config_file();
    let at = |rest: &str| format!("{}:{rest}", file.display());
    let mut problems = messages(&loaded);
    problems.sort();
    assert_eq!(
        problems,
        [
            at(
                "3:23: hooks.permission_request.message_template: unknown placeholder `{comand}` (did you mean `{command}`?)"
            ),
            at(
                "5:32: hooks.notification.idle_message: unknown placeholder `{xyzzy}`; known are {project}, {agent}, {command}"
            ),
        ]
    );
    // It costs only the announcements that it is in.
    let hooks = &loaded.config.hooks;
    assert_eq!(
        hooks.permission_request,
        Hooks::default().permission_request
    );
    assert_eq!(hooks.stop.voice.rate, 222);
    room.person("hooks: {permission_request: {message_template: \"{project} {agent} {command} {tool_name} {\"}}\n");
    assert_eq!(messages(&room.load()), [""; 0]);
}

/// Every value of the wrong kind, at every key there is, is told with its place and its path.
#[test]
fn every_key_complains_of_a_wrong_value() {
    fn leaves(path: &str, value: &serde_json::Value, out: &mut Vec<String>) {
        match value.as_object() {
            Some(map) => {
                for (key, value) in map {
                    leaves(&format!("{path}.{key}"), value, out);
                }
            }
            None => out.push(path.trim_start_matches('.').to_owned()),
        }
    }
    let mut keys = Vec::new();
    leaves(
        "",
        &serde_json::to_value(Config::default()).unwrap(),
        &mut keys,
    );
    assert!(keys.len() > 100, "{}", keys.len());
    let room = Room::new();
    for key in keys {
        // A list of numbers is right nowhere.
        let yaml = key
            .split('.')
            .enumerate()
            .fold(String::new(), |yaml, (depth, part)| {
                format!("{yaml}\n{}{part}:", "  ".repeat(depth))
            });
        room.person(&format!("{yaml} [1]\n"));
        let loaded = room.load();
        let [problem] = loaded.problems.as_slice() else {
            panic!("{key}: {:?}", loaded.problems)
        };
        assert_eq!(problem.path, key);
        assert!(
            problem.message.starts_with("expected ") && problem.place.line > 1,
            "{problem}"
        );
        assert_eq!(loaded.config, Config::default());
    }
}

#[test]
fn the_docs_are_what_the_code_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap_or_default();
    let hint = "run `cargo xtask docs`";
    assert_eq!(read("config.md"), crate::reference(), "{hint}");
    assert_eq!(
        read("config.schema.json"),
        format!("{:#}\n", crate::schema()),
        "{hint}"
    );
}

/// A project's mistakes cost the project's words, never the person's.
#[test]
fn a_project_spoils_only_what_it_says() {
    let room = Room::new();
    room.person("troubles: {enabled: false}\nhooks: {stop: {voice: {rate: 111}}}\n");
    for broken in [
        "a: [",
        "troubles: {x: 1}\n",
        "hooks: {stop: {voice: {rate: no}}}\n",
        "bogus: 1\n",
        "- 1\n",
    ] {
        room.in_project(".claude/bellwether.yaml", broken);
        for _ in 0..2 {
            let loaded = room.load();
            let config = &loaded.config;
            assert_eq!(
                (config.troubles.enabled, config.hooks.stop.voice.rate),
                (false, 111),
                "{broken}"
            );
            loaded.save(&room.home, Some(&room.project)).unwrap();
        }
    }
}

/// What one process's environment says must not stay.
#[test]
fn the_environment_is_not_kept() {
    let room = Room::new();
    let var = |name: &str| (name == "HOOK_DEBUG").then(|| "1".to_owned());
    let loaded = load(&room.home, Some(&room.project), &var);
    assert!(loaded.config.global.debug);
    loaded.save(&room.home, Some(&room.project)).unwrap();
    room.person("a: [");
    assert!(!room.load().config.global.debug);
}

fn passed_over(loaded: &Loaded) -> Vec<&str> {
    loaded.ignored.iter().map(|it| it.path.as_str()).collect()
}

#[test]
fn an_untrusted_project_can_make_the_guard_stricter_and_not_milder() {
    let room = Room::new();
    room.person("guard: {mode: strict}\n");
    let text = "guard: {enabled: false, mode: loss, protected_branches: [prod], allow: [{command: x}], rules: {bomb: {enabled: false}, tf: {command: [terraform, destroy]}}}\n";
    let file = room.in_project(".claude/bellwether.yaml", text);
    let loaded = room.load();
    assert_eq!(messages(&loaded), [""; 0]);
    let mut passed = passed_over(&loaded);
    passed.sort_unstable();
    assert_eq!(
        passed,
        [
            "guard.allow",
            "guard.enabled",
            "guard.mode",
            "guard.protected_branches",
            "guard.rules.bomb.enabled"
        ]
    );
    let guard = &loaded.config.guard;
    assert!(guard.enabled && guard.mode == guard::Mode::Strict && guard.allow.is_empty());
    assert_eq!(guard.protected_branches, ["main", "master", "prod"]);
    assert!(guard.rules["tf"].is_own() && guard.rules["bomb"].enabled);

    let mut trust = Trust::default();
    trust.grant(file, text.as_bytes());
    trust.save(&room.home).unwrap();
    let loaded = room.load();
    assert_eq!(passed_over(&loaded), [""; 0]);
    assert!(!loaded.config.guard.enabled);
    assert_eq!(loaded.config.guard.protected_branches, ["prod"]);
}

/// A mistake must not open a hole: the last valid values count, and with nothing good the defaults.
#[test]
fn a_broken_guard_section_is_last_good_or_protective() {
    let room = Room::new();
    let broken = "guard: {enabled: false, rules: {bmob: {verdict: deny}}}\n";
    room.person(broken);
    let loaded = room.load();
    assert_eq!(loaded.problems.len(), 1);
    assert!(messages(&loaded)[0].contains("guard.rules: `bmob` is none of our rules"));
    assert_eq!(loaded.config.guard, guard::Config::default());

    room.person("guard: {mode: strict, protected_branches: [main, prod]}\n");
    room.load().save(&room.home, Some(&room.project)).unwrap();
    room.person(broken);
    let loaded = room.load();
    assert_eq!(loaded.config.guard.mode, guard::Mode::Strict);
    assert_eq!(loaded.config.guard.protected_branches, ["main", "prod"]);

    room.in_project(".claude/bellwether.yaml", "guard: {mode: mild}\n");
    assert_eq!(room.load().config.guard.mode, guard::Mode::Strict);
    // What the hook reads is what counts.
    let snapshot = room.load().snapshot().unwrap();
    let section: guard::Config = snapshot.section(guard::config::SECTION).unwrap();
    assert_eq!(section, room.load().config.guard);
}

#[test]
fn a_guard_with_everything_in_it_survives_the_snapshot() {
    let room = Room::new();
    room.person("guard:\n  rules:\n    tf: {command: [terraform, destroy], verdict: ask, severity: high, reason: r, instead: i}\n    p: {path: '*.pem'}\n  allow:\n    - {command: x, until: 2999-01-01, rule: tf, reason: why}\n  answers: {bypassPermissions: ask}\n");
    let loaded = room.load();
    assert_eq!(messages(&loaded), [""; 0]);
    let section: guard::Config = loaded.snapshot().unwrap().section("guard").unwrap();
    assert_eq!(section, loaded.config.guard);
    assert_eq!(section.rules.len(), 2);
    // And they are read back from its JSON.
    loaded.save(&room.home, Some(&room.project)).unwrap();
    room.person("guard: [");
    assert_eq!(room.load().config.guard, section);
}

#[test]
fn a_language_changes_what_is_said_unless_a_file_says_it() {
    let place = Room::new();
    place.person("language: ko\nquiet: {hours: [\"22:00-07:30\"], subagents: true}\nhooks: {notification: {idle_message: Hello}}\n");
    let loaded = place.load();
    assert_eq!(messages(&loaded), [""; 0]);
    let config = &loaded.config;
    assert_eq!(config.hooks.notification.idle_message, "Hello");
    assert_eq!(config.hooks.notification.auth_message, "인증되었습니다");
    assert!(config.quiet.at(23 * 60) && config.quiet.subagents);
    place.person("quiet: {hours: [late]}\n");
    let complaint = messages(&place.load()).concat();
    assert!(
        complaint.contains("not two times of the day"),
        "{complaint}"
    );
}

#[test]
fn a_number_outside_of_its_bounds_is_wrong_and_counts_for_nothing() {
    let room = Room::new();
    for (text, place) in [
        (
            "audio: {volume: 11}\n",
            ":1:17: audio.volume: must be from 0 to 1, and is 11",
        ),
        (
            "audio:\n  volume: -0.5\n",
            ":2:11: audio.volume: must be from 0 to 1, and is -0.5",
        ),
        (
            "hooks:\n  stop:\n    voice: {rate: 5}\n",
            ":3:19: hooks.stop.voice.rate: must be from 20 to 1000, and is 5",
        ),
        ("daemon: {port: 70000}\n", ":1:"),
    ] {
        room.person(text);
        let loaded = room.load();
        let said = messages(&loaded);
        assert!(
            said.len() == 1 && said[0].contains(place),
            "{text}: {said:?}"
        );
        assert_eq!(loaded.config, Config::default(), "{text}");
    }
    room.person("audio: {volume: 1}\nhooks: {stop: {voice: {rate: 1000}}}\n");
    assert!(room.load().problems.is_empty());
}
