//! The scenarios the tests share. Each is one way a session can go.

use std::time::Duration;

use serde_json::json;

use crate::scenario::Scenario;

/// All of them, for a developer to play by name.
pub fn all() -> Vec<Scenario> {
    vec![
        basic(),
        one_bash(),
        permission(),
        question(),
        subagents(),
        tasks(),
        api_error(),
        long_tool(Duration::from_secs(30)),
        parallel_edits(),
        compaction(),
        background(),
    ]
}

/// The common tools one after another, a command that fails, and two tools at once.
pub fn basic() -> Scenario {
    Scenario::new("basic")
        .says("Let me greet the shell.")
        .bash("echo hello")
        .says("A poem needs a file.")
        .write("poem.txt", "roses\nviolets\n")
        .says("I look at what I wrote.")
        .read("poem.txt")
        .says("Better flowers.")
        .edit("poem.txt", "violets", "lilies")
        .says("This one will not work.")
        .bash("echo no such luck >&2; exit 3")
        .says("Now two things at once.")
        .bash("echo left")
        .read("notes.txt")
        .says("The poem is finished.")
}

/// The shortest session with a tool in it.
pub fn one_bash() -> Scenario {
    Scenario::new("one_bash")
        .says("One command.")
        .bash("echo only-once")
        .says("That was all.")
}

/// A command and a file that both need leave.
pub fn permission() -> Scenario {
    Scenario::new("permission")
        .says("May I touch a file?")
        .bash("touch touched.txt")
        .says("And write another?")
        .write("granted.txt", "granted\n")
        .says("Thank you for your trust.")
}

/// A question with two answers.
pub fn question() -> Scenario {
    Scenario::new("question")
        .says("I cannot decide this alone.")
        .tool(
            "AskUserQuestion",
            json!({"questions": [{
                "question": "Which way shall the flock go?",
                "header": "Way",
                "multiSelect": false,
                "options": [
                    {"label": "Uphill", "description": "Fresh grass"},
                    {"label": "Downhill", "description": "Fresh water"},
                ],
            }]}),
        )
        .says("So be it.")
}

/// Two subagents, one after the other, each with a scenario of its own.
pub fn subagents() -> Scenario {
    let counter = Scenario::new("subagents_counter")
        .says("Counting the files.")
        .bash("ls | wc -l")
        .says("And one thing that fails.")
        .bash("false")
        .says("I counted them all.");
    let reader = Scenario::new("subagents_reader")
        .says("Reading the notes.")
        .read("notes.txt")
        .says("The notes have two lines.");
    Scenario::new("subagents")
        .says("Somebody should count the files.")
        .agent("general-purpose", "Count the files", counter)
        .says("Somebody should read the notes.")
        .agent("Explore", "Read the notes", reader)
        .says("Both came back.")
}

/// Two tasks, one of which gets done.
pub fn tasks() -> Scenario {
    Scenario::new("tasks")
        .says("First the plan.")
        .tool(
            "TaskCreate",
            json!({"subject": "Mend the fence", "description": "The northern side", "activeForm": "Mending"}),
        )
        .says("There is more.")
        .tool(
            "TaskCreate",
            json!({"subject": "Count the sheep", "description": "Twice"}),
        )
        .says("To work.")
        .tool("TaskUpdate", json!({"taskId": "1", "status": "in_progress"}))
        .says("The fence stands.")
        .tool("TaskUpdate", json!({"taskId": "1", "status": "completed"}))
        .says("What is left?")
        .tool("TaskList", json!({}))
        .says("Only the sheep are left.")
}

/// The API refuses at once.
pub fn api_error() -> Scenario {
    Scenario::new("api_error").fails(400, "invalid_request_error")
}

/// A command that takes its time.
pub fn long_tool(duration: Duration) -> Scenario {
    // The client refuses a command that is nothing but `sleep`.
    let command = format!("echo resting; sleep {}", duration.as_secs_f64());
    Scenario::new("long_tool")
        .says("This takes a while.")
        .bash(&command)
        .says("Well rested.")
}

/// A command that goes on after the turn.
pub fn background() -> Scenario {
    Scenario::new("background")
        .says("The server can start on its own.")
        .tool(
            "Bash",
            json!({
                "command": "echo serving; sleep 20",
                "description": "Start the server",
                "run_in_background": true,
            }),
        )
        .says("It is starting; meanwhile I am done.")
}

/// Four edits of four files in one turn.
pub fn parallel_edits() -> Scenario {
    Scenario::new("parallel_edits")
        .says("I read the four corners.")
        .read("north.txt")
        .read("east.txt")
        .read("south.txt")
        .read("west.txt")
        .says("And change them all.")
        .edit("north.txt", "cold", "mild")
        .edit("east.txt", "dark", "dawn")
        .edit("south.txt", "hot", "warm")
        .edit("west.txt", "light", "dusk")
        .says("Four corners, four edits.")
}

/// A conversation that nearly fills the context, so that the client compacts it by itself before the last turn.
pub fn compaction() -> Scenario {
    Scenario::new("compaction")
        .says("A long story begins.")
        .read("notes.txt")
        .says("It goes on and on.")
        .read("notes.txt")
        .having_read(990_000)
        .says("And here it ends.")
}
