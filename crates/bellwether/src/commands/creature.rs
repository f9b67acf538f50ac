//! `bellwether creature`: the drawing of an agent, and a gallery of drawings.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_creature::{Appearance, Creature, Gallery, Motion, Pose, Row};
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::{exit, output};

/// Whose gallery it is when nobody is named.
const SOMEBODY: &str = "agent-1";
/// How many agents a gallery shows.
const AGENTS: u32 = 50;
/// How many children of one.
const CHILDREN: u32 = 9;

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether creature my-project/worker-01 --pose working > worker.svg
  bellwether creature reviewer --parent my-project/worker-01 --output reviewer.svg
  bellwether creature --gallery creatures.html")]
pub(crate) struct Arguments {
    /// The agent's id: the same id always looks the same.
    #[arg(required_unless_present = "gallery")]
    id: Option<String>,
    /// What it is seen doing.
    #[arg(long, default_value = "idle", value_parser = PossibleValuesParser::new(Pose::NAMES), conflicts_with = "gallery")]
    pose: String,
    /// The agent that sent it: it has that one's body and hue, and is smaller.
    #[arg(long, value_name = "ID", conflicts_with = "gallery")]
    parent: Option<String>,
    /// Draw what never moves.
    #[arg(long)]
    still: bool,
    /// Write to this new file instead of stdout.
    #[arg(long, short, value_name = "FILE.svg", conflicts_with = "gallery")]
    output: Option<PathBuf>,
    /// Write many agents, every pose and a family to this new file.
    #[arg(long, value_name = "FILE.svg|FILE.html")]
    gallery: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let id = arguments.id.as_deref();
    if let Some(path) = &arguments.gallery {
        let gallery = gallery(id.unwrap_or(SOMEBODY), arguments.motion());
        let text = match path.extension().and_then(|end| end.to_str()) {
            Some("svg") => gallery.svg(),
            Some("html") => gallery.html(),
            _ => {
                return Err(exit::usage(format!(
                    "the name of a gallery ends in .svg or .html, and {} does not",
                    path.display()
                )));
            }
        };
        return arguments.write(path, &text);
    }
    let svg = arguments.creature(id.unwrap_or(SOMEBODY)).svg() + "\n";
    match &arguments.output {
        Some(path) => arguments.write(path, &svg),
        None => Ok(output::stdout().write_all(svg.as_bytes())?),
    }
}

impl Arguments {
    fn motion(&self) -> Motion {
        if self.still {
            Motion::Still
        } else {
            Motion::Animated
        }
    }

    fn creature<'a>(&self, id: &'a str) -> Creature<'a> {
        let pose = Pose::from_name(&self.pose).unwrap_or_default();
        let creature = match &self.parent {
            Some(parent) => child(&Appearance::of(parent), id, pose),
            None => Creature::new(Appearance::of(id), pose),
        };
        creature.with_motion(self.motion()).with_title(id)
    }

    fn write(&self, path: &Path, text: &str) -> anyhow::Result<()> {
        let mut options = File::options();
        options.write(true);
        if self.force {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        let open = options.open(path);
        let mut file = open.with_context(|| {
            let path = path.display();
            format!("cannot write {path} (--force writes over a file)")
        })?;
        file.write_all(text.as_bytes())
            .with_context(|| format!("write {}", path.display()))?;
        tell!("wrote {}", path.display());
        Ok(())
    }
}

fn child<'a>(parent: &Appearance, id: &str, pose: Pose) -> Creature<'a> {
    Creature::new(parent.inherit(id), pose).child()
}

/// Many agents, one in every pose, and that one's children.
fn gallery(id: &str, motion: Motion) -> Gallery<'static> {
    let looks = Appearance::of(id);
    let named =
        |name: &str, creature: Creature<'static>| (name.to_owned(), creature.with_motion(motion));
    let others = (1..)
        .map(|number| format!("agent-{number}"))
        .filter(|other| other != id);
    let agents = std::iter::once(id.to_owned())
        .chain(others)
        .take(AGENTS as usize);
    let agents = agents.map(|id| named(&id, Creature::new(Appearance::of(&id), Pose::Idle)));
    let poses = Pose::ALL
        .iter()
        .map(|pose| named(pose.as_str(), Creature::new(looks, *pose)));
    // Those that say most about what a child can be seen doing come first.
    let busy = Pose::ALL.iter().skip(2).cycle();
    let children = (1..=CHILDREN).zip(busy).map(|(number, pose)| {
        let name = format!("child-{number}");
        let creature = child(&looks, &format!("{id}/{name}"), *pose);
        named(&name, creature)
    });
    let family = std::iter::once(named(id, Creature::new(looks, Pose::Idle))).chain(children);
    Gallery {
        rows: vec![
            row("agents".to_owned(), agents.collect()),
            row(format!("what {id} can be seen doing"), poses.collect()),
            row(format!("{id} and its children"), family.collect()),
        ],
    }
}

fn row(heading: String, creatures: Vec<(String, Creature<'static>)>) -> Row<'static> {
    Row { heading, creatures }
}
