//! Panels under sway.

mod stage;

use anyhow::Result;
use stage::Stage;

#[test]
fn a_panel_is_seen_where_it_is_put() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (100, 50, 60, 40), stage::RED)?;
    stage.until_seen(|shot| shot.at(100, 50) == stage::RED && shot.at(159, 89) == stage::RED)?;
    let shot = stage.shot()?;
    for (x, y) in [(99, 50), (100, 49), (160, 89), (159, 90)] {
        assert_eq!(shot.at(x, y), stage::GROUND, "{x} {y}");
    }
    Ok(())
}
