//! Benchmarks: 10,000 drafts and a store of 1,000,000 submissions in SQLite.
//!
//! The store is created once, in the target folder. `TOLLPROOF_BENCH_SUBMISSIONS` sets its number of submissions.

use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use tollproof_core::{Facts, Format, KindHint, Linter, Parsed, Report, Source};
use tollproof_history::{Access, HistorySet, Location, Query, Store};

const DRAFTS: usize = 10_000;

fn main() {
    let _ = store();
    divan::main();
}

/// The numbers of the drafts, spread over all submissions. `known` percent of them are in the history.
fn numbers(known: usize) -> Query {
    let all = submissions();
    let number = |at: usize| number(if at % 100 < known { at * (all / DRAFTS).max(1) } else { all + at });
    Query { numbers: (0..DRAFTS).map(number).collect(), ids: Vec::new() }
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn open_and_look_up_one() -> usize {
    let mut histories = open();
    let query = Query { numbers: vec![number(4_711)], ids: Vec::new() };
    histories.look_up(&query).expect("the store can be read").history.submissions().len()
}

#[divan::bench(sample_count = 5, sample_size = 1, args = [0, 50, 100])]
fn look_up_10_000(bencher: divan::Bencher<'_, '_>, known: usize) {
    let mut histories = open();
    let query = numbers(known);
    bencher.bench_local(|| {
        histories.look_up(&query).expect("the store can be read").history.submissions().len()
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn lint_10_000_without_history(bencher: divan::Bencher<'_, '_>) {
    let (linter, drafts) = (Linter::builtin(), drafts(0));
    bencher.bench_local(|| lint(&linter, &drafts, &Facts::default()).documents);
}

#[divan::bench(sample_count = 3, sample_size = 1, args = [0, 50, 100])]
fn lint_10_000_with_history(bencher: divan::Bencher<'_, '_>, known: usize) {
    let (linter, drafts) = (Linter::builtin(), drafts(known));
    let mut histories = open();
    let query = numbers(known);
    bencher.bench_local(|| {
        let history = histories.look_up(&query).expect("the store can be read").history;
        lint(&linter, &drafts, &Facts { history, ..Facts::default() }).documents
    });
}

fn lint(linter: &Linter, drafts: &Source<'_>, facts: &Facts) -> Report {
    linter.check(&Parsed::of(drafts, Some(Format::Ndjson)), KindHint::Explicit, facts)
}

/// NDJSON with clean drafts.
fn drafts(known: usize) -> Source<'static> {
    let mut draft =
        tollproof_core::clean_document(tollproof_core::Kind::of(tollproof_core::KindRole::Submit));
    let mut text = String::new();
    for number in numbers(known).numbers {
        draft["phoneNumbers"] = vec![number].into();
        writeln!(text, "{draft}").expect("writing to a string cannot fail");
    }
    Source::new("drafts.ndjson", text)
}

fn open() -> HistorySet {
    HistorySet::open(&[store()], Access::Read).expect("the store exists")
}

fn submissions() -> usize {
    env::var("TOLLPROOF_BENCH_SUBMISSIONS").ok().and_then(|value| value.parse().ok()).unwrap_or(1_000_000)
}

/// A UUID that shares no prefix or suffix with its neighbours, like those of a real API.
fn uuid(at: usize, kind: u64) -> String {
    let mut mixed = (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ kind;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^= mixed >> 27;
    let (high, low) = (mixed >> 32, mixed & 0xffff_ffff);
    format!(
        "{high:08x}-{:04x}-4{:03x}-8{:03x}-{:04x}{low:08x}",
        low >> 16,
        at & 0xfff,
        at >> 12 & 0xfff,
        kind
    )
}

fn number(at: usize) -> String {
    uuid(at, 1)
}

/// The store. If it does not exist, it is created, and the time of its import is printed.
fn store() -> Location {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("history-{}.db", submissions()));
    let location = Location::Sqlite(path.clone());
    if path.exists() {
        return location;
    }
    let records = records(&path.with_extension("ndjson"));
    let making = Location::Sqlite(path.with_extension("making"));
    let started = Instant::now();
    let patterns = [records.display().to_string()];
    let imported = Store::open(&making, Access::Create).and_then(|mut store| store.import(&patterns, |_| {}));
    let imported = imported.expect("all lines are records");
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "imported {} records in {:.1?}", imported.new, started.elapsed())
        .expect("stderr is open");
    fs::rename(path.with_extension("making"), &path).expect("it was closed");
    fs::remove_file(records).expect("it was written");
    location
}

/// Writes NDJSON with one record per submission.
fn records(path: &Path) -> PathBuf {
    let mut file = BufWriter::new(File::create(path).expect("the target folder can be written"));
    for at in 0..submissions() {
        let (id, number) = (uuid(at, 2), number(at));
        // Most submissions have ended, and the open ones belong to other drafts.
        let status = ["Verified", "Rejected", "Verified", "in review"][at % 4];
        writeln!(
            file,
            "{{\"id\":\"{id}\",\"phoneNumbers\":[\"{number}\"],\"verificationRequestData\":{{\"businessName\":\
             \"Business {at} LLC\",\"businessAddr1\":\"{at} Water Street\",\"businessZip\":\"04101\",\"businessCity\"\
             :\"Portland\",\"businessState\":\"ME\",\"businessCountry\":\"US\",\"useCase\":\"Appointments\",\
             \"useCaseSummary\":\"Business {at} tells its own customers when their appointments are, and when they \
             change. Customers opt in on its website.\"}},\"status\":\"{status}\",\"statusMessage\":{{\"StatusCode\":\
             \"\",\"DeclineReasonDescription\":\"\",\"ResubmitAllowed\":\"\",\"Message\":\"\"}},\"testMode\":false,\
             \"createdAt\":\"2026-10-12T14:03:27.418Z\",\"updatedAt\":\"2026-10-15T18:40:05.092Z\"}}"
        )
        .expect("the target folder can be written");
    }
    file.flush().expect("the target folder can be written");
    path.to_owned()
}
