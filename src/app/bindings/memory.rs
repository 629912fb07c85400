//! What bindings hold that are kept besides those in use, and how much that may be.

use super::{Bindings, Ready};
use crate::kernel::memory::Tally;
use crate::kernel::skin::Bound;

impl Ready {
    fn weigh(&self, tally: &mut Tally) {
        if tally.is_new(&self.pure) {
            self.pure.weigh(tally);
        }
        if let Some(guarded) = self.guarded.as_ref().filter(|guarded| tally.is_new(guarded)) {
            guarded.weigh(tally);
        }
    }
}

impl Bindings {
    /// Lets the bindings that are kept hold so many bytes.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.settle();
    }

    /// How many bytes the bindings hold that are kept besides those in use.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Finds out what the kept bindings hold, and forgets the oldest where it is too much; the latest of each
    /// method stays.
    pub(super) fn settle(&mut self) {
        let mut tally = Tally::default();
        self.slots
            .values()
            .filter_map(|slot| slot.ready.as_ref())
            .for_each(|(_, ready)| ready.weigh(&mut tally));
        let in_use = tally.bytes();
        let most = self.slots.values().map(|slot| slot.kept.len()).max().unwrap_or(0);
        self.held = 0;
        for age in 0..most {
            for slot in self.slots.values_mut() {
                let Some(at) = slot.kept.len().checked_sub(age + 1) else { continue };
                slot.kept[at].1.weigh(&mut tally);
                let held = tally.bytes() - in_use;
                if age > 0 && held > self.limit {
                    slot.kept.drain(..=at);
                } else {
                    self.held = held;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bindings::BindKey;
    use crate::doc::{Document, Edit, Origin};
    use crate::kernel::forge;
    use crate::kernel::rig::Posed;
    use crate::kernel::skin::methods::curve::CURVE_PARAMS;
    use crate::kernel::skin::{Params, Skin};

    struct Heavy;

    impl Bound for Heavy {
        fn deform(&self, _: &Posed, _: &mut Skin) {}

        fn weigh(&self, tally: &mut Tally) {
            tally.add(1000);
        }
    }

    #[test]
    fn the_oldest_bindings_go_and_the_latest_stays() {
        let tube = forge::build("tube", None).expect("built in");
        let mut document = Document::new(Origin::parse("@tube"), tube);
        let mut bindings = Bindings::default();
        bindings.set_limit(3500);
        let keys: Vec<BindKey> = (0..8)
            .map(|k| {
                let mut params = Params::default();
                params.set_text(CURVE_PARAMS, &format!("fat={k}")).expect("fits");
                document.apply(Edit::SetParams("curve".into(), params)).expect("known");
                let key = BindKey::of(1, &document, "curve");
                bindings.finished("curve", key.clone(), Box::new(Heavy));
                key
            })
            .collect();
        let there =
            |bindings: &Bindings| keys.iter().map(|key| bindings.has("curve", key)).collect::<Vec<_>>();
        assert_eq!(bindings.held(), 3000, "what is in use is not counted");
        assert_eq!(there(&bindings), [true, false, false, false, false, true, true, true]);
        bindings.set_limit(0);
        assert_eq!((bindings.held(), there(&bindings)[7]), (1000, true));
    }
}
