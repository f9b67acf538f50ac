//! Functions of PHP.

use crate::foreign::act::Act;
use crate::foreign::give::Give;
use crate::foreign::value::TEMPORARY;

pub(super) const ACTS: &[(&str, Act)] = &[
    ("system", Act::Shell),
    ("exec", Act::Shell),
    ("shell_exec", Act::Shell),
    ("passthru", Act::Shell),
    ("popen", Act::Shell),
    ("proc_open", Act::Shell),
    ("pcntl_exec", Act::Argv(0)),
    ("unlink", Act::Delete),
    ("rmdir", Act::Delete),
    ("file.deletedirectory", Act::DeleteTree),
    ("storage.deletedirectory", Act::DeleteTree),
    ("fopen", Act::Open),
    ("file_put_contents", Act::Write(0)),
    ("copy", Act::Write(1)),
    ("symlink", Act::Write(1)),
    ("rename", Act::Move),
    ("chmod", Act::Mode),
    ("chown", Act::Owner),
    ("chgrp", Act::Owner),
    ("eval", Act::Run),
    ("assert", Act::Run),
    ("create_function", Act::Run),
    ("chdir", Act::Enter),
    ("array_map", Act::Apply),
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
