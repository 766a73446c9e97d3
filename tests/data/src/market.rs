// A small Rust program with generics, closures, trait objects and iterators.
// SPDX-License-Identifier: MIT
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display};
use std::hint::black_box;

trait Pricer {
    fn price(&self, quantity: u64) -> f64;
}

struct Flat(f64);
struct Tiered<F: Fn(u64) -> f64> {
    rule: F,
}

impl Pricer for Flat {
    #[inline(never)]
    fn price(&self, quantity: u64) -> f64 {
        (0..400).fold(self.0, |sum, i| black_box(sum + (i * quantity) as f64 * 0.01))
    }
}

impl<F: Fn(u64) -> f64> Pricer for Tiered<F> {
    #[inline(never)]
    fn price(&self, quantity: u64) -> f64 {
        (0..300).map(|i| black_box((self.rule)(quantity + i))).sum()
    }
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Symbol<'a>(&'a str, u32);

impl<'a> Display for Symbol<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{:04}", self.0, self.1)
    }
}

#[inline(never)]
fn tally<K: std::hash::Hash + Eq + Clone, I>(items: I) -> HashMap<K, u64>
where
    I: Iterator<Item = K>,
{
    let mut counts = HashMap::new();
    items.for_each(|key| *counts.entry(key).or_insert(0) += 1);
    counts
}

#[inline(never)]
fn apply<T, R>(input: &[T], step: &dyn Fn(&T) -> R) -> Vec<R> {
    input.iter().map(step).collect()
}

mod book {
    pub struct Ledger<T> {
        pub rows: Vec<T>,
    }

    impl<T: Ord + Clone> Ledger<T> {
        #[inline(never)]
        pub fn sorted(&self) -> Vec<T> {
            let mut rows = self.rows.clone();
            rows.sort_by(|a, b| b.cmp(a));
            rows
        }
    }
}

fn day(seed: u32) -> f64 {
    let names = ["ash", "birch", "cedar", "douglas", "elm"];
    let symbols: Vec<Symbol> = (0..2000u32)
        .map(|i| Symbol(names[(i % 5) as usize], (i.wrapping_mul(seed | 1) >> 3) % 97))
        .collect();
    let counts = tally(symbols.iter().cloned());
    let ledger = book::Ledger { rows: symbols };
    let sorted = ledger.sorted();
    let labels = apply(&sorted[..500], &|symbol: &Symbol| symbol.to_string());
    let index: BTreeMap<String, usize> = labels.into_iter().zip(0..).collect();
    let pricers: Vec<Box<dyn Pricer>> = vec![
        Box::new(Flat(1.5)),
        Box::new(Tiered { rule: |q| (q as f64).sqrt() }),
        Box::new(Tiered { rule: |q| if q > 200 { 0.5 } else { (q as f64).ln_1p() } }),
    ];
    counts
        .values()
        .map(|&quantity| pricers.iter().map(|p| p.price(quantity)).sum::<f64>())
        .sum::<f64>()
        + index.len() as f64
}

fn main() {
    let days: u32 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(300);
    let worker = std::thread::Builder::new()
        .name("closing bell 2".into())
        .spawn(move || (0..days / 2).map(day).sum::<f64>())
        .unwrap();
    let total: f64 = (0..days).map(day).sum();
    println!("{:.2}", total + worker.join().unwrap());
}
