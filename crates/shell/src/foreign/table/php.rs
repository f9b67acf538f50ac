//! Functions of PHP.

use crate::foreign::act::Verb;
use crate::foreign::give::Give;
use crate::foreign::value::TEMPORARY;

pub(super) const ACTS: &[(&str, Verb)] = &[
    ("posix_kill", Verb::Kill(0)),
    ("system", Verb::Shell),
    ("exec", Verb::Shell),
    ("shell_exec", Verb::Shell),
    ("passthru", Verb::Shell),
    ("popen", Verb::Shell),
    ("proc_open", Verb::Shell),
    ("pcntl_exec", Verb::Argv(0)),
    ("unlink", Verb::Delete),
    ("rmdir", Verb::Delete),
    ("file.deletedirectory", Verb::DeleteTree),
    ("storage.deletedirectory", Verb::DeleteTree),
    ("fopen", Verb::Open),
    ("file_put_contents", Verb::Write(0)),
    ("copy", Verb::Write(1)),
    ("symlink", Verb::Write(1)),
    ("rename", Verb::Move),
    ("chmod", Verb::Mode),
    ("chown", Verb::Owner),
    ("chgrp", Verb::Owner),
    ("eval", Verb::Run),
    ("assert", Verb::Run),
    ("create_function", Verb::Run),
    ("chdir", Verb::Enter),
    ("array_map", Verb::Apply),
];

pub(super) const GIVES: &[(&str, Give)] = &[
    ("getenv", Give::Environment),
    ("dirname", Give::Parent),
    ("realpath", Give::Same),
    ("sys_get_temp_dir", Give::Text("/tmp")),
    ("tempnam", Give::Text(TEMPORARY)),
    ("getcwd", Give::Text(".")),
    ("glob", Give::Glob),
    ("scandir", Give::Names),
    ("chr", Give::Characters),
    ("strrev", Give::Reverse),
    ("base64_decode", Give::Base64),
    ("hex2bin", Give::Hex),
    ("implode", Give::JoinedBy),
    ("join", Give::JoinedBy),
    ("sprintf", Give::Format),
    ("escapeshellarg", Give::AsText),
    ("pack", Give::Unpack),
];
