//! Ten thousand drafts against a million submissions in SQLite.
//!
//! The store is made once and kept in the target folder; `TOLLPROOF_BENCH_SUBMISSIONS` says how many it holds.

use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use tollproof_core::{Facts, Format, KindSource, Linter, Parsed, Report, Source};
use tollproof_history::{Access, Location, Past, Store, Wanted};

const DRAFTS: usize = 10_000;

fn main() {
    let _ = store();
    divan::main();
}

/// The numbers of drafts, spread over all submissions, of which so many in a hundred are known to the history.
fn numbers(known: usize) -> Wanted {
    let all = submissions();
    let number = |at: usize| number(if at % 100 < known { at * (all / DRAFTS).max(1) } else { all + at });
    Wanted { numbers: (0..DRAFTS).map(number).collect(), ids: Vec::new() }
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn open_and_look_up_one() -> usize {
    let mut past = open();
    let wanted = Wanted { numbers: vec![number(4_711)], ids: Vec::new() };
    past.look_up(&wanted).expect("it can be read").history.submissions().len()
}

#[divan::bench(sample_count = 5, sample_size = 1, args = [0, 50, 100])]
fn look_up_10_000(bencher: divan::Bencher<'_, '_>, known: usize) {
    let mut past = open();
    let wanted = numbers(known);
    bencher.bench_local(|| past.look_up(&wanted).expect("it can be read").history.submissions().len());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn lint_10_000_without_history(bencher: divan::Bencher<'_, '_>) {
    let (linter, drafts) = (Linter::builtin().expect("it is built in"), drafts(0));
    bencher.bench_local(|| lint(&linter, &drafts, &Facts::default()).documents);
}

#[divan::bench(sample_count = 3, sample_size = 1, args = [0, 50, 100])]
fn lint_10_000_with_history(bencher: divan::Bencher<'_, '_>, known: usize) {
    let (linter, drafts) = (Linter::builtin().expect("it is built in"), drafts(known));
    let mut past = open();
    let wanted = numbers(known);
    bencher.bench_local(|| {
        let history = past.look_up(&wanted).expect("it can be read").history;
        lint(&linter, &drafts, &Facts { history, ..Facts::default() }).documents
    });
}

fn lint(linter: &Linter, drafts: &Source<'_>, facts: &Facts) -> Report {
    linter.lint(&Parsed::of(drafts, Some(Format::Ndjson)), KindSource::Named, facts)
}

/// One clean draft a line.
fn drafts(known: usize) -> Source<'static> {
    let mut draft = tollproof_core::clean::of(tollproof_core::Kind::of(tollproof_core::KindRole::Submit));
    let mut text = String::new();
    for number in numbers(known).numbers {
        draft["phoneNumbers"] = vec![number].into();
        writeln!(text, "{draft}").expect("strings take all that is written");
    }
    Source::new("drafts.ndjson", text)
}

fn open() -> Past {
    Past::open(&[store()], Access::Read).expect("it was made")
}

fn submissions() -> usize {
    env::var("TOLLPROOF_BENCH_SUBMISSIONS").ok().and_then(|it| it.parse().ok()).unwrap_or(1_000_000)
}

/// A UUID that neither begins nor ends like its neighbours', as those of a service do not.
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

/// The store; made where it is not there yet, and the time that took is printed.
fn store() -> Location {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("past-{}.db", submissions()));
    let location = Location::Sqlite(path.clone());
    if path.exists() {
        return location;
    }
    let records = records(&path.with_extension("ndjson"));
    let making = Location::Sqlite(path.with_extension("making"));
    let started = Instant::now();
    let patterns = [records.display().to_string()];
    let imported = Store::open(&making, Access::Create).and_then(|mut store| store.import(&patterns, |_| {}));
    let imported = imported.expect("all of them are records");
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "imported {} records in {:.1?}", imported.new, started.elapsed()).expect("it is open");
    fs::rename(path.with_extension("making"), &path).expect("it was closed");
    fs::remove_file(records).expect("it was written");
    location
}

/// A record of each submission, one a line.
fn records(path: &Path) -> PathBuf {
    let mut file = BufWriter::new(File::create(path).expect("the target folder can be written"));
    for at in 0..submissions() {
        let (id, number) = (uuid(at, 2), number(at));
        // Most have ended, and the open ones are another draft's.
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
