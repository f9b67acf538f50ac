//! The gate in the folder that a command is given in.

mod here;
mod shown;

pub(crate) use here::Here;
pub(crate) use shown::{Progress, duration, told};
