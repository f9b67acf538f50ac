//! A program that does nothing: what any program of this kind, linked like the hook, costs at least.

fn main() {}
