//! Functions of Lua.

use crate::foreign::act::Act;
use crate::foreign::give::Give;
use crate::foreign::value::TEMPORARY;

pub(super) const ACTS: &[(&str, Act)] = &[
    ("os.execute", Act::Shell),
    ("io.popen", Act::Shell),
    ("os.remove", Act::Delete),
    ("lfs.rmdir", Act::Delete),
    ("io.open", Act::Open),
    ("io.output", Act::Write(0)),
    ("os.rename", Act::Move),
    ("load", Act::Run),
    ("loadstring", Act::Run),
    ("lfs.chdir", Act::Enter),
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
