//! One key of the person at the terminal, without Enter.

use std::io::Write as _;

use anyhow::bail;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// The terminal as programs have it that read single keys; as it was, when this is gone.
struct Raw;

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

/// Asks for one of these keys and waits for it.
pub(crate) fn ask(question: &str, keys: &[char]) -> anyhow::Result<char> {
    let mut screen = std::io::stderr().lock();
    write!(screen, "{question}")?;
    screen.flush()?;
    let raw = Raw;
    enable_raw_mode()?;
    let key = pressed(keys);
    drop(raw);
    let key = key?;
    writeln!(screen, "{key}")?;
    Ok(key)
}

fn pressed(keys: &[char]) -> anyhow::Result<char> {
    loop {
        let Event::Key(KeyEvent {
            code: KeyCode::Char(key),
            modifiers,
            kind,
            ..
        }) = event::read()?
        else {
            continue;
        };
        if kind == KeyEventKind::Release {
            continue;
        }
        if modifiers.contains(KeyModifiers::CONTROL) && matches!(key, 'c' | 'd') {
            bail!("stopped; what was said before is kept");
        }
        let key = key.to_ascii_lowercase();
        if keys.contains(&key) {
            return Ok(key);
        }
    }
}
