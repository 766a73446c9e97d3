// Generics, closures, trait objects and the standard library.
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};
use std::hint::black_box;

struct List<T>(Vec<T>);

impl<T: Ord + Clone + Display> List<T> {
    #[inline(never)]
    fn sorted(&self) -> Self {
        let mut rows = self.0.clone();
        rows.sort();
        List(rows)
    }
}

impl<T: Display> Display for List<T> {
    #[inline(never)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|row| write!(f, "{row:>9}, "))
    }
}

#[inline(never)]
fn tally<K: Ord, I: Iterator<Item = K>>(keys: I) -> BTreeMap<K, u32> {
    let mut counts = BTreeMap::new();
    keys.for_each(|key| *counts.entry(key).or_insert(0) += 1);
    counts
}

#[inline(never)]
fn apply(step: &dyn Fn(u64) -> u64, times: u64) -> u64 {
    (0..times).fold(1, |n, _| black_box(step(n)))
}

fn main() {
    let mut text = String::new();
    for round in 0..16 {
        // u64 and usize have functions in common, of which perfs choose one name or the other
        let list = List((0..20000u32).map(|i| i * 7919 % 20011 + round).collect());
        write!(text, "{}", list.sorted()).unwrap();
        black_box(tally(list.0.iter().map(|n| n.to_string())));
        black_box(apply(&|n| n.wrapping_mul(31) ^ 7, 4_000_000));
        text.clear();
    }
}
