//! Exponential moving averages, with the correction of their start that ADAM uses (Kingma and Ba, 2015), as in CaDiCaL:
//! without it the first thousands of conflicts would be compared with zero.

/// A moving average over about `window` values.
#[derive(Clone, Debug)]
pub(crate) struct Ema {
    value: f64,
    biased: f64,
    alpha: f64,
    /// `(1 - alpha)^n`; 0 once it no longer matters.
    remaining: f64,
}

impl Ema {
    pub(crate) fn new(window: f64) -> Self {
        Self { value: 0.0, biased: 0.0, alpha: 1.0 / window.max(1.0), remaining: 1.0 }
    }

    pub(crate) fn update(&mut self, x: f64) {
        self.biased += self.alpha * (x - self.biased);
        if self.remaining > 1e-12 {
            self.remaining *= 1.0 - self.alpha;
            self.value = self.biased / (1.0 - self.remaining);
        } else {
            self.value = self.biased;
        }
    }

    #[inline]
    pub(crate) fn get(&self) -> f64 {
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_without_bias_and_follows() {
        let mut ema = Ema::new(1000.0);
        for _ in 0..5 {
            ema.update(8.0);
            assert!((ema.get() - 8.0).abs() < 1e-9);
        }
        for _ in 0..20_000 {
            ema.update(2.0);
        }
        assert!((ema.get() - 2.0).abs() < 1e-3);
        let mut immediate = Ema::new(1.0);
        immediate.update(3.0);
        immediate.update(5.0);
        assert_eq!(immediate.get(), 5.0);
    }
}
