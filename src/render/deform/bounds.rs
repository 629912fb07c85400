//! Boxes that grow around points.

/// Lower and upper corner; `None` while there is nothing inside.
pub(super) type Around = Option<[[f32; 3]; 2]>;

/// Widens `around` to hold `p`; what is not a number changes nothing.
pub(super) fn include(around: &mut Around, p: [f32; 3]) {
    let [low, high] = around.get_or_insert([[f32::MAX; 3], [f32::MIN; 3]]);
    for k in 0..3 {
        low[k] = low[k].min(p[k]);
        high[k] = high[k].max(p[k]);
    }
}
