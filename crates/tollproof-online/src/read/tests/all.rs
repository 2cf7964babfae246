//! Many prompts: what is kept, asked once more, and left.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn run<'r>(count: usize, jobs: usize, stop: &'r (dyn Fn() -> bool + Sync)) -> ReadRun<'r> {
    ReadRun { count, jobs, stop, prompt: &|_, _| prompt() }
}

fn never() -> bool {
    false
}

#[test]
fn all_prompts_are_asked_and_each_reply_is_accepted() {
    let server = server(&[answer(OBJECT)]);
    let mut seen = Vec::new();
    let result = openai(&server).ask_all(&run(20, 4, &never), &mut |index, reply| {
        assert_eq!(reply.text, OBJECT);
        seen.push(index);
        Accept::Kept
    });
    seen.sort_unstable();
    assert_eq!(seen, (0..20).collect::<Vec<_>>());
    assert_eq!((result.kept, result.failed.len(), result.left), (20, 0, 0));
    assert!(result.error.is_none());
    let none = openai(&server).ask_all(&run(0, 4, &never), &mut |_, _| Accept::Kept);
    assert_eq!((none.kept, none.left), (0, 0));
}

#[test]
fn what_is_not_accepted_is_asked_once_more_with_the_reason() {
    let server =
        server(&[answer("nonsense"), answer(OBJECT), answer(OBJECT), answer(OBJECT), answer("none")]);
    let reasons = std::sync::Mutex::new(Vec::new());
    let prompt = |index: usize, why: Option<&str>| {
        reasons.lock().expect("no thread panics").push((index, why.map(str::to_owned)));
        super::prompt()
    };
    let run = ReadRun { prompt: &prompt, ..run(3, 1, &never) };
    let result = openai(&server).ask_all(&run, &mut |index, _| match index {
        1 => Accept::Again("a quote is not in the text".to_owned()),
        _ => Accept::Kept,
    });
    let none = "the answer of the reader contains no JSON object";
    let asked = [
        (0, None),
        (0, Some(none.to_owned())),
        (1, None),
        (1, Some("a quote is not in the text".to_owned())),
        (2, None),
        (2, Some(none.to_owned())),
    ];
    assert_eq!(reasons.into_inner().expect("no thread panics"), asked);
    let failed = [(1, "a quote is not in the text"), (2, none)];
    let failed = failed.map(|(index, why)| ReadFailure { index, why: why.to_owned() });
    assert_eq!((result.kept, result.failed, result.left), (1, failed.into(), 0));
    assert!(result.error.is_none());
}

#[test]
fn an_error_that_is_final_ends_a_run_and_keeps_what_is_done() {
    let server = server(&[answer(OBJECT), answer(OBJECT), http(401, "", "{}")]);
    let result = openai(&server).ask_all(&run(50, 1, &never), &mut |_, _| Accept::Kept);
    assert_eq!((result.kept, result.failed.len(), result.left), (2, 0, 48));
    assert!(matches!(result.error, Some(ReaderError::KeyRefused(401))), "{:?}", result.error);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn five_failures_in_a_row_end_a_run() {
    let (bad, good) = (http(413, "", "{}"), answer(OBJECT));
    let mut answers = vec![good; 6];
    (answers[1], answers[2], answers[5]) = (bad.clone(), bad.clone(), bad);
    let server = server(&answers);
    let result = openai(&server).ask_all(&run(50, 1, &never), &mut |_, _| Accept::Kept);
    let failed: Vec<usize> = result.failed.iter().map(|it| it.index).collect();
    assert_eq!((result.kept, &failed[..], result.left), (3, &[1, 2, 5, 6, 7, 8, 9][..], 40));
    assert!(matches!(result.error, Some(ReaderError::Status { status: 413, .. })), "{:?}", result.error);
}

#[test]
fn a_stop_leaves_the_rest() {
    let server = server(&[answer(OBJECT)]);
    let kept = AtomicUsize::new(0);
    let stop = || kept.load(Ordering::Relaxed) >= 3;
    let result = openai(&server).ask_all(&run(50, 1, &stop), &mut |_, _| {
        kept.fetch_add(1, Ordering::Relaxed);
        Accept::Kept
    });
    assert_eq!((result.kept, result.failed.len(), result.left), (3, 0, 47));
    assert!(result.error.is_none());
}

#[test]
fn a_panic_of_who_accepts_ends_a_run_and_is_passed_on() {
    let server = server(&[answer(OBJECT)]);
    let reader = openai(&server);
    let ask = || reader.ask_all(&run(3, 2, &never), &mut |_, _| panic!("it cannot be stored"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(ask)).is_err());
}
