//! Damage on purpose: fewer samples and coarser ones, as of a machine that fails.

/// How a sound is damaged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Crush {
    /// Each sample is held for so many.
    pub hold: usize,
    /// So many steps from silence to full strength.
    pub steps: f32,
}

pub(super) fn crush(samples: &mut [f32], Crush { hold, steps }: Crush) {
    let strongest = samples.iter().fold(1e-6_f32, |most, x| most.max(x.abs()));
    for held in samples.chunks_mut(hold.max(1)) {
        let step = (held[0] / strongest * steps).round() / steps * strongest;
        held.fill(step);
    }
}
