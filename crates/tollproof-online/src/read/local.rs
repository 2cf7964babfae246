//! Readers on this machine: servers of models at their usual ports. Only loopback is asked, once a port.

use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::said::one_line;
use crate::client::{Authentication, Client, ClientOptions, HttpRequest, Method, Repeat, Sent};

/// The programs that serve models, the ports that they use unless they are told otherwise, and whom they name as owner of
/// their models.
const SERVERS: [(&str, u16, &str); 4] = [
    (OLLAMA, 11434, "library"),
    ("LM Studio", 1234, "organization_owner"),
    ("llama.cpp", 8080, "llamacpp"),
    ("vLLM", 8000, "vllm"),
];
const OLLAMA: &str = "Ollama";

/// The longest time that a port may take to answer.
const TIMEOUT: Duration = Duration::from_millis(1500);

/// The most bytes that are read of a list of models.
const MAX_BODY: usize = 1 << 20;

/// The most models of a server that are listed, and the longest name of one, in characters.
const MAX_MODELS: usize = 100;
const MAX_NAME: usize = 100;

/// Parts of the names of models that answer no questions.
const NO_READERS: [&str; 8] =
    ["embed", "rerank", "bge-", "minilm", "whisper", "-base", "guard", "stable-diffusion"];

/// A model of a server on this machine.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalModel {
    /// The program that usually has the port: `Ollama`.
    pub server: &'static str,
    /// The address for [`ReaderChoice`](super::ReaderChoice): `http://127.0.0.1:11434/v1`.
    pub url: String,
    /// The server's name for it.
    pub name: String,
    /// The weights that it has, in billions, if the server or its name tells it.
    pub billions: Option<f64>,
}

impl LocalModel {
    /// Below this many weights, in billions, no model that was tried reads.
    pub const TOO_SMALL: f64 = 0.5;

    /// The models of the servers on this machine, the one to recommend first: the largest general one that answers questions. `ports`
    /// replaces the usual ports.
    pub fn all(ports: Option<&[u16]>) -> Vec<Self> {
        let ports: Vec<u16> = ports.map_or_else(|| SERVERS.map(|server| server.1).to_vec(), <[u16]>::to_vec);
        let asked = std::thread::scope(|scope| {
            let threads: Vec<_> = ports.into_iter().map(|port| scope.spawn(move || of_port(port))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect::<Vec<_>>()
        });
        let mut models: Vec<Self> = asked.into_iter().filter(Self::may_read).collect();
        // Models for code read less well than general ones of their size.
        let by_size = |a: &Self, b: &Self| b.billions.unwrap_or(0.0).total_cmp(&a.billions.unwrap_or(0.0));
        models.sort_by(|a, b| a.is_for_code().cmp(&b.is_for_code()).then(by_size(a, b)));
        models
    }

    fn may_read(&self) -> bool {
        let name = self.name.to_lowercase();
        !NO_READERS.iter().any(|part| name.contains(part))
    }

    /// Whether its name says that it is for program code.
    fn is_for_code(&self) -> bool {
        ["code", "codestral"].iter().any(|part| self.name.to_lowercase().contains(part))
    }

    /// Whether it is known not to read.
    pub fn is_too_small(&self) -> bool {
        self.billions.is_some_and(|billions| billions < Self::TOO_SMALL)
    }
}

/// The models of the server at a port; none without such a server. Ollama tells sizes in a list of its own.
fn of_port(port: u16) -> Vec<LocalModel> {
    let base = format!("http://127.0.0.1:{port}");
    let listed = got(&format!("{base}/v1/models")).unwrap_or_default();
    let sizes = |server| if server == OLLAMA { got(&format!("{base}/api/tags")) } else { None };
    let mut tags: Option<Option<Value>> = None;
    let mut models = Vec::new();
    for model in listed["data"].as_array().into_iter().flatten().take(MAX_MODELS) {
        let Some(name) = model["id"].as_str() else { continue };
        let known = SERVERS.iter().find(|(_, _, owner)| model["owned_by"] == *owner);
        let known = known.or_else(|| SERVERS.iter().find(|(_, usual, _)| *usual == port));
        let server = known.map_or("a server", |(server, ..)| *server);
        let tags =
            tags.get_or_insert_with(|| sizes(server)).as_ref().and_then(|tags| tags["models"].as_array());
        let tag = tags.into_iter().flatten().find(|tag| tag["name"] == name);
        let told = tag.and_then(|tag| billions(tag["details"]["parameter_size"].as_str()?));
        #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
        let counted = model["meta"]["n_params"].as_u64().map(|weights| weights as f64 / 1e9);
        let billions = told.or(counted).or_else(|| billions(name));
        models.push(LocalModel {
            server,
            url: format!("{base}/v1"),
            name: one_line(name, MAX_NAME),
            billions,
        });
    }
    models
}

fn got(url: &str) -> Option<Value> {
    let url: Url = url.parse().ok()?;
    let options =
        ClientOptions { timeout: TIMEOUT, tries: 1, max_body: MAX_BODY, ..ClientOptions::default() };
    let (method, repeat) = (Method::Get, Repeat::Read);
    let request = HttpRequest { method, url, headers: Vec::new(), body: None, repeat };
    match Client::new(options).ok()?.send_once(&request, &Authentication::None).ok()? {
        Sent::Answer(answer) if answer.is_success() => serde_json::from_slice(&answer.body).ok(),
        _ => None,
    }
}

/// The weights that a name tells, in billions: `8.2B`, `qwen3:8b`, `SmolLM2-135M-Instruct`.
fn billions(name: &str) -> Option<f64> {
    name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.').find_map(|part| {
        let (number, unit) = part.split_at_checked(part.len().checked_sub(1)?)?;
        let number: f64 = number.parse().ok().filter(|number: &f64| number.is_finite())?;
        match unit {
            "b" | "B" => Some(number),
            "m" | "M" => Some(number / 1000.0),
            _ => None,
        }
    })
}
