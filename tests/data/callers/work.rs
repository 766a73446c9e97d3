// Says which share of its time is below first(), whose callee compares slices.
use std::hint::black_box;
use std::time::{Duration, Instant};

#[inline(never)]
fn compares(a: &[u8], b: &[u8]) {
    for _ in 0..2000 {
        black_box(black_box(a) == black_box(b));
    }
}

#[inline(never)]
fn spins(_: &[u8], _: &[u8]) {
    for i in 0..2000000u64 {
        black_box(i);
    }
}

fn cpu() -> f64 {
    // user and system time, in ticks of 10 ms
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let words: Vec<&str> = text[text.rfind(')').unwrap()..].split(' ').collect();
    (words[12].parse::<f64>().unwrap() + words[13].parse::<f64>().unwrap()) / 100.0
}

fn repeat(f: fn(&[u8], &[u8]), seconds: f64) -> f64 {
    let (a, b) = (vec![1u8; 1 << 16], vec![1u8; 1 << 16]);
    let (start, limit) = (cpu(), Instant::now() + Duration::from_secs(60));
    while cpu() - start < seconds && Instant::now() < limit {
        f(&a, &b);
    }
    cpu() - start
}

#[inline(never)]
fn first() -> f64 {
    black_box(repeat(compares, 1.5))
}

fn main() {
    let time = first();
    repeat(spins, 1.0);
    println!("{:.2}", 100.0 * time / cpu());
}
