//! A model that does what it is told, and nothing else: it takes up the tasks that it hears of in its context, and says so
//! when it hears of none. So what it does shows that it was told, and understood.

use serde_json::{Value, json};

use crate::scenario::{Step, Tool};

/// What it says when it was told nothing more.
pub const DONE: &str = "I was told nothing more.";
/// The match rates that its reports state, one after the other; the last one stays.
const RATES: [u32; 2] = [80, 95];

/// The description of a task that asks for no report.
const NOTHING: &str = "nothing more";

/// Its next turn, by the conversation so far.
pub(crate) fn turn(messages: &[Value], project: &str) -> Step {
    let told = since_last_turn(messages);
    let last = last_call(messages);
    let call = taken_up(&told)
        .or_else(|| begun(last))
        .or_else(|| reported(last, messages, project))
        .or_else(|| completed(last, messages, &told));
    match call {
        Some((name, input)) => Step {
            text: "As I was told.".into(),
            tools: vec![Tool {
                name: name.into(),
                input,
            }],
            ..Step::default()
        },
        None => Step {
            text: DONE.into(),
            ..Step::default()
        },
    }
}

type Call = (&'static str, Value);

/// A task that it has just heard of.
fn taken_up(told: &str) -> Option<Call> {
    if let Some(rest) = after(told, "Create the task ") {
        let subject = quoted(rest)?;
        return Some((
            "TaskCreate",
            json!({"subject": subject, "description": told_report(told)}),
        ));
    }
    if let Some(rest) = after(told, "Next task: ") {
        let id = between(rest, "(task ", " on the list)")?;
        return Some(("TaskUpdate", json!({"taskId": id, "status": "in_progress"})));
    }
    let id = between(told, "Task ", " on the list is for it")?;
    Some(("TaskUpdate", json!({"taskId": id, "status": "completed"})))
}

/// What it has begun it completes.
fn begun(last: Option<&Value>) -> Option<Call> {
    let input = &last.filter(|call| call["name"] == "TaskUpdate")?["input"];
    (input["status"] == "in_progress").then_some(())?;
    Some((
        "TaskUpdate",
        json!({"taskId": input["taskId"], "status": "completed"}),
    ))
}

/// A task that asks for a report gets one.
fn reported(last: Option<&Value>, messages: &[Value], project: &str) -> Option<Call> {
    let input = &last.filter(|call| call["name"] == "TaskCreate")?["input"];
    let path = input["description"]
        .as_str()
        .filter(|path| *path != NOTHING)?;
    let written = calls(messages)
        .filter(|call| call["name"] == "Write")
        .count();
    let rate = RATES[written.min(RATES.len() - 1)];
    let content = format!("# Check {}\n\nMatch Rate: {rate}%\n", written + 1);
    let path = format!("{project}/{path}");
    Some(("Write", json!({"file_path": path, "content": content})))
}

/// The task that it has made is done.
fn completed(last: Option<&Value>, messages: &[Value], told: &str) -> Option<Call> {
    let last = last.filter(|call| call["name"] == "TaskCreate" || call["name"] == "Write")?;
    let told = if last["name"] == "Write" {
        told_of_creation(messages)?
    } else {
        told.to_owned()
    };
    let id: String = after(&told, "Task #")?
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    Some(("TaskUpdate", json!({"taskId": id, "status": "completed"})))
}

/// Where the report of a task goes, which it keeps in the task's description.
fn told_report(told: &str) -> String {
    let path = between(told, "Write the report to ", " with a line");
    path.unwrap_or(NOTHING).to_owned()
}

/// What the client said of the last task that was made.
fn told_of_creation(messages: &[Value]) -> Option<String> {
    let mut texts = messages
        .iter()
        .filter(|message| message["role"] == "user")
        .map(text);
    texts.rfind(|text| text.contains("Task #"))
}

/// All that was said to it since its last turn.
fn since_last_turn(messages: &[Value]) -> String {
    let is_own = |message: &&Value| message["role"] == "assistant";
    let from = messages
        .iter()
        .rposition(|message| is_own(&message))
        .map_or(0, |at| at + 1);
    messages[from..].iter().map(text).collect()
}

/// The last call of a tool.
fn last_call(messages: &[Value]) -> Option<&Value> {
    calls(messages).last()
}

fn calls(messages: &[Value]) -> impl Iterator<Item = &Value> {
    let own = messages
        .iter()
        .filter(|message| message["role"] == "assistant");
    let blocks = own
        .filter_map(|message| message["content"].as_array())
        .flatten();
    blocks.filter(|block| block["type"] == "tool_use")
}

/// Every text of a message, results of tools among them.
fn text(message: &Value) -> String {
    fn gather(value: &Value, found: &mut String) {
        match value {
            Value::String(text) => {
                found.push_str(text);
                found.push('\n');
            }
            Value::Array(all) => all.iter().for_each(|one| gather(one, found)),
            Value::Object(fields) => fields
                .iter()
                .filter(|(name, _)| ["text", "content"].contains(&name.as_str()))
                .for_each(|(_, value)| gather(value, found)),
            _ => {}
        }
    }
    let mut found = String::new();
    gather(&message["content"], &mut found);
    found
}

fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    text.rsplit_once(words).map(|(_, rest)| rest)
}

fn between<'a>(text: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let end = text.rfind(behind)?;
    let start = text[..end].rfind(before)? + before.len();
    Some(&text[start..end])
}

/// A text in quotes, as it was meant.
fn quoted(text: &str) -> Option<String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    values.next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Value {
        json!({"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": text}]}]})
    }

    fn called(name: &str, input: &Value) -> Value {
        json!({"role": "assistant", "content": [{"type": "tool_use", "name": name, "input": input}]})
    }

    fn next(messages: &[Value]) -> Value {
        let step = turn(messages, "/p");
        step.tools
            .first()
            .map_or(json!(step.text), |tool| json!([tool.name, tool.input]))
    }

    #[test]
    fn it_does_what_it_is_told_and_nothing_else() {
        assert_eq!(next(&[user("Very well.")]), json!(DONE));
        let told = user(
            "Workflow: Do of \"x\" is done. Next: check. Create the task \"[Check] x\" and take it up now. Write the report to docs/x.md with a line \"Match Rate: N%\" before you complete it.",
        );
        let create = json!({"subject": "[Check] x", "description": "docs/x.md"});
        assert_eq!(
            next(std::slice::from_ref(&told)),
            json!(["TaskCreate", create])
        );
        let made = user("Task #4 created successfully: [Check] x");
        let mut talk = vec![told, called("TaskCreate", &create), made];
        assert_eq!(next(&talk)[0], "Write");
        assert_eq!(next(&talk)[1]["file_path"], "/p/docs/x.md");
        talk.extend([called("Write", &json!({})), user("File created")]);
        let done = json!({"taskId": "4", "status": "completed"});
        assert_eq!(next(&talk), json!(["TaskUpdate", done]));
        talk.extend([called("TaskUpdate", &done), user("Updated task #4")]);
        assert_eq!(next(&talk), json!(DONE));
        let idle = user("Next task: \"Mend\" (task 7 on the list). Make yourself its owner");
        let begin = json!({"taskId": "7", "status": "in_progress"});
        assert_eq!(
            next(std::slice::from_ref(&idle)),
            json!(["TaskUpdate", begin])
        );
    }
}
