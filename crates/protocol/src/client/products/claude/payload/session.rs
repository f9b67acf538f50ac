//! A session's own life: setup, start, end, compaction, and the model it runs on.

use std::borrow::Cow;

use super::shape::{Tell, shape};
use crate::event::{Event, Model};

shape! {
    struct SessionStart<'a> {
        source: Cow<'a, str>,
        model: Cow<'a, str>,
        session_title: Cow<'a, str>,
        seconds_since_last_response: u64,
        context_tokens: u64,
        prompt_cache_likely_expired: bool,
        estimated_cache_write_usd: f64,
    }
}

impl<'a> Tell<'a> for SessionStart<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.source;
        event.title = self.session_title;
        if self.model.is_some() || self.context_tokens.is_some() {
            event.model = Some(Model {
                to: self.model,
                context_tokens: self.context_tokens,
                ..Model::default()
            });
        }
    }
}

shape! {
    struct SessionEnd<'a> {
        reason: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for SessionEnd<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.reason;
    }
}

shape! {
    struct Setup<'a> {
        trigger: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for Setup<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.trigger;
    }
}

shape! {
    struct Compact<'a> {
        trigger: Cow<'a, str>,
        custom_instructions: Cow<'a, str>,
        compact_summary: Cow<'a, str> | "summary",
    }
}

impl<'a> Tell<'a> for Compact<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.trigger;
        event.message = self.compact_summary.or(self.custom_instructions);
    }
}

shape! {
    struct ModelSwitch<'a> {
        from_model: Cow<'a, str>,
        to_model: Cow<'a, str>,
        requested_model: Cow<'a, str>,
        source: Cow<'a, str>,
        context_tokens: u64,
        prompt_cache_warm: bool,
        cache_ttl: Cow<'a, str>,
        estimated_cache_write_usd: f64,
        pricing: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for ModelSwitch<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.source;
        event.model = Some(Model {
            from: self.from_model,
            to: self.to_model,
            requested: self.requested_model,
            context_tokens: self.context_tokens,
        });
    }
}
