//! The faults: what a server, a network or somebody between does to a request and its answer.

use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::provider::{OTHER_ACCOUNT, Reply, Shape};
use super::world::World;

/// A fault, by what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing is done, and the connection ends, in an orderly way or not.
    Close,
    Reset,
    /// Nothing is done, and this is answered, with a time after which to try again.
    Refuse(u16, &'static str),
    Redirect(u16),
    Captive,
    /// It is done after the client gave up.
    Late,
    /// It is done, and of the answer only a part arrives.
    Cut(Cut, End),
    /// It is done, and something else is answered.
    Instead(u16, &'static str, &'static str),
    /// It is done, and the answer is sent in another way.
    Sent(Way),
    /// It is done, and the answer says something else.
    Says(Lie),
}

/// The part of an answer that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Before,
    InHeaders,
    AfterHeaders,
    InBody,
    InChunk,
    Promised,
}

/// The end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Closed,
    Reset,
}

/// A way to send an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Slow,
    Drip,
    Plain,
    Huge,
    Gzip,
    Bomb,
    Brackets,
    As(u16),
    Early,
    Trailing,
}

/// Something in an answer that is not true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lie {
    /// All of it is about somebody else's submission.
    OtherAccount,
    /// All of it is about another number of the account.
    OtherNumber,
    /// Only its id is that of another submission.
    OtherId,
    NoId,
    HostileId,
}

use Cut::{AfterHeaders, Before, InBody, InChunk, InHeaders, Promised};
use End::{Closed, Reset as IsReset};
use Fault::{Instead, Refuse, Says, Sent};

const HTML: &str = "<!doctype html><html><body><h1>Log in to the network of this hotel</h1></body></html>";

/// All faults with their names: 17 without an effect, 35 after it.
pub(super) const FAULTS: [(&str, Fault); 52] = [
    ("close", Fault::Close),
    ("reset", Fault::Reset),
    ("400", Refuse(400, "")),
    ("401", Refuse(401, "")),
    ("403", Refuse(403, "")),
    ("404", Refuse(404, "")),
    ("409", Refuse(409, "")),
    ("422", Refuse(422, "")),
    ("429", Refuse(429, "1")),
    ("429 for a day", Refuse(429, "86400")),
    ("500", Refuse(500, "")),
    ("502", Refuse(502, "")),
    ("503", Refuse(503, "")),
    ("504", Refuse(504, "")),
    ("redirect", Fault::Redirect(307)),
    ("captive page", Fault::Captive),
    ("late", Fault::Late),
    ("closed before the answer", Fault::Cut(Before, Closed)),
    ("reset before the answer", Fault::Cut(Before, IsReset)),
    ("closed after the headers", Fault::Cut(AfterHeaders, Closed)),
    ("reset after the headers", Fault::Cut(AfterHeaders, IsReset)),
    ("cut in the headers", Fault::Cut(InHeaders, Closed)),
    ("cut in the body", Fault::Cut(InBody, Closed)),
    ("cut in a chunk", Fault::Cut(InChunk, Closed)),
    ("content-length too long", Fault::Cut(Promised, Closed)),
    ("500 after", Instead(500, "application/json", "{\"message\": \"oops\"}")),
    ("502 after", Instead(502, "text/html", HTML)),
    ("503 after", Instead(503, "text/plain", "try later")),
    ("504 after", Instead(504, "text/plain", "")),
    ("slow", Sent(Way::Slow)),
    ("drip", Sent(Way::Drip)),
    ("text/plain", Sent(Way::Plain)),
    ("html", Instead(200, "text/html", HTML)),
    ("empty", Instead(200, "application/json", "")),
    ("null", Instead(200, "application/json", "null")),
    ("list", Instead(200, "application/json", "[]")),
    ("object", Instead(200, "application/json", "{}")),
    ("brackets", Sent(Way::Brackets)),
    ("not UTF-8", Instead(200, "application/json", "\u{1}")),
    ("400 MB", Sent(Way::Huge)),
    ("gzip", Sent(Way::Gzip)),
    ("gzip bomb", Sent(Way::Bomb)),
    ("another account", Says(Lie::OtherAccount)),
    ("an id that exists", Says(Lie::OtherNumber)),
    ("the id of another submission", Says(Lie::OtherId)),
    ("no id", Says(Lie::NoId)),
    ("hostile id", Says(Lie::HostileId)),
    ("status 200", Sent(Way::As(200))),
    ("status 202", Sent(Way::As(202))),
    ("1xx", Sent(Way::Early)),
    ("trailing bytes", Sent(Way::Trailing)),
    ("bad request after", Instead(408, "text/plain", "the request took too long")),
];

/// The time that a client waits for an answer, in tests.
pub(super) const TIMEOUT: Duration = Duration::from_secs(1);

/// Zeros that are more than an answer may have, compressed.
static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![0; 1 << 20];
    (0..64).for_each(|_| encoder.write_all(&zeros).expect("memory can be written"));
    encoder.finish().expect("memory can be written")
});

impl Fault {
    /// Whether the request is done before the answer.
    pub(super) fn has_effect(self) -> bool {
        matches!(self, Self::Cut(..) | Self::Instead(..) | Self::Sent(_) | Self::Says(_))
    }

    /// Whether the connection ends with a reset.
    pub(super) fn is_reset(self) -> bool {
        matches!(self, Self::Reset | Self::Cut(_, End::Reset))
    }

    /// Whether a request of a provider can have it, so that a client can tell.
    pub(super) fn fits(self, shape: &Shape, label: &str) -> bool {
        // A list says nothing about what it does not have, and neither does a number.
        let is_list = ["List", "Owned", "DescribeRegistrations", "DescribePhoneNumbers", "Search"];
        let is_list = is_list.iter().any(|list| label.starts_with(list));
        match self {
            // A provider says so of itself where there is nothing.
            Self::Refuse(404, _) => !["Fetch", "DescribeRegistrationVersions"].contains(&label),
            Self::Says(Lie::OtherAccount) => {
                shape.name == "twilio" && label != "Search"
                    || shape.name == "bird" && !is_list && label != "Buy"
            }
            // Neither does what a provider assigns.
            Self::Says(Lie::OtherNumber | Lie::OtherId) => {
                !is_list && !["CreateRegistration", "RequestPhoneNumber"].contains(&label)
            }
            _ => true,
        }
    }
}

/// Sends an answer, with a fault or without. The server of `thief` gets what follows a redirect.
pub(super) fn send(
    stream: &mut TcpStream,
    shape: &Shape,
    world: &World,
    fault: Option<Fault>,
    reply: &Reply,
    thief: &str,
) {
    // A client may have gone.
    let _ = try_send(stream, shape, world, fault, reply, thief);
}

fn try_send(
    stream: &mut TcpStream,
    shape: &Shape,
    world: &World,
    fault: Option<Fault>,
    (status, value): &Reply,
    thief: &str,
) -> std::io::Result<()> {
    let kind = if value.is_string() { "application/xml" } else { "application/json" };
    let text = match value {
        Value::Null => String::new(),
        Value::String(xml) => xml.clone(),
        value => value.to_string(),
    };
    let body = text.as_bytes();
    let head = |status: u16, kind: &str, more: &str| {
        format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\nconnection: close\r\n{more}")
    };
    let length = |length: usize| format!("content-length: {length}\r\n\r\n");
    let whole = |status: u16, kind: &str, more: &str, body: &[u8]| {
        [head(status, kind, more).as_bytes(), length(body.len()).as_bytes(), body].concat()
    };
    let normal = whole(*status, kind, "", body);
    match fault {
        None => stream.write_all(&normal),
        Some(Fault::Close | Fault::Reset | Fault::Late | Fault::Cut(Cut::Before, _)) => Ok(()),
        Some(Refuse(status, after)) => {
            let (status, value) = shape.error(status);
            let more = if after.is_empty() { String::new() } else { format!("retry-after: {after}\r\n") };
            stream.write_all(&whole(status, "application/json", &more, value.to_string().as_bytes()))
        }
        Some(Fault::Redirect(status)) => {
            stream.write_all(&whole(status, "text/html", &format!("location: {thief}\r\n"), b""))
        }
        Some(Fault::Captive) => stream.write_all(&whole(200, "text/html", "", HTML.as_bytes())),
        Some(Fault::Cut(cut, _)) => {
            let head = head(*status, kind, "");
            let half = body.len() / 2;
            let part = match cut {
                Cut::InHeaders => head.into_bytes(),
                Cut::AfterHeaders => [head.as_bytes(), length(body.len().max(9)).as_bytes()].concat(),
                Cut::InBody => {
                    [head.as_bytes(), length(body.len().max(9)).as_bytes(), &body[..half]].concat()
                }
                Cut::InChunk => {
                    let chunk = format!("transfer-encoding: chunked\r\n\r\n{:x}\r\n", body.len().max(9));
                    [head.as_bytes(), chunk.as_bytes(), &body[..half]].concat()
                }
                _ => [head.as_bytes(), length(body.len() + 40).as_bytes(), body].concat(),
            };
            stream.write_all(&part)
        }
        Some(Instead(_, kind, "\u{1}")) => stream.write_all(&whole(200, kind, "", b"{\"id\": \"\xff\xfe\"}")),
        Some(Instead(status, kind, body)) => stream.write_all(&whole(status, kind, "", body.as_bytes())),
        Some(Says(lie)) => {
            let said = lie.told(shape, world, &text, value);
            stream.write_all(&whole(*status, kind, "", said.as_bytes()))
        }
        Some(Sent(way)) => match way {
            Way::Slow => {
                sleep(TIMEOUT.mul_f64(1.3));
                stream.write_all(&normal)
            }
            Way::Drip => normal.chunks(1).try_for_each(|byte| {
                sleep(Duration::from_millis(50));
                stream.write_all(byte)
            }),
            Way::Plain => stream.write_all(&whole(*status, "text/plain", "", body)),
            Way::Huge => {
                let megabyte = vec![b' '; 1 << 20];
                stream.write_all((head(200, kind, "") + &length(400 << 20)).as_bytes())?;
                (0..400).try_for_each(|_| stream.write_all(&megabyte))
            }
            Way::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(body)?;
                stream.write_all(&whole(*status, kind, "content-encoding: gzip\r\n", &encoder.finish()?))
            }
            Way::Bomb => stream.write_all(&whole(*status, kind, "content-encoding: gzip\r\n", &BOMB)),
            Way::Brackets => stream.write_all(&whole(*status, kind, "", "[".repeat(100_000).as_bytes())),
            Way::As(status) => stream.write_all(&whole(status, kind, "", body)),
            Way::Early => {
                stream.write_all(
                    b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
                )?;
                stream.write_all(&normal)
            }
            Way::Trailing => {
                stream.write_all(&normal)?;
                stream.write_all(b"HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n")
            }
        },
    }?;
    stream.shutdown(Shutdown::Write)
}

impl Lie {
    /// An answer about the first number, as it would be about something else.
    fn told(self, shape: &Shape, world: &World, text: &str, value: &Value) -> String {
        let other = &world.numbers[1];
        let id_of = |number: &str| world.filings_of(number).last().map(|filing| filing.id.clone());
        let mine: Vec<String> = world.filings.iter().map(|filing| filing.id.clone()).collect();
        let other_id = id_of(&other.e164).unwrap_or_default();
        let replace = |text: String, ids: &str, number_id: &str| {
            let text = mine.iter().fold(text, |text, id| text.replace(id, ids));
            let bought = world.numbers.iter().filter(|number| number.e164 != other.e164);
            bought.fold(text, |text, number| text.replace(&number.id, number_id))
        };
        let approved = |text: String| {
            let statuses = &shape.statuses[..3];
            statuses.iter().fold(text, |text, status| {
                text.replace(&format!("\"{status}\""), &format!("\"{}\"", shape.statuses[3]))
            })
        };
        match self {
            Self::OtherAccount => {
                let text = text.replace(shape.account, OTHER_ACCOUNT);
                approved(replace(text, &shape.id("HH", 0xfedc), &shape.id("PN", 0xfedc)))
            }
            Self::OtherNumber => {
                let text = world
                    .numbers
                    .iter()
                    .fold(text.to_owned(), |text, number| text.replace(&number.e164[2..], &other.e164[2..]));
                approved(replace(text, &other_id, &other.id))
            }
            Self::OtherId => mine.iter().fold(text.to_owned(), |text, id| text.replace(id, &other_id)),
            Self::HostileId => {
                let hostile = "HH\\u0000\\u001b[31mid\\u0007";
                replace(text.to_owned(), hostile, hostile)
            }
            Self::NoId => {
                let mut value = value.clone();
                forget(&mut value, shape.ids);
                value.as_str().map_or_else(|| value.to_string(), str::to_owned)
            }
        }
    }
}

/// Removes members.
fn forget(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !names.contains(&name.as_str()));
            members.values_mut().for_each(|value| forget(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| forget(value, names)),
        _ => {}
    }
}
