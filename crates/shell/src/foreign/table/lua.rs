//! Functions of Lua.

use crate::foreign::act::Verb;
use crate::foreign::give::Give;
use crate::foreign::value::TEMPORARY;

pub(super) const ACTS: &[(&str, Verb)] = &[
    ("os.execute", Verb::Shell),
    ("io.popen", Verb::Shell),
    ("os.remove", Verb::Delete),
    ("lfs.rmdir", Verb::Delete),
    ("io.open", Verb::Open),
    ("io.output", Verb::Write(0)),
    ("os.rename", Verb::Move),
    ("load", Verb::Run),
    ("loadstring", Verb::Run),
    ("lfs.chdir", Verb::Enter),
];

pub(super) const GIVES: &[(&str, Give)] = &[
    ("os.getenv", Give::Environment),
    ("os.tmpname", Give::Text(TEMPORARY)),
    ("lfs.currentdir", Give::Text(".")),
    ("lfs.dir", Give::Names),
    ("string.char", Give::Characters),
    ("string.reverse", Give::Reverse),
    ("#reverse", Give::Reverse),
    ("string.format", Give::Format),
    ("#format", Give::Format),
    ("table.concat", Give::Joined),
    ("require", Give::Module),
    ("ipairs", Give::Same),
    ("pairs", Give::Same),
    ("tostring", Give::AsText),
];
