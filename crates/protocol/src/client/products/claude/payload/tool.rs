//! Tool calls: about to run, run, failed, asked for, refused; alone or in a batch.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use super::super::tools::TOOLS;
use super::shape::{Shape, Tell, nested_shape, shape};
use crate::{
    event::{Event, Kind, Tool},
    fields::{Fields, FromRaw},
};

nested_shape! {
    struct ToolCall<'a> {
        tool_name: Cow<'a, str>,
        tool_input: &'a RawValue,
        tool_use_id: Cow<'a, str>,
        tool_response: &'a RawValue | "tool_result" | "tool_output" | "result",
        /// Older clients send one on `PostToolUse`; any value but `null` says that the call failed.
        error: &'a RawValue,
        exit_code: i64,
        is_interrupt: bool,
        duration_ms: u64,
        mcp_server: McpServer<'a>,
        permission_suggestions: &'a RawValue,
        reason: Cow<'a, str>,
    }
}

nested_shape! {
    struct McpServer<'a> {
        name: Cow<'a, str>,
        source: Cow<'a, str>,
    }
}

shape! {
    struct Words<'a> {
        message: Cow<'a, str>,
        title: Cow<'a, str>,
        level: Cow<'a, str>,
    }
}

/// An event that the client does not have: its words, and the tool call that it is about.
#[derive(Debug, Clone)]
pub(super) struct Unknown<'a> {
    call: ToolCall<'a>,
    words: Words<'a>,
}

impl<'a> Shape<'a> for Unknown<'a> {
    fn read(fields: &Fields<'a>) -> Self {
        Self {
            call: Shape::read(fields),
            words: Shape::read(fields),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.call.write(map)?;
        self.words.write(map)
    }
}

impl<'a> Tell<'a> for Unknown<'a> {
    fn tell(self, event: &mut Event<'a>) {
        self.call.tell(event);
        event.message = self.words.message;
        event.title = self.words.title;
        event.level = self.words.level;
    }
}

shape! {
    struct ToolBatch<'a> {
        tool_calls: Vec<ToolCall<'a>>,
    }
}

impl<'a> Tell<'a> for ToolCall<'a> {
    fn tell(mut self, event: &mut Event<'a>) {
        event.detail = self.reason.take();
        event.data = self.permission_suggestions;
        event.tool = self.into_tool();
        if let Some(tool) = &mut event.tool {
            tool.failed |= event.kind == Kind::PostToolUseFailure;
        }
    }
}

impl<'a> Tell<'a> for ToolBatch<'a> {
    fn tell(self, event: &mut Event<'a>) {
        let calls = self.tool_calls.unwrap_or_default();
        event.calls = calls.into_iter().filter_map(ToolCall::into_tool).collect();
    }
}

impl<'a> ToolCall<'a> {
    /// A call without name and input is none: an event of an unknown kind need not be about a tool.
    fn into_tool(self) -> Option<Tool<'a>> {
        if self.tool_name.is_none() && self.tool_input.is_none() {
            return None;
        }
        let name = self.tool_name.unwrap_or_default();
        let error: Option<Cow<'a, str>> = self.error.and_then(Cow::from_raw);
        Some(Tool {
            does: TOOLS.kind(&name),
            told_apart: false,
            folders: TOOLS.folders,
            name,
            input: self.tool_input,
            use_id: self.tool_use_id,
            response: self.tool_response,
            failed: self.error.is_some(),
            exit_code: self.exit_code.or_else(|| exit_code(error.as_deref()?)),
            error,
            interrupted: self.is_interrupt.unwrap_or_default(),
            duration_ms: self.duration_ms,
            mcp_server: self.mcp_server.and_then(|server| server.name),
        })
    }
}

/// A command's exit code is the beginning of its error.
fn exit_code(error: &str) -> Option<i64> {
    let rest = error.strip_prefix("Exit code ")?;
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '-';
    let end = rest.find(|letter| !is_number(letter)).unwrap_or(rest.len());
    rest[..end].parse().ok()
}
