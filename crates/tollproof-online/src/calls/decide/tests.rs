//! The table over all its states, and in random histories of several programs with a provider that lags.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;

const PHASES: [Phase; 5] = [Phase::Unsent, Phase::Between, Phase::Sent, Phase::Accepted, Phase::Ended];
const TURNS: [Turn; 3] = [Turn::Ours, Turn::Theirs, Turn::Over];
const WISHES: [Wish; 3] = [Wish::Settle, Wish::GoOn, Wish::Replace];
const SEEN: [Seen; 8] = [
    Seen::NotLooked,
    Seen::Failed,
    Seen::CannotAsk,
    Seen::Nothing,
    Seen::Begun,
    Seen::Done,
    Seen::Obstacle,
    Seen::Gone,
];

/// Calls `visit` with every row of the table.
fn each_row(mut visit: impl FnMut(&Facts, Seen, Action)) {
    let (now, later) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + SignedDuration::from_secs(9));
    for (phase, turn) in PHASES.into_iter().flat_map(|phase| TURNS.map(|turn| (phase, turn))) {
        for (wish, seen) in WISHES.into_iter().flat_map(|wish| SEEN.map(|seen| (wish, seen))) {
            for unseen in [None, Some((later, false)), Some((now, true))] {
                for flags in 0..8 {
                    let facts = Facts {
                        phase,
                        turn,
                        wish,
                        until: later,
                        has_begun: flags & 1 > 0,
                        is_other_account: flags & 2 > 0,
                        is_repeatable: flags & 4 > 0,
                        unseen,
                    };
                    visit(&facts, seen, decide(&facts, seen));
                }
            }
        }
    }
}

#[test]
fn nothing_is_sent_that_may_have_arrived_or_is_not_ours() {
    each_row(|facts, seen, action| {
        let told = format!("{facts:?} {seen:?} {action:?}");
        match action {
            Action::Send => {
                assert!(facts.turn == Turn::Ours && !facts.is_other_account, "{told}");
                assert!(matches!(facts.phase, Phase::Unsent | Phase::Between), "{told}");
                assert!(matches!(seen, Seen::Nothing | Seen::Begun | Seen::CannotAsk), "{told}");
                assert!(facts.phase == Phase::Unsent || facts.wish == Wish::GoOn, "{told}");
            }
            Action::Resend => assert!(facts.is_repeatable && facts.turn == Turn::Over, "{told}"),
            Action::TakeOver if facts.phase == Phase::Sent => {
                assert!(facts.turn == Turn::Over && facts.unseen.is_some_and(|unseen| unseen.1), "{told}");
            }
            Action::End => assert_ne!(facts.phase, Phase::Sent, "{told}"),
            Action::Adopt => assert!(seen == Seen::Done && facts.phase != Phase::Unsent, "{told}"),
            _ => {}
        }
    });
}

#[test]
fn an_ended_attempt_and_that_of_another_account_are_left_alone() {
    each_row(|facts, seen, action| match facts.phase {
        Phase::Accepted => assert_eq!(action, Action::Report(Standing::Done)),
        Phase::Ended => assert_eq!(action, Action::Report(Standing::Free)),
        _ if facts.is_other_account => assert_eq!(action, Action::Report(Standing::OtherAccount)),
        _ => assert_eq!(action == Action::Look, seen == Seen::NotLooked && may_look(facts), "{facts:?}"),
    });
}

/// All are looked for but what another program has not sent yet.
fn may_look(facts: &Facts) -> bool {
    (facts.phase, facts.turn) != (Phase::Unsent, Turn::Theirs)
}

/// The lease of a holder, and the wait before a second look: in seconds.
const LEASE: i64 = 30;

/// The longest time of a request, and of a list's lag after that, so that a look after the second pause sees all.
const TIMEOUT: i64 = 10;
const LAG: i64 = 45;

/// An attempt as the store has it, times in seconds.
#[derive(Clone, Debug)]
struct Row {
    phase: Phase,
    holder: Option<usize>,
    until: i64,
    sent_at: i64,
    unseen: Option<i64>,
}

/// A store, a provider, and programs that all want the same.
#[derive(Debug, Default)]
struct World {
    now: i64,
    row: Option<Row>,
    /// The time from which each effect is seen in the provider's list.
    effects: Vec<i64>,
    /// The result of each program's look, and the time at which it began.
    looked: [Option<(Seen, i64)>; 3],
}

#[derive(Clone, Debug)]
enum Event {
    /// A program does its next step; whether a request that it sends arrives, its answer too, and how late it shows.
    Step(usize, bool, bool, i64),
    /// A program is killed.
    Kill(usize),
    Wait(i64),
}

impl World {
    fn time(at: i64) -> Timestamp {
        Timestamp::from_second(at).expect("it is a time")
    }

    fn facts(&self, row: &Row, program: usize, now: i64) -> Facts {
        let is_ours = row.holder == Some(program);
        let turn = match row.phase {
            Phase::Sent if now >= row.until => Turn::Over,
            Phase::Sent if is_ours || row.holder.is_none() => Turn::Ours,
            _ if is_ours => Turn::Ours,
            _ if now >= row.until => Turn::Over,
            _ => Turn::Theirs,
        };
        let unseen = row.unseen.filter(|since| *since > row.sent_at).map(|since| since + LEASE);
        Facts {
            phase: row.phase,
            turn,
            wish: Wish::GoOn,
            until: Self::time(row.until),
            has_begun: false,
            is_other_account: false,
            is_repeatable: false,
            unseen: unseen.map(|until| (Self::time(until), now >= until)),
        }
    }

    /// A step of a program, as `pursue` does it. Returns whether it reported something.
    fn step(&mut self, program: usize, arrives: bool, is_answered: bool, late: i64) -> Option<Standing> {
        let Some(row) = self.row.clone() else {
            let until = self.now + LEASE;
            let holder = Some(program);
            self.row = Some(Row { phase: Phase::Unsent, holder, until, sent_at: -1, unseen: None });
            self.looked[program] = None;
            return None;
        };
        let (seen, looked) = self.looked[program].unwrap_or((Seen::NotLooked, self.now));
        let facts = self.facts(&row, program, looked);
        let may_hold = row.holder == Some(program) || row.until <= looked;
        let action = decide(&facts, seen);
        let mut changed = row.clone();
        match action {
            Action::Look => {
                let is_there = self.effects.iter().any(|at| *at <= self.now);
                let is_ours = row.phase != Phase::Unsent;
                let seen = match is_there {
                    true if is_ours => Seen::Done,
                    true => Seen::Obstacle,
                    false => Seen::Nothing,
                };
                self.looked[program] = Some((seen, self.now));
                return None;
            }
            Action::Adopt => changed.phase = Phase::Accepted,
            Action::TakeOver if may_hold => {
                changed.phase = Phase::Between;
                changed.holder = Some(program);
                changed.until = self.now + LEASE;
                self.row = Some(changed);
                return None;
            }
            Action::NoteUnseen => changed.unseen = Some(looked),
            Action::Send if row.holder == Some(program) => {
                changed = Row { phase: Phase::Sent, until: self.now + LEASE, sent_at: self.now, ..row };
                let shown = self.now + late;
                self.effects.extend(arrives.then_some(shown));
                if arrives && is_answered {
                    changed.phase = Phase::Accepted;
                } else {
                    changed.holder = None;
                }
            }
            Action::End if may_hold => changed.phase = Phase::Ended,
            Action::Report(standing) => {
                self.looked[program] = None;
                if standing == Standing::Free {
                    self.row = None;
                }
                return Some(standing);
            }
            _ => {}
        }
        self.looked[program] = None;
        self.row = Some(changed);
        None
    }

    fn play(&mut self, event: &Event) {
        match *event {
            Event::Step(program, arrives, is_answered, late) => {
                self.step(program, arrives, is_answered, late);
            }
            Event::Kill(program) => self.looked[program] = None,
            Event::Wait(seconds) => self.now += seconds,
        }
    }
}

fn event() -> impl Strategy<Value = Event> {
    let step = (0..3usize, any::<bool>(), any::<bool>(), 0..=TIMEOUT + LAG);
    prop_oneof![
        8 => step.prop_map(|(program, arrives, is_answered, late)| Event::Step(program, arrives, is_answered, late)),
        1 => (0..3usize).prop_map(Event::Kill),
        3 => (0..40i64).prop_map(Event::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_history_has_two_effects_or_a_state_without_a_way_on(events in prop::collection::vec(event(), 1..60)) {
        let mut world = World::default();
        for event in &events {
            world.play(event);
            prop_assert!(world.effects.len() < 2, "{:?}", world);
        }
        // One program that runs the command again from time to time comes to the end.
        let mut reported = None;
        for _ in 0..40 {
            if let Some(standing) = world.step(0, true, true, 0) {
                reported = Some(standing);
                if standing == Standing::Done {
                    break;
                }
                world.now += 20;
            }
        }
        prop_assert_eq!(reported, Some(Standing::Done), "{:?}", world);
        prop_assert_eq!(world.effects.len(), 1, "{:?}", world);
    }
}
