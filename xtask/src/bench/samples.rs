//! Times of many runs, and what stands in their middle and near their end.

use std::time::Duration;

/// Times, shortest first.
#[derive(Debug, Clone)]
pub(super) struct Samples(Vec<Duration>);

impl Samples {
    /// Takes times in any order.
    pub(super) fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// Half of the runs took no longer.
    pub(super) fn median_us(&self) -> f64 {
        self.percentile_us(50)
    }

    /// Nineteen of twenty runs took no longer.
    pub(super) fn p95_us(&self) -> f64 {
        self.percentile_us(95)
    }

    /// The time of the nearest rank; zero where there is none.
    fn percentile_us(&self, percent: usize) -> f64 {
        let rank = (self.0.len() * percent).div_ceil(100);
        let time = self.0.get(rank.saturating_sub(1));
        time.copied().unwrap_or_default().as_secs_f64() * 1e6
    }
}

/// The median of how much longer each second of a pair took than the first.
pub(super) fn median_ratio(pairs: &[(Duration, Duration)]) -> f64 {
    let ratio = |(one, other): &(Duration, Duration)| other.as_secs_f64() / one.as_secs_f64();
    let mut ratios: Vec<f64> = pairs.iter().map(ratio).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_pair_does_not_count() {
        let pair = |one, other| (Duration::from_millis(one), Duration::from_millis(other));
        let pairs = [pair(10, 11), pair(10, 90), pair(20, 22)];
        assert_eq!(format!("{:.2}", median_ratio(&pairs)), "1.10");
        assert!(median_ratio(&[]).is_nan());
    }

    fn samples(times: &[u64]) -> Samples {
        Samples::new(times.iter().copied().map(Duration::from_micros).collect())
    }

    fn whole(us: f64) -> String {
        format!("{us:.0}")
    }

    #[test]
    fn the_nearest_rank_is_taken() {
        for (times, median, p95) in [
            (vec![], "0", "0"),
            (vec![7], "7", "7"),
            (vec![3, 1, 2], "2", "3"),
            (vec![4, 3, 2, 1], "2", "4"),
            ((1..=100).rev().collect(), "50", "95"),
            ((1..=1000).collect(), "500", "950"),
        ] {
            let samples = samples(&times);
            assert_eq!(whole(samples.median_us()), median);
            assert_eq!(whole(samples.p95_us()), p95);
        }
    }
}
