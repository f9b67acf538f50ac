//! Files and directories that changed, or that a session began to use.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::shape::{Tell, shape};
use crate::event::Event;

shape! {
    struct ConfigChange<'a> {
        source: Cow<'a, str>,
        file_path: Cow<'a, str> | "filePath",
    }
}

impl<'a> Tell<'a> for ConfigChange<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.source;
        event.path = self.file_path;
    }
}

shape! {
    struct FileChanged<'a> {
        event: Cow<'a, str>,
        file_path: Cow<'a, str> | "filePath",
    }
}

impl<'a> Tell<'a> for FileChanged<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.event;
        event.path = self.file_path;
    }
}

shape! {
    struct InstructionsLoaded<'a> {
        load_reason: Cow<'a, str>,
        memory_type: Cow<'a, str>,
        file_path: Cow<'a, str> | "filePath",
        trigger_file_path: Cow<'a, str>,
        parent_file_path: Cow<'a, str>,
        globs: &'a RawValue,
    }
}

impl<'a> Tell<'a> for InstructionsLoaded<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.load_reason;
        event.path = self.file_path;
        event.from_path = self.trigger_file_path.or(self.parent_file_path);
    }
}

shape! {
    struct CwdChanged<'a> {
        old_cwd: Cow<'a, str>,
        new_cwd: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for CwdChanged<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.from_path = self.old_cwd;
        event.path = self.new_cwd;
    }
}

shape! {
    struct DirectoryAdded<'a> {
        directory: Cow<'a, str>,
        source: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for DirectoryAdded<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.path = self.directory;
        event.detail = self.source;
    }
}

shape! {
    struct Worktree<'a> {
        name: Cow<'a, str>,
        worktree_path: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for Worktree<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.title = self.name;
        event.path = self.worktree_path;
    }
}
