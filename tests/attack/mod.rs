//! A provider that takes everything is put in the program's way: nothing is sent or bought twice or lost, no command is stuck,
//! and nothing that an answer says of somebody else is believed.
//!
//! Every fault meets every request of every command, at each provider: a sample of them in every run, which
//! `PROPTEST_RNG_SEED` repeats, and all where `TOLLPROOF_LONG_TESTS` is set. `TOLLPROOF_ATTACK=twilio` plays one provider,
//! and `TOLLPROOF_ATTACK=twilio:Cancel` one command of it.

mod faults;
mod person;
mod provider;
mod races;
mod server;
mod world;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::time::Instant;

use self::faults::{FAULTS, Fault, Lie};
use self::person::{Desk, Played, Scene, TASKS, Task, Verdict};
use self::provider::{SHAPES, Shape};

/// The number of persons who play at the same time for each provider: they mostly wait.
const LANES: usize = 5;

/// Of so many cases, each run has one.
const STEP: usize = 61;

/// The number of failures that are shown with everything that was typed.
const SHOWN: usize = 5;

/// A request of a command that has a fault, or none.
#[derive(Clone, Debug)]
struct Case {
    task: Task,
    label: String,
    name: &'static str,
    fault: Option<Fault>,
}

/// The results of all plays.
#[derive(Default)]
struct Figures {
    plays: usize,
    commands: usize,
    /// Failures: verdict, command, provider and request, with the faults.
    bad: BTreeMap<(Verdict, String), Vec<&'static str>>,
    /// Everything that was typed and seen in failures.
    seen: Vec<String>,
    missed: Vec<String>,
}

impl Figures {
    #[expect(clippy::print_stdout, reason = "a long run shows how it goes")]
    fn add(&mut self, shape: &Shape, case: &Case, played: &Played) {
        self.plays += 1;
        self.commands += played.commands;
        if case.fault.is_some() && !played.is_hit {
            self.missed.push(format!("{} {case:?}", shape.name));
        }
        for verdict in &played.verdicts {
            let place = format!("{:?} {} {}", case.task, shape.name, case.label);
            println!("{verdict:?} {place} / {}", case.name);
            self.seen.push(format!("{verdict:?} {place} / {}\n{}", case.name, played.seen));
            self.bad.entry((*verdict, place)).or_default().push(case.name);
        }
    }
}

fn is_whole() -> bool {
    std::env::var_os("TOLLPROOF_LONG_TESTS").is_some()
}

/// A number that says which cases a sample has.
fn seed() -> usize {
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    seed.unwrap_or_default()
}

/// Plays each task without a fault, and returns every request of it with every fault.
fn cases(shape: &'static Shape, tasks: &[Task], figures: &Mutex<Figures>) -> Vec<Case> {
    let desk = Desk::new(&format!("{}-cases", shape.name), shape);
    let mut cases = Vec::new();
    for task in tasks.iter().copied().filter(|task| task.fits(shape)) {
        let played = desk.play(task, &desk.scene(task), None);
        let well = Case { task, label: "-".to_owned(), name: "nothing", fault: None };
        figures.lock().expect("no lane failed").add(shape, &well, &played);
        let mut labels = played.asked;
        labels.sort();
        labels.dedup();
        labels.retain(|label| task != Task::BuyNext || label.contains("Buy"));
        for label in labels {
            // The first record that is taken in is theirs.
            let is_other = |fault: Fault| matches!(fault, Fault::Says(Lie::OtherNumber | Lie::OtherId));
            // Bandwidth's record is read by its number, and nothing else shows its id.
            let is_known_by_number = task == Task::Adopt && shape.name == "bandwidth";
            let is_told = |fault: Fault| match fault {
                Fault::Says(Lie::OtherId) if is_known_by_number => false,
                fault => task != Task::Import || !is_other(fault),
            };
            let fits = |fault: Fault| fault.fits(shape, &label) && is_told(fault);
            for (name, fault) in FAULTS.into_iter().filter(|(_, fault)| fits(*fault)) {
                cases.push(Case { task, label: label.clone(), name, fault: Some(fault) });
            }
        }
    }
    cases
}

/// Whether a case was believed once.
fn was_believed(case: &Case) -> bool {
    case.task == Task::Submit
        && ["Create", "Submit"].contains(&case.label.as_str())
        && matches!(case.fault, Some(Fault::Says(Lie::OtherId)))
}

/// The cases of this run: all, or a sample.
fn chosen(cases: Vec<Case>) -> VecDeque<Case> {
    let is_meant =
        |at: usize, case: &Case| is_whole() || (at + seed()).is_multiple_of(STEP) || was_believed(case);
    cases.into_iter().enumerate().filter_map(|(at, case)| is_meant(at, &case).then_some(case)).collect()
}

fn play_lane(desk: &Desk, queue: &Mutex<VecDeque<Case>>, figures: &Mutex<Figures>) {
    let mut scene: Option<(Task, Scene)> = None;
    let next = || queue.lock().expect("no lane failed").pop_front();
    while let Some(case) = next() {
        let scene = match &mut scene {
            Some((task, scene)) if *task == case.task => scene,
            scene => &mut scene.insert((case.task, desk.scene(case.task))).1,
        };
        let played = desk.play(case.task, scene, case.fault.map(|fault| (case.label.clone(), fault)));
        figures.lock().expect("no lane failed").add(desk.server.shape, &case, &played);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are wanted")]
fn no_fault_of_a_provider_doubles_or_loses_anything() {
    let begun = Instant::now();
    let wanted = std::env::var("TOLLPROOF_ATTACK").unwrap_or_default();
    let (provider, task) = wanted.split_once(':').unwrap_or((&wanted, ""));
    let tasks: Vec<Task> =
        TASKS.into_iter().filter(|known| task.is_empty() || format!("{known:?}") == task).collect();
    let figures = Mutex::new(Figures::default());
    std::thread::scope(|scope| {
        for shape in SHAPES.iter().filter(|shape| provider.is_empty() || shape.name == provider) {
            let (figures, tasks) = (&figures, &tasks);
            scope.spawn(move || {
                let queue = Mutex::new(chosen(cases(shape, tasks, figures)));
                std::thread::scope(|scope| {
                    for lane in 0..LANES {
                        let desk = Desk::new(&format!("{}-{lane}", shape.name), shape);
                        let queue = &queue;
                        scope.spawn(move || play_lane(&desk, queue, figures));
                    }
                });
            });
        }
    });
    let figures = figures.into_inner().expect("no lane failed");
    println!("{} plays, {} commands, {:?}", figures.plays, figures.commands, begun.elapsed());
    for ((verdict, place), faults) in &figures.bad {
        println!("{verdict:?} {place}: {} {faults:?}", faults.len());
    }
    println!("not made: {:?}", figures.missed);
    assert!(figures.seen.is_empty(), "{}", figures.seen[..figures.seen.len().min(SHOWN)].join("\n"));
}
