//! Counts what the program allocates, on every thread that a frame waits for.

use std::alloc::System;
use std::backtrace::Backtrace;
use std::cell::OnceCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracking_allocator::{AllocationGroupId, AllocationRegistry, AllocationTracker, Allocator};

#[global_allocator]
static ALLOCATOR: Allocator<System> = Allocator::system();

/// What was allocated in a while.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allocations {
    /// How often.
    pub count: usize,
    /// How much in all.
    pub bytes: usize,
    /// The largest at once.
    pub largest: usize,
}

static COUNT: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);
static LARGEST: AtomicUsize = AtomicUsize::new(0);
/// Allocations from this size on are remembered with where they were made.
static TELLING: AtomicUsize = AtomicUsize::new(usize::MAX);
static PLACES: Mutex<Vec<(usize, Backtrace)>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether the thread works for a job, which no frame waits for.
    static IS_JOB: OnceCell<bool> = const { OnceCell::new() };
}

struct Tracker;

impl AllocationTracker for Tracker {
    fn allocated(&self, _: usize, size: usize, _: usize, _: AllocationGroupId) {
        let is_job = || std::thread::current().name().is_some_and(|name| name.starts_with("sinew-"));
        if IS_JOB.try_with(|known| *known.get_or_init(is_job)).unwrap_or(true) {
            return;
        }
        COUNT.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(size, Ordering::Relaxed);
        LARGEST.fetch_max(size, Ordering::Relaxed);
        if size >= TELLING.load(Ordering::Relaxed)
            && let Ok(mut places) = PLACES.lock()
        {
            places.push((size, Backtrace::force_capture()));
        }
    }

    fn deallocated(&self, _: usize, _: usize, _: usize, _: AllocationGroupId, _: AllocationGroupId) {}
}

/// What `work` allocates.
pub fn counted(work: impl FnOnce()) -> Allocations {
    // It stays from the first call on.
    let _ = AllocationRegistry::set_global_tracker(Tracker);
    for counter in [&COUNT, &BYTES, &LARGEST] {
        counter.store(0, Ordering::Relaxed);
    }
    AllocationRegistry::enable_tracking();
    work();
    AllocationRegistry::disable_tracking();
    let [count, bytes, largest] = [&COUNT, &BYTES, &LARGEST].map(|counter| counter.load(Ordering::Relaxed));
    Allocations { count, bytes, largest }
}

/// Remembers where allocations of at least `size` bytes are made.
pub fn tell_from(size: usize) {
    TELLING.store(size, Ordering::Relaxed);
}

/// Those places, as the lines of this program that led there.
pub fn places() -> Vec<String> {
    let places = PLACES.lock().map(|mut places| std::mem::take(&mut *places)).unwrap_or_default();
    let words = |(size, trace): (usize, Backtrace)| {
        let trace = trace.to_string();
        let lines = trace.lines().filter(|line| line.contains("at ./") || line.contains("at src/"));
        let own: Vec<&str> = lines.filter(|line| !line.contains("allocations/mod.rs")).take(6).collect();
        format!("{size} bytes\n{}", own.join("\n"))
    };
    places.into_iter().map(words).collect()
}
