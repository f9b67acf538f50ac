//! The overlay's icon in the tray alone. Each line on stdin says how things are (`3`, `0 muted`, `0 lost`); what a person
//! does with the icon is printed.

use std::io::Write as _;

use anyhow::Result;
use bellwether_overlay::drawn::Sign;
use bellwether_overlay::tray::Tray;
use bellwether_overlay::words::Language;

fn main() -> Result<()> {
    let tray = Tray::start(Language::English, |deed| {
        // Whoever reads this may have gone.
        let _ = writeln!(std::io::stdout(), "{deed:?}");
    });
    for line in std::io::stdin().lines() {
        let line = line?;
        let mut words = line.split(' ');
        let sign = Sign {
            waiting: words.next().unwrap_or_default().parse()?,
            muted: line.contains("muted"),
            lost: line.contains("lost"),
        };
        tray.tell(sign, Language::English);
    }
    Ok(())
}
