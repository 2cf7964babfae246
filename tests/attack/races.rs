//! Programs that run at the same time, that are killed, and whose database goes away: nothing is done more often than asked.

use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Instant;

use super::person::{Desk, FOR_SALE, OURS, Played, Scene, Task};
use super::provider::{Op, SHAPES, Shape};

/// The number of programs that run at once.
const PROGRAMS: usize = 6;

/// The number of persons whose programs are killed at the same time.
const LANES: usize = 6;

/// The number of times that `number buy --count 3` may have to be run again.
const ROUNDS: usize = 12;

fn kills() -> usize {
    std::env::var("TOLLPROOF_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(12)
}

/// A fraction of 1: spread evenly, and different in each run.
fn moment(step: usize) -> f64 {
    let start = f64::from(std::process::id() % 1000) / 1000.0;
    (start + f64::from(u32::try_from(step).expect("it is small")) * 0.618_033_988_75).fract()
}

fn words(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

fn start(desk: &Desk, args: &[String]) -> Child {
    let mut command = desk.command(&words(args));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("tollproof starts")
}

/// Runs a command in several programs at once. Returns their exit statuses.
fn at_once(desk: &Desk, args: &[String]) -> Vec<i32> {
    ended((0..PROGRAMS).map(|_| start(desk, args)).collect())
}

fn ended(programs: Vec<Child>) -> Vec<i32> {
    programs
        .into_iter()
        .map(|mut child| child.wait().expect("it ends").code().expect("it ends by itself"))
        .collect()
}

#[track_caller]
fn is_well(desk: &Desk, what: &str, played: &Played) {
    assert_eq!(played.verdicts, [], "{} {what}:\n{}", desk.server.shape.name, played.seen);
}

fn race(task: Task, shapes: impl Iterator<Item = &'static Shape>) {
    let shapes: Vec<&Shape> = shapes.collect();
    std::thread::scope(|scope| {
        for shape in shapes {
            scope.spawn(move || {
                let desk = Desk::new(&format!("race-{task:?}-{}", shape.name), shape);
                let scene = desk.scene(task);
                for _ in 0..rounds(8) {
                    desk.set(&scene, None);
                    let exits = at_once(&desk, &desk.args(task));
                    let played = desk.go_on(task);
                    is_well(&desk, &format!("{task:?} {exits:?}"), &played);
                }
            });
        }
    });
}

/// Of a long run, all rounds; else one.
fn rounds(all: usize) -> usize {
    if std::env::var_os("TOLLPROOF_LONG_TESTS").is_some() { all } else { 1 }
}

#[test]
fn many_programs_buy_one_number_once() {
    race(Task::Buy, SHAPES.iter().filter(|shape| shape.has(Op::Search)));
}

#[test]
fn many_programs_submit_one_draft_once() {
    race(Task::Submit, SHAPES.iter());
}

#[test]
fn one_number_by_two_names_is_submitted_once() {
    let shape = SHAPES.iter().find(|shape| shape.name == "infobip").expect("it is one of them");
    let desk = Desk::new("two-names", shape);
    let scene = desk.scene(Task::Submit);
    for round in 0..rounds(8) {
        desk.set(&scene, None);
        let mut draft = crate::online::clean(shape.name, OURS);
        let fields = draft.as_object_mut().expect("it is one");
        fields.remove("numbers");
        fields.insert(
            "numberKeys".to_owned(),
            vec![desk.server.with(|world| world.number(OURS).id.clone())].into(),
        );
        desk.write("by-key.json", &draft.to_string());
        let by_number = desk.args(Task::Submit);
        let by_key: Vec<String> =
            by_number.iter().map(|arg| arg.replace("draft.json", "by-key.json")).collect();
        let turn = |program: usize| if (program + round).is_multiple_of(2) { &by_number } else { &by_key };
        let exits = ended((0..PROGRAMS).map(|program| start(&desk, turn(program))).collect());
        // One of the drafts is refused, because the other one was sent.
        let (first, second) = (desk.run(&words(&by_number)), desk.run(&words(&by_key)));
        let sent = desk.server.with(|world| world.count(Op::Submit, OURS));
        assert_eq!(sent, 1, "{exits:?}\n{}\n{}", first.out, second.out);
    }
}

#[test]
fn many_programs_update_one_submission_once() {
    race(Task::Update, SHAPES.iter());
}

#[test]
fn many_programs_withdraw_one_submission_once() {
    race(Task::Cancel, SHAPES.iter().filter(|shape| shape.has(Op::Delete)));
}

#[test]
fn a_program_that_is_killed_goes_on_and_does_nothing_twice() {
    let cases = |shape: &'static Shape| {
        let tasks = [Task::Submit, Task::Buy, Task::Update, Task::Cancel];
        tasks.into_iter().filter(|task| task.fits(shape)).map(move |task| (shape, task))
    };
    let cases: Vec<(&Shape, Task)> = SHAPES.iter().flat_map(cases).collect();
    let (next, kills) =
        (AtomicUsize::new(usize::try_from(std::process::id()).expect("it is small")), kills());
    let killed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for lane in 0..LANES {
            let (next, killed, cases) = (&next, &killed, &cases);
            scope.spawn(move || {
                while killed.load(Ordering::Relaxed) < kills {
                    let run = next.fetch_add(1, Ordering::Relaxed);
                    let (shape, task) = cases[run * 7 % cases.len()];
                    let desk = Desk::new(&format!("killed-{lane}"), shape);
                    let scene = desk.scene(task);
                    let whole = Instant::now();
                    start(&desk, &desk.args(task)).wait().expect("it ends");
                    let whole = whole.elapsed();
                    desk.set(&scene, None);
                    for time in 0..=run % 3 {
                        let mut program = start(&desk, &desk.args(task));
                        sleep(whole.mul_f64(moment(run * 3 + time)));
                        program.kill().expect("it is ours");
                        program.wait().expect("it ended");
                        killed.fetch_add(1, Ordering::Relaxed);
                    }
                    is_well(&desk, &format!("{task:?} killed {} times", run % 3 + 1), &desk.go_on(task));
                }
            });
        }
    });
}

/// Buys three numbers, whatever happens to the first run of the command, and does what the program says. Returns how many
/// were bought.
fn buy_three(desk: &Desk, scene: &Scene, begin: impl Fn(&[String])) -> (usize, String) {
    desk.set(scene, None);
    let text = format!(
        "number buy --count 3 --yes --provider {} --history {}",
        desk.server.shape.name, desk.history
    );
    let args: Vec<String> = text.split(' ').map(str::to_owned).collect();
    begin(&args);
    let (mut seen, mut played) = (String::new(), Played::default());
    for _ in 0..ROUNDS {
        // Bandwidth cannot be asked what became of an order: then the person looks, and says it.
        let ran = desk.act(&mut played, &args);
        seen += &format!("{ran:?}\n");
        if ran.code == Some(0) {
            break;
        }
    }
    let bought =
        FOR_SALE.iter().filter(|number| desk.server.with(|world| world.number(number).is_owned)).count();
    seen += &played.seen;
    desk.server.with(|world| {
        assert_eq!(
            bought,
            world.effects.len(),
            "{}: a number was bought twice: {seen}\nledger: {:?}\nrequests: {:?}",
            desk.server.shape.name,
            world.effects,
            world.asked
        );
    });
    (bought, seen)
}

#[test]
fn three_numbers_are_three_however_often_the_command_is_run() {
    std::thread::scope(|scope| {
        for shape in &SHAPES {
            scope.spawn(move || {
                let desk = Desk::new(&format!("three-{}", shape.name), shape);
                let scene = desk.scene(Task::Buy);
                let whole = Instant::now();
                buy_three(&desk, &scene, |_| {});
                let whole = whole.elapsed();
                for round in 0..rounds(10) {
                    let (bought, seen) = buy_three(&desk, &scene, |args| {
                        let mut program = start(&desk, args);
                        sleep(whole.mul_f64(moment(round)));
                        program.kill().expect("it is ours");
                        program.wait().expect("it ended");
                    });
                    assert_eq!(bought, 3, "{} killed: {seen}", shape.name);
                }
                let (bought, seen) = buy_three(&desk, &scene, |args| drop(at_once(&desk, args)));
                assert_eq!(bought, 3, "{} at once: {seen}", shape.name);
            });
        }
    });
}

/// A server of PostgreSQL that goes away and comes back: a listener in front of the one of the tests.
mod restarts {
    use std::io::copy;
    use std::net::{Shutdown, TcpListener, TcpStream};
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Mutex};
    use std::thread::spawn;
    use std::time::Duration;

    use super::*;

    /// The number of restarts while a person works.
    const RESTARTS: usize = 6;

    struct Front {
        is_down: AtomicBool,
        open: Mutex<Vec<TcpStream>>,
    }

    impl Front {
        /// Listens in front of a server. Returns the port too.
        fn start(server: &str) -> (Arc<Self>, u16) {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
            let port = listener.local_addr().expect("it listens").port();
            let front = Arc::new(Self { is_down: AtomicBool::new(false), open: Mutex::default() });
            let (accepts, server) = (Arc::clone(&front), server.to_owned());
            spawn(move || {
                for near in listener.incoming().map_while(Result::ok) {
                    let far =
                        TcpStream::connect(&server).ok().filter(|_| !accepts.is_down.load(Ordering::Relaxed));
                    let Some(far) = far else { continue };
                    for (from, to) in [(&near, &far), (&far, &near)] {
                        let clone = |stream: &TcpStream| stream.try_clone().expect("it is open");
                        let (mut from, mut to) = (clone(from), clone(to));
                        spawn(move || {
                            let _ = copy(&mut from, &mut to);
                            let _ = to.shutdown(Shutdown::Both);
                        });
                    }
                    accepts.open.lock().expect("no thread panics").extend([near, far]);
                }
            });
            (front, port)
        }

        /// Goes away for some time, and comes back.
        fn restart(&self, away: Duration) {
            self.is_down.store(true, Ordering::Relaxed);
            for stream in self.open.lock().expect("no thread panics").drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
            sleep(away);
            self.is_down.store(false, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_database_that_restarts_loses_and_doubles_nothing() {
        let Ok(url) = std::env::var("TOLLPROOF_TEST_POSTGRES") else { return };
        // Each shape has its own schema and its own way to the server, so that all wait at the same time.
        std::thread::scope(|scope| {
            for (at, shape) in SHAPES.iter().enumerate().filter(|(at, _)| rounds(10) > 1 || at % 3 == 0) {
                let url = &url;
                scope.spawn(move || works_through_restarts(url, at, shape));
            }
        });
    }

    fn works_through_restarts(url: &str, at: usize, shape: &'static Shape) {
        let (before, after) = url.split_once("localhost:").expect("the server of the tests is here");
        let (server, database) = after.split_once('/').expect("it has a database");
        let (front, port) = Front::start(&format!("127.0.0.1:{server}"));
        let mut client = postgres::Client::connect(url, postgres::NoTls).expect("the server answers");
        for round in 0..rounds(10) {
            for task in [Task::Submit, Task::Buy, Task::Cancel].into_iter().filter(|task| task.fits(shape)) {
                let schema = format!("t_restarts_{at}");
                let make = format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}");
                client.batch_execute(&make).expect("a schema can be made");
                let mut desk = Desk::new(&format!("restarts-{}", shape.name), shape);
                desk.history =
                    format!("{before}localhost:{port}/{database}?options=-csearch_path%3D{schema}");
                let scene = desk.scene(task);
                desk.set(&scene, None);
                let mut played = std::thread::scope(|scope| {
                    scope.spawn(|| {
                        for time in 0..RESTARTS {
                            let until = moment(round * 64 + at * 8 + time) / 4.0;
                            sleep(Duration::from_secs(1).mul_f64(until));
                            front.restart(Duration::from_millis(100));
                        }
                    });
                    desk.settle(task)
                });
                desk.judge(task, &mut played);
                is_well(&desk, &format!("{task:?} with restarts"), &played);
            }
        }
    }
}
