//! A filter as SQL. Only what is asked for stands in the statement, so that an index can serve it.

use rusqlite::types::Value;

use super::write::severity_number;
use crate::{EventType, Filter};

/// The part behind `WHERE`, and its values in their order.
pub(super) struct Condition {
    pub sql: String,
    pub values: Vec<Value>,
}

impl Condition {
    pub(super) fn of(filter: &Filter) -> Self {
        let mut condition = Self {
            sql: "event.seq > ?".to_owned(),
            values: vec![filter.after.into()],
        };
        if let Some(before) = filter.before {
            condition.and("event.seq < ?", before);
        }
        if let Some(start) = &filter.session {
            // All ids that begin with a text, as a range that an index can serve.
            condition.and("event.session >= ?", start.clone());
            condition.and("event.session < ?", format!("{start}\u{10ffff}"));
        }
        let texts = [
            ("event.agent = ?", filter.agent.as_deref()),
            ("event.name = ?", filter.name.as_deref()),
            ("event.type = ?", filter.kind.map(EventType::as_str)),
            ("event.tool = ?", filter.tool.as_deref()),
            ("event.workspace = ?", filter.workspace.as_deref()),
        ];
        for (sql, text) in texts {
            if let Some(text) = text {
                condition.and(sql, text.to_owned());
            }
        }
        if let Some(severity) = filter.severity {
            condition.and("event.severity >= ?", severity_number(severity));
        }
        if let Some(since) = filter.since_ms {
            condition.and("event.at_ms >= ?", since.cast_signed());
        }
        if let Some(until) = filter.until_ms {
            condition.and("event.at_ms < ?", until.cast_signed());
        }
        condition
    }

    fn and(&mut self, sql: &str, value: impl Into<Value>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.values.push(value.into());
    }
}
