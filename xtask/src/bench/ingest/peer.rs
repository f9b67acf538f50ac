//! Somebody else's collector that runs on this machine.

use std::str::FromStr;

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::bench) struct Peer {
    pub port: u16,
    /// The path that events are sent to.
    pub path: String,
}

impl FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (port, path) = text.split_once('/').unwrap_or((text, "events"));
        let port = port
            .parse()
            .map_err(|_| format!("`{port}` is no port; write for instance 4000/events"))?;
        Ok(Self {
            port,
            path: format!("/{path}"),
        })
    }
}

impl Peer {
    /// An event in the form that the collectors of the field take.
    pub(super) fn body(event: &[u8]) -> Vec<u8> {
        let event: Value = serde_json::from_slice(event).unwrap_or_default();
        let body = json!({
            "source_app": "bench",
            "session_id": event["session_id"],
            "hook_event_type": event["hook_event_name"],
            "payload": event,
        });
        body.to_string().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_a_port_and_a_path() {
        let peer = |text: &str| text.parse::<Peer>().map(|peer| (peer.port, peer.path));
        assert_eq!(peer("4000/events"), Ok((4000, "/events".to_owned())));
        assert_eq!(peer("4000"), Ok((4000, "/events".to_owned())));
        assert_eq!(peer("80/a/b"), Ok((80, "/a/b".to_owned())));
        assert!(peer("here/events").is_err());
    }

    #[test]
    fn what_a_peer_is_sent_holds_the_event() {
        let body = Peer::body(br#"{"session_id":"s","hook_event_name":"Stop","n":1}"#);
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["hook_event_type"], "Stop");
        assert_eq!(body["payload"]["n"], 1);
    }
}
