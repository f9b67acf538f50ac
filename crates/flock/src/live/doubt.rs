//! Agents of which something should have been heard by now.

/// An agent that says it works and is quiet. Whoever can look at the client's process and transcript
/// may know better.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    pub agent_id: String,
    pub session_id: Option<String>,
    pub workspace_id: Option<String>,
    pub client_pid: Option<u32>,
    pub transcript: Option<String>,
    /// When it was last heard of, milliseconds since 1970.
    pub last_active_ms: u64,
    /// Whether it is expected to be at work: then a transcript may tell of an interruption.
    pub at_work: bool,
}
