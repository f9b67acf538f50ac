//! Anthropic's Messages API.

use serde_json::{Value, json};

use super::{Service, WordsRequest, base};
use crate::Secret;
use crate::http::Request;

/// Enough for a line that is spoken.
const TOKENS: u32 = 1_000;

pub(super) fn ask(
    service: &Service,
    key: Option<&Secret>,
    system: &str,
    line: &str,
) -> WordsRequest {
    let mut request = Request::to(base(service, "https://api.anthropic.com"), "/v1/messages");
    request
        .headers
        .push(("anthropic-version", "2023-06-01".to_owned()));
    WordsRequest {
        request: request.key("x-api-key", key),
        body: json!({
            "model": service.model,
            "max_tokens": TOKENS,
            "system": system,
            "messages": [{"role": "user", "content": line}],
        }),
        read,
    }
}

fn read(answer: &Value) -> Option<&str> {
    let mut parts = answer["content"].as_array()?.iter();
    parts.find_map(|part| part["text"].as_str())
}
