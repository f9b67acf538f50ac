use std::collections::{BTreeMap, HashMap};

use super::*;

const ME: u32 = 1000;
const HOME: &str = "/home/dev";

/// A machine that was made up.
#[derive(Default)]
struct Machine {
    processes: BTreeMap<u32, Process>,
    programs: HashMap<u32, Program>,
    variables: HashMap<(u32, &'static str), String>,
    scopes: HashMap<u32, &'static str>,
    attached: Vec<(u32, u32)>,
}

impl Machine {
    /// A machine with the system's first process.
    fn new() -> Self {
        Self::default().add(1, 0, 1, "systemd").of(1, 0)
    }

    /// One more process of the person's, of a program of the system.
    fn add(mut self, pid: u32, parent: u32, began: u64, name: &str) -> Self {
        let process = Process {
            pid,
            parent,
            began,
            user: ME,
            name: name.to_owned(),
            session: pid,
            group: pid,
            terminal: 0,
            foreground: -1,
        };
        self.processes.insert(pid, process);
        let program = Program {
            path: PathBuf::from("/usr/bin").join(name),
            settled: true,
        };
        self.programs.insert(pid, program);
        self
    }

    fn of(mut self, pid: u32, user: u32) -> Self {
        self.change(pid, |process| process.user = user);
        // Nobody sees what another user's process runs.
        self.programs.remove(&pid);
        self
    }

    fn change(&mut self, pid: u32, change: impl FnOnce(&mut Process)) {
        change(self.processes.get_mut(&pid).unwrap());
    }

    fn runs(mut self, pid: u32, path: &str, settled: bool) -> Self {
        let path = path.into();
        self.programs.insert(pid, Program { path, settled });
        self
    }

    fn with(mut self, pid: u32, name: &'static str, value: &str) -> Self {
        self.variables.insert((pid, name), value.to_owned());
        self
    }

    fn in_scope(mut self, pid: u32, scope: &'static str) -> Self {
        self.scopes.insert(pid, scope);
        self
    }

    /// The client in a terminal, begun at 100, with a shell of its tool.
    fn with_client(self) -> Self {
        self.add(50, 1, 10, "gnome-terminal-server")
            .add(51, 50, 20, "bash")
            .add(60, 51, 100, "claude")
            .with(60, "HOME", HOME)
            .add(61, 60, 110, "bash")
            .with(61, "CLAUDECODE", "1")
    }

    fn origin(&self, pid: u32) -> Origin {
        origin(self, pid, &[])
    }

    #[track_caller]
    fn assert_person(&self, pid: u32) {
        assert_eq!(self.origin(pid), Origin::Person);
    }

    #[track_caller]
    fn assert_agent(&self, pid: u32) {
        let origin = self.origin(pid);
        assert!(matches!(origin, Origin::Agent(_)), "{origin:?}");
    }

    #[track_caller]
    fn assert_unclear(&self, pid: u32) {
        let origin = self.origin(pid);
        assert!(matches!(origin, Origin::Unclear(_)), "{origin:?}");
    }
}

impl Processes for Machine {
    fn process(&self, pid: u32) -> Option<Process> {
        self.processes.get(&pid).cloned()
    }

    fn all(&self) -> Vec<u32> {
        self.processes.keys().copied().collect()
    }

    fn program(&self, pid: u32) -> Option<Program> {
        self.programs.get(&pid).cloned()
    }

    fn words(&self, _: u32) -> Vec<String> {
        Vec::new()
    }

    fn variable(&self, pid: u32, name: &str) -> Option<String> {
        let mut all = self.variables.iter();
        all.find_map(|((of, key), value)| (*of == pid && *key == name).then(|| value.clone()))
    }

    fn login_scope(&self, pid: u32) -> Option<String> {
        self.scopes.get(&pid).map(|scope| (*scope).to_owned())
    }

    fn attached(&self, server: u32, socket: &str) -> Vec<u32> {
        let asked = self.attached.iter().filter(|(of, _)| *of == server);
        asked
            .filter(|_| socket == "/tmp/tmux")
            .map(|(_, client)| *client)
            .collect()
    }

    fn homes(&self) -> Vec<String> {
        vec![HOME.to_owned()]
    }
}

#[test]
fn what_a_client_starts_is_an_agents() {
    let machine = Machine::new().with_client();
    // The tool's shell, a command in it, one without the mark, and one in a terminal of its own.
    let machine = machine
        .add(70, 61, 120, "bellwether")
        .add(71, 60, 120, "bellwether")
        .add(72, 61, 120, "script")
        .add(73, 72, 121, "bellwether");
    for pid in [61, 70, 71, 72, 73] {
        machine.assert_agent(pid);
    }
    // The mark alone, on a parent that was left.
    let machine = machine
        .add(80, 1, 130, "tmux: server")
        .with(80, "CLAUDECODE", "1")
        .add(81, 80, 131, "bash");
    machine.assert_agent(81);
}

#[test]
fn a_client_under_another_name_is_known_by_the_events_it_sent() {
    let machine = Machine::new()
        .add(50, 1, 10, "gnome-terminal-server")
        .add(60, 50, 100, "assistant")
        .add(61, 60, 110, "bash");
    machine.assert_person(61);
    let known = |began| [Began { pid: 60, began }];
    assert!(matches!(
        origin(&machine, 61, &known(100)),
        Origin::Agent(_)
    ));
    assert_eq!(
        origin(&machine, 61, &known(99)),
        Origin::Person,
        "another process had that number"
    );
}

#[test]
fn who_left_an_agent_is_not_taken_for_a_person() {
    let machine = Machine::new().with_client();
    // setsid, nohup and a double fork end below the first process or the person's own manager.
    let machine = machine
        .add(40, 1, 5, "systemd")
        .add(70, 1, 120, "bellwether")
        .add(71, 40, 120, "sh")
        .add(72, 71, 121, "bellwether")
        .add(73, 40, 130, "script")
        .add(74, 73, 131, "bellwether");
    for pid in [70, 72, 74] {
        machine.assert_unclear(pid);
    }
    // A unit or a group of any name that the user makes is no login; nor is a copy with a terminal's name.
    let machine = machine
        .add(75, 40, 130, "xterm")
        .runs(75, "/tmp/xterm", false)
        .add(76, 75, 131, "bellwether");
    machine.assert_unclear(76);
    // A window's program that runs without one is none.
    let machine = machine
        .add(78, 40, 130, "code")
        .add(79, 78, 131, "bellwether");
    machine.assert_person(79);
    let machine = machine.with(78, "ELECTRON_RUN_AS_NODE", "1");
    machine.assert_unclear(79);
    // A timer runs what anybody gave it.
    let machine = machine
        .add(30, 1, 3, "atd")
        .of(30, 0)
        .add(77, 30, 140, "sh");
    machine.assert_unclear(77);
}

#[test]
fn a_tmux_server_of_an_agent_is_not_a_persons() {
    let machine = Machine::new()
        .with_client()
        .add(80, 1, 130, "tmux: server")
        .add(81, 80, 131, "bash")
        .with(81, "TMUX", "/tmp/tmux,80,0")
        .add(82, 81, 132, "bellwether");
    machine.assert_unclear(82);
    // Nor when the agent itself looks at it.
    let machine = machine.add(83, 61, 133, "tmux: client");
    let mut machine = machine.add(84, 1, 134, "tmux: client");
    machine.attached = vec![(80, 83), (80, 84)];
    machine.assert_unclear(82);
    // A person who looks at it is one.
    let mut machine = machine
        .add(52, 50, 140, "bash")
        .add(53, 52, 141, "tmux: client");
    machine.attached.push((80, 53));
    machine.assert_person(82);
    // Another server's socket says nothing.
    let machine = machine.with(81, "TMUX", "/tmp/other,80,0");
    machine.assert_unclear(82);
}

#[test]
fn persons_are_let_in() {
    let machine = Machine::new().with_client();
    // Another tab of the terminal, and a terminal that was begun later.
    let machine = machine
        .add(55, 50, 200, "bash")
        .add(56, 1, 210, "alacritty")
        .add(57, 56, 211, "zsh");
    machine.assert_person(55);
    machine.assert_person(57);
    // ssh, and sudo in it.
    let machine = machine
        .add(20, 1, 2, "sshd")
        .of(20, 0)
        .add(21, 20, 220, "sshd-session")
        .of(21, 0)
        .add(22, 21, 221, "sshd-session")
        .add(23, 22, 222, "bash")
        .add(24, 23, 230, "sudo")
        .of(24, 0)
        .add(25, 24, 231, "bellwether")
        .of(25, 0);
    machine.assert_person(23);
    machine.assert_person(25);
    // A tmux that was there before the client, which runs in another pane of it.
    let machine = Machine::new()
        .add(80, 1, 10, "tmux: server")
        .add(81, 80, 11, "bash")
        .add(60, 81, 100, "claude")
        .with(60, "HOME", HOME)
        .add(82, 80, 200, "bash")
        .add(83, 82, 201, "bellwether");
    machine.assert_person(83);
}

#[test]
fn another_login_is_known_by_the_systems_login_manager() {
    let machine = Machine::new()
        .with_client()
        .add(90, 1, 300, "SCREEN")
        .add(91, 90, 301, "bash");
    machine.assert_unclear(91);
    let machine = machine
        .in_scope(60, "session-2.scope")
        .in_scope(90, "session-2.scope");
    machine.assert_unclear(91);
    let machine = machine.in_scope(90, "session-5.scope");
    machine.assert_person(91);
}

#[test]
fn a_container_has_no_login() {
    // `docker exec` begins processes whose parent is not to be seen.
    let machine = Machine::default()
        .add(1, 0, 1, "sleep")
        .add(60, 0, 100, "claude")
        .with(60, "HOME", HOME)
        .add(70, 0, 200, "bash")
        .add(71, 70, 201, "bellwether");
    machine.assert_person(71);
    machine.add(72, 1, 210, "bellwether").assert_unclear(72);
}

#[test]
fn in_a_container_whose_first_process_is_the_persons_shell() {
    let mut machine = Machine::default()
        .add(1, 0, 1, "bash")
        .add(60, 1, 100, "claude")
        .with(60, "HOME", HOME)
        .add(70, 1, 200, "bellwether")
        .add(71, 1, 201, "bellwether")
        .add(72, 1, 202, "bellwether");
    for pid in [1, 70, 71] {
        machine.change(pid, |process| {
            (process.session, process.terminal, process.foreground) = (1, 34816, 70);
        });
    }
    machine.assert_person(70);
    // One behind, and one in a session of its own.
    machine.assert_unclear(71);
    machine.assert_unclear(72);
}

#[test]
fn without_a_client_nobody_is_suspected() {
    let machine = Machine::new()
        .add(70, 1, 200, "bellwether")
        .add(60, 1, 100, "claude")
        .with(60, "HOME", "/home/other");
    machine.assert_person(70);
}

#[test]
fn what_cannot_be_told_is_said() {
    let mut machine = Machine::new();
    machine.assert_unclear(5);
    for pid in 100..200 {
        machine = machine.add(pid, pid - 1, 5, "sh");
    }
    machine.assert_unclear(199);
    // A circle ends.
    let machine = Machine::default().add(7, 8, 1, "a").add(8, 7, 1, "b");
    machine.assert_person(7);
}
