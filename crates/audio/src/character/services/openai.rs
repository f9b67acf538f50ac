//! OpenAI's chat completions, and every server that has them.

use serde_json::{Value, json};

use super::{Service, WordsRequest, base};
use crate::Secret;
use crate::http::Request;

pub(super) fn ask(
    service: &Service,
    key: Option<&Secret>,
    system: &str,
    line: &str,
) -> WordsRequest {
    let request = Request::to(
        base(service, "https://api.openai.com"),
        "/v1/chat/completions",
    );
    WordsRequest {
        request: request.key("authorization", key),
        body: json!({
            "model": service.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": line},
            ],
        }),
        read,
    }
}

fn read(answer: &Value) -> Option<&str> {
    answer["choices"][0]["message"]["content"].as_str()
}
