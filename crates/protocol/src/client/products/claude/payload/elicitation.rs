//! An MCP server's question to the person, and the answer.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::shape::{Tell, shape};
use crate::event::Event;

shape! {
    struct Elicitation<'a> {
        mcp_server_name: Cow<'a, str>,
        elicitation_id: Cow<'a, str>,
        message: Cow<'a, str>,
        mode: Cow<'a, str>,
        url: Cow<'a, str>,
        requested_schema: &'a RawValue,
        action: Cow<'a, str>,
        content: &'a RawValue,
    }
}

impl<'a> Tell<'a> for Elicitation<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.mcp_server = self.mcp_server_name;
        event.message = self.message;
        event.detail = self.action.or(self.mode);
        event.data = self.content.or(self.requested_schema);
    }
}
