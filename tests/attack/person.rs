//! A person who runs a command, does what its messages say, and runs it again; and what must be true in the end.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::faults::{Fault, TIMEOUT};
use super::provider::{OTHER_ACCOUNT, Op, Shape};
use super::server::Server;
use super::world::{State, World};
use crate::online::clean;
use crate::support::{Folder, Ran};

/// The number of the person, one of somebody else in the account, and those for sale.
pub(super) const OURS: &str = "+18334726150";
pub(super) const THEIRS: &str = "+18334726177";
pub(super) const FOR_SALE: [&str; 4] = ["+18885550100", "+18885550101", "+18885550102", "+18885550103"];

/// The number of times that a person tries.
const ROUNDS: usize = 7;

/// The number of times that a person asks in the end.
const TRIES: usize = 3;

/// The longest time that a person waits if a message names one.
const PATIENCE: Duration = Duration::from_secs(20);

/// A wish of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Find,
    /// To buy a number; without a name where the provider assigns it.
    Buy,
    /// To buy another number after the answer for the first one was lost.
    BuyNext,
    /// To buy a number that was bought in the console.
    Rebuy,
    Submit,
    /// To submit a number that somebody has submitted in the console.
    Adopt,
    Status,
    Update,
    Cancel,
    Import,
}

pub(super) const TASKS: [Task; 10] = [
    Task::Find,
    Task::Buy,
    Task::BuyNext,
    Task::Rebuy,
    Task::Submit,
    Task::Adopt,
    Task::Status,
    Task::Update,
    Task::Cancel,
    Task::Import,
];

/// Something that must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Doubled,
    Lost,
    Stuck,
    Foreign,
}

impl Task {
    /// Whether a provider has the calls of it.
    pub(super) fn fits(self, shape: &Shape) -> bool {
        match self {
            Self::Find | Self::BuyNext => shape.has(Op::Search),
            // Orders are found by our reference alone.
            Self::Rebuy => shape.has(Op::Owned) && !["telnyx", "aws"].contains(&shape.name),
            Self::Cancel => shape.has(Op::Delete),
            Self::Import => shape.has(Op::List),
            _ => true,
        }
    }
}

/// A folder of a person, in a state that many plays begin with.
pub(super) struct Scene {
    world: World,
    files: Vec<(String, Vec<u8>)>,
}

/// A person with a folder and a provider.
pub(super) struct Desk {
    pub(super) server: Server,
    pub(super) folder: Folder,
    pub(super) history: String,
}

/// The result of a play.
#[derive(Default)]
pub(super) struct Played {
    pub(super) verdicts: Vec<Verdict>,
    pub(super) commands: usize,
    /// Everything that was typed and seen, for the case that it is needed.
    pub(super) seen: String,
    /// The requests of the first command.
    pub(super) asked: Vec<String>,
    /// Whether the fault happened.
    pub(super) is_hit: bool,
    /// The run that settled it.
    settled: Option<Ran>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        // What a failed test leaves is in its message.
        let _ = fs::remove_dir_all(&self.folder.0);
    }
}

impl Desk {
    pub(super) fn new(name: &str, shape: &'static Shape) -> Self {
        let world = World::new(shape, &[OURS, THEIRS], &FOR_SALE);
        let folder = Folder::new(&format!("attack-{}-{name}", std::process::id()));
        Self { server: Server::start(shape, world), folder, history: "sqlite:past.db".to_owned() }
    }

    /// A command of the program, without keys and settings of the machine.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let sandbox = format!("--sandbox={}", self.server.url);
        let mut command = self.folder.command(&[args, &["--timeout=1s", &sandbox]].concat());
        command.env_clear().env("HOME", &self.folder.0);
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Ran {
        Ran::new(self.command(args).output().expect("tollproof starts"))
    }

    /// The command of a task.
    pub(super) fn args(&self, task: Task) -> Vec<String> {
        let shape = self.server.shape;
        let text = match task {
            Task::Find => return ["number", "find", "--provider", shape.name].map(str::to_owned).to_vec(),
            Task::Buy if !shape.has(Op::Search) => "number buy --yes".to_owned(),
            Task::Buy => format!("number buy {} --yes", FOR_SALE[0]),
            Task::BuyNext => format!("number buy {} --yes", FOR_SALE[1]),
            Task::Rebuy => format!("number buy {OURS} --yes"),
            Task::Submit | Task::Adopt if shape.name == "aws" => {
                format!("submit draft.json --yes --number {OURS}")
            }
            Task::Submit | Task::Adopt => "submit draft.json --yes".to_owned(),
            Task::Status => "status".to_owned(),
            Task::Update => {
                let id =
                    self.server.with(|world| world.filings_of(OURS).last().map(|filing| filing.id.clone()));
                format!("update draft.json --yes --id {}", id.unwrap_or_default())
            }
            Task::Cancel => format!("cancel {OURS} --yes"),
            Task::Import => "status --import".to_owned(),
        };
        let mut args: Vec<String> = text.split(' ').map(str::to_owned).collect();
        if !["submit", "update"].contains(&args[0].as_str()) && task != Task::Status {
            args.extend(["--provider", shape.name].map(str::to_owned));
        }
        args.extend(["--history".to_owned(), self.history.clone()]);
        args
    }

    pub(super) fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.0.join(file), text).expect("the folder can be written");
    }

    /// The state in which a task begins.
    pub(super) fn scene(&self, task: Task) -> Scene {
        let shape = self.server.shape;
        fs::remove_dir_all(&self.folder.0).expect("it is ours");
        fs::create_dir_all(&self.folder.0).expect("it is ours");
        let mut world = World::new(shape, &[OURS, THEIRS], &FOR_SALE);
        world.file(shape, THEIRS, draft(shape, THEIRS), State::Open);
        if task == Task::Adopt {
            world.file(shape, OURS, draft(shape, OURS), State::Open);
        }
        if task == Task::Import {
            for number in FOR_SALE {
                world.file(shape, number, draft(shape, number), State::Open);
            }
        }
        self.server.restore(world, None);
        self.write("draft.json", &draft(shape, OURS).to_string());
        fs::write(self.folder.0.join("class-booking-text-box.png"), b"\x89PNG\r\n\x1a\npicture")
            .expect("it is ours");
        if matches!(task, Task::Status | Task::Update | Task::Cancel) {
            self.well(Task::Submit);
            let state = if task == Task::Status { State::Approved } else { State::Rejected };
            self.server.with(|world| world.decide(OURS, state));
            if task != Task::Status {
                self.well(Task::Status);
                let text = draft(shape, OURS).to_string();
                self.write(
                    "draft.json",
                    &text
                        .replace("nothing promotional", "no advertising")
                        .replace("All texts are informational", "No advertising")
                        .replace("there is no advertising", "and nothing else"),
                );
            }
        }
        let world = self.server.with(|world| {
            (world.effects, world.asked) = (Vec::new(), Vec::new());
            world.clone()
        });
        let entries = fs::read_dir(&self.folder.0).expect("it is ours").map_while(Result::ok);
        let file = |entry: fs::DirEntry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("it is ours"))
        };
        Scene { world, files: entries.map(file).collect() }
    }

    /// Runs a command that must end well. A machine under load may need more than one try.
    fn well(&self, task: Task) {
        let mut played = Played::default();
        let is_well = (0..ROUNDS).any(|_| self.act(&mut played, &self.args(task)).code == Some(0));
        assert!(is_well, "{} {task:?}: {}", self.server.shape.name, played.seen);
    }

    /// Begins a scene.
    pub(super) fn set(&self, scene: &Scene, fault: Option<(String, Fault)>) {
        for entry in fs::read_dir(&self.folder.0).expect("it is ours").map_while(Result::ok) {
            fs::remove_file(entry.path()).expect("it is ours");
        }
        for (name, bytes) in &scene.files {
            fs::write(self.folder.0.join(name), bytes).expect("it is ours");
        }
        self.server.restore(scene.world.clone(), fault);
    }

    /// Plays a task until it is settled, or the person gives up.
    pub(super) fn play(&self, task: Task, scene: &Scene, fault: Option<(String, Fault)>) -> Played {
        self.set(scene, fault);
        self.go_on(task)
    }

    /// Runs the command of a task until it is settled, and judges what has happened.
    pub(super) fn go_on(&self, task: Task) -> Played {
        let mut played = self.settle(task);
        self.judge(task, &mut played);
        played
    }

    /// Runs the command of a task until it is settled, or the person gives up.
    pub(super) fn settle(&self, task: Task) -> Played {
        let shape = self.server.shape;
        let mut played = Played::default();
        if task == Task::BuyNext {
            self.act(&mut played, &self.args(Task::Buy));
            played.asked = self.server.with(|world| world.asked.clone());
        }
        let (mut rounds, mut slow) = (0, 0);
        while rounds < ROUNDS && slow < 2 * ROUNDS {
            let ran = self.act(&mut played, &self.args(task));
            if rounds + slow == 0 && task != Task::BuyNext {
                played.asked = self.server.with(|world| world.asked.clone());
            }
            // Many tests at once are not the provider's fault.
            if ran.out.contains("this machine was too slow") {
                slow += 1;
                continue;
            }
            rounds += 1;
            let is_taken = |words: &&str| ran.out.contains(words);
            let is_adopted = task == Task::Adopt
                && ran.code == Some(1)
                && ["not sent from here", "history/already-submitted"].iter().any(is_taken);
            if ran.code == Some(0) && (task != Task::Find || is_found(&ran)) || is_adopted {
                played.settled = Some(ran);
                break;
            }
            if task != Task::Find {
                self.act(&mut played, &["status", "--history", &self.history].map(str::to_owned));
            }
        }
        let is_repeated = task == Task::Submit || task == Task::Buy && shape.has(Op::Search);
        if played.settled.is_some() && is_repeated {
            self.act(&mut played, &self.args(task));
        }
        played.is_hit = self.server.is_used();
        played
    }

    /// Runs a command, waits as long as its messages say, and does what they say.
    pub(super) fn act(&self, played: &mut Played, args: &[String]) -> Ran {
        let ran = self.note(played, args);
        let said = format!("{}{}", ran.out, ran.err);
        wait_until(&said);
        let word_after = |mark: &str| {
            let rest = said.split_once(mark)?.1;
            rest.split(|letter: char| !letter.is_ascii_alphanumeric())
                .find(|word| !word.is_empty())
                .map(str::to_owned)
        };
        if let Some(token) = word_after("attempts resolve ") {
            // The number of the attempt, where several are listed.
            let line = said.lines().find(|line| line.contains(&format!("attempt {token}")));
            let what = match self.server.with(|world| arrived(world, line.unwrap_or(&said))) {
                Some(id) => format!("--arrived {id}"),
                None => "--nothing-arrived".to_owned(),
            };
            let args = format!("attempts resolve {token} {what} --yes --history {}", self.history);
            let ran = self.note(played, &args.split(' ').map(str::to_owned).collect::<Vec<_>>());
            wait_until(&format!("{}{}", ran.out, ran.err));
        }
        let is_gone = self.server.with(|world| world.filings_of(OURS).is_empty());
        if said.contains("--gone") && is_gone {
            let mut args = self.args(Task::Cancel);
            args.push("--gone".to_owned());
            self.note(played, &args);
        }
        ran
    }

    fn note(&self, played: &mut Played, args: &[String]) -> Ran {
        let ran = self.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
        played.commands += 1;
        let code = ran.code.map_or("killed".to_owned(), |code| code.to_string());
        played.seen += &format!("$ tollproof {}\n{}{}[{code}]\n", args.join(" "), ran.out, ran.err);
        ran
    }

    pub(super) fn judge(&self, task: Task, played: &mut Played) {
        let settled = played.settled.take();
        let settled = settled.as_ref();
        let shape = self.server.shape;
        let mut bad = Vec::new();
        if settled.is_none() {
            bad.push(Verdict::Stuck);
        }
        // A machine under load may need more than one try.
        let status = ["status", "--history", &self.history].map(str::to_owned);
        if task != Task::Find && (0..TRIES).all(|_| self.act(played, &status).code != Some(0)) {
            bad.push(Verdict::Stuck);
        }
        let host =
            ["--history", self.history.as_str(), "--host", &self.server.url, "--output-format", "json"];
        let mut list = self.folder.command(&[&["history", "list"], &host[..]].concat());
        let listed = Ran::new(list.output().expect("tollproof starts"));
        let kept: Vec<Value> = serde_json::from_str(&listed.out).unwrap_or_default();
        played.seen += &format!("history: {}", listed.out);
        let world = self.server.with(|world| world.clone());
        played.seen += &format!("ledger: {:?}\nrequests: {:?}\n", world.effects, world.asked);
        let count =
            |op: Op| world.effects.iter().filter(|effect| effect.op == op && effect.number != THEIRS).count();
        let status_of = |id: &str| {
            kept.iter()
                .find(|entry| entry["id"] == id)
                .map(|entry| entry["status"].as_str().unwrap_or_default().to_owned())
        };
        // How often something may have been done, and must have been.
        let expected = |done: usize, wanted: usize| match done.cmp(&wanted) {
            std::cmp::Ordering::Greater => Some(Verdict::Doubled),
            std::cmp::Ordering::Less if settled.is_some() => Some(Verdict::Lost),
            _ => None,
        };
        let mut filings = world.filings_of(OURS);
        // A draft that was left costs nothing.
        filings.retain(|filing| filing.state != State::Draft || task == Task::Update);
        match task {
            Task::Find => {}
            Task::Buy | Task::BuyNext => {
                let wanted = if task == Task::Buy { FOR_SALE[0] } else { FOR_SALE[1] };
                let others = count(Op::Buy) - world.count(Op::Buy, wanted);
                if shape.has(Op::Search) {
                    bad.extend(expected(world.count(Op::Buy, wanted), 1))
                } else {
                    bad.extend(expected(count(Op::Buy), 1))
                }
                let most = usize::from(task == Task::BuyNext || !shape.has(Op::Search));
                bad.extend((others > most).then_some(Verdict::Doubled));
                let ours = FOR_SALE.iter().filter(|number| world.number(number).is_owned);
                let names: Vec<String> = ours
                    .flat_map(|number| [world.number(number).e164.clone(), world.number(number).id.clone()])
                    .collect();
                let is_named =
                    settled.is_none_or(|ran| names.iter().any(|name| ran.out.contains(name.as_str())));
                bad.extend((!is_named).then_some(Verdict::Lost));
            }
            Task::Rebuy => bad.extend(expected(count(Op::Buy), 0)),
            Task::Adopt => bad.extend(expected(count(Op::Submit), 0)),
            Task::Submit => {
                bad.extend(expected(count(Op::Submit), 1));
                bad.extend((filings.len() > 1).then_some(Verdict::Doubled));
            }
            Task::Status | Task::Import => {}
            Task::Update => bad.extend(expected(count(Op::Update) + count(Op::Submit), 1)),
            Task::Cancel => {
                bad.extend((settled.is_some() && !filings.is_empty()).then_some(Verdict::Lost));
                bad.extend(
                    (settled.is_some()
                        && kept.iter().any(|entry| entry["open"] == true && entry["number"] != THEIRS))
                    .then_some(Verdict::Lost),
                );
            }
        }
        let known = match task {
            Task::Find | Task::Buy | Task::BuyNext | Task::Rebuy | Task::Cancel => Vec::new(),
            Task::Import => world.filings.iter().collect(),
            _ => filings,
        };
        for filing in known {
            let status = shape.statuses[filing.state as usize];
            match status_of(&filing.id) {
                Some(kept) if kept.eq_ignore_ascii_case(status) => {}
                Some(kept) if kept.eq_ignore_ascii_case(shape.statuses[3]) => bad.push(Verdict::Foreign),
                _ if settled.is_some() => bad.push(Verdict::Lost),
                _ => {}
            }
        }
        let mut foreign = vec![OTHER_ACCOUNT.to_owned(), shape.id("HH", 0xfedc), shape.id("PN", 0xfedc)];
        if task != Task::Import {
            foreign.extend(world.filings_of(THEIRS).iter().map(|filing| filing.id.clone()));
            foreign.extend([world.number(THEIRS).id.clone(), THEIRS.to_owned()]);
        }
        let said = format!("{}{}", settled.map_or("", |ran| &ran.out), listed.out);
        let is_foreign = foreign.iter().any(|text| said.contains(text.as_str()));
        let is_hostile = played.seen.contains(['\0', '\u{1b}', '\u{7}']) || said.contains("\\u001b");
        bad.extend((is_foreign || is_hostile || self.server.stolen() > 0).then_some(Verdict::Foreign));
        bad.sort_unstable();
        bad.dedup();
        played.verdicts = bad;
    }
}

/// Whether an output has the numbers that are for sale.
fn is_found(ran: &Ran) -> bool {
    FOR_SALE.iter().all(|number| ran.out.contains(number))
}

/// The id that a person sees in the console for a message.
fn arrived(world: &World, said: &str) -> Option<String> {
    let named = FOR_SALE.iter().find(|number| said.contains(&number[1..]));
    let bought = FOR_SALE
        .iter()
        .find(|number| world.number(number).is_owned && named.is_none_or(|named| named == *number));
    match (named, bought) {
        (_, Some(number)) => Some(world.number(number).id.clone()),
        (Some(_), None) => None,
        (None, None) => world.filings_of(OURS).last().map(|filing| filing.id.clone()),
    }
}

/// Waits until the last time that a text names, if it is soon.
pub(super) fn wait_until(said: &str) {
    let times = said.split(|letter: char| letter.is_whitespace() || letter == '`' || letter == ',');
    let now = Timestamp::now();
    let today = now.to_string();
    let time = |word: &str| {
        let word = word.trim_end_matches(['.', ':', ';']);
        let whole = if word.len() == 9 && word.ends_with('Z') {
            format!("{}T{word}", &today[..10])
        } else {
            word.to_owned()
        };
        whole.parse::<Timestamp>().ok()
    };
    let latest = times.filter_map(time).max();
    let left = latest.map(|until| until.duration_since(now) + SignedDuration::from_millis(1_050));
    let left = left.and_then(|left| Duration::try_from(left).ok()).filter(|left| *left < PATIENCE);
    sleep(left.unwrap_or(TIMEOUT / 10));
}

/// A clean draft for a number.
fn draft(shape: &Shape, number: &str) -> Value {
    match shape.name {
        "aws" => serde_json::from_str(include_str!("../../schemas/aws/samples/submit-request.json"))
            .expect("it is JSON"),
        name => clean(name, number),
    }
}
