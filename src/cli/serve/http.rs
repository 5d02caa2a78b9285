//! Answers requests of the page and no others. The path of a request must begin with the secret of the address, and
//! its host must be this server. Unless it only loads a file of the page, it must come from the page itself.

use super::folder::Folder;
use crate::cli::interrupt::expendable;
use crate::output::digest::hex;
use crate::playground::Engine;
use crate::task::Failure;
use anyhow::Context as _;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Uri};
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The most bytes of a request: it may contain the counts of many rounds.
const MOST: usize = 256 << 20;

/// The time in which a request must have arrived.
const ARRIVAL: Duration = Duration::from_secs(30);

/// The headers of every response.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// Includes a file of the page that `build.rs` has put together.
#[cfg(page)]
macro_rules! file {
    ($name:literal, $kind:literal) => {
        (
            $name,
            $kind,
            include_bytes!(concat!(env!("PAGE"), "/", $name)),
        )
    };
}

/// A file of the page: the name, the media type and the content.
type File = (&'static str, &'static str, &'static [u8]);

/// The files of the page without those of the WebAssembly engine; none if it could not be put together.
#[cfg(not(page))]
pub(super) const FILES: [File; 0] = [];
#[cfg(page)]
pub(super) const FILES: [File; 4] = [
    file!("index.html", "text/html; charset=utf-8"),
    file!("icon.svg", "image/svg+xml"),
    file!("main.js", "text/javascript; charset=utf-8"),
    file!("style.css", "text/css; charset=utf-8"),
];

/// The page's requests about files.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
enum Ask {
    /// Returns the text of a scenario.
    Text { name: String },
    /// Replaces the text `old` of a scenario, or creates a new file if there is no `old`.
    Save {
        name: String,
        old: Option<String>,
        new: String,
    },
}

/// A server of one folder.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) folder: Folder,
    secret: String,
    port: u16,
    engines: Recent<Engine>,
}

/// The most engines to keep: one for each connection of a page, and some of the previous scenario.
const ENGINES: usize = 8;

/// The values used last, at most [`ENGINES`], each with the bytes it was made from: engines with their scenarios.
#[derive(Debug)]
struct Recent<T>(Mutex<Vec<(Vec<u8>, T)>>);

impl<T> Recent<T> {
    /// Removes and returns the newest value made from these bytes. An engine is worth reusing because it may
    /// have solved the fights.
    fn take(&self, made_for: &[u8]) -> Option<T> {
        let mut all = self.all();
        let at = all.iter().rposition(|(bytes, _)| bytes == made_for)?;
        Some(all.remove(at).1)
    }

    fn keep(&self, made_for: &[u8], value: T) {
        let mut all = self.all();
        if all.len() == ENGINES {
            all.remove(0);
        }
        all.push((made_for.to_vec(), value));
    }

    fn all(&self) -> MutexGuard<'_, Vec<(Vec<u8>, T)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets its flag when dropped, so that an answer ends early if the page no longer waits for it.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Server {
    /// Returns a server on `port`, with a secret from the operating system.
    ///
    /// # Errors
    /// If the operating system gives no random numbers.
    pub(super) fn new(folder: Folder, port: u16) -> Result<Self, Failure> {
        let mut bytes = [0; 16];
        SysRng
            .try_fill_bytes(&mut bytes)
            .context("the operating system gives no random numbers")
            .map_err(Failure::io)?;
        Ok(Self {
            folder,
            secret: hex(&bytes),
            port,
            engines: Recent(Mutex::default()),
        })
    }

    /// Returns the address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.secret)
    }

    /// Answers a request. `is_known` is set if it has the secret.
    pub(super) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        is_known: Arc<AtomicBool>,
    ) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let name = match self.admit(&head.method, &head.uri, &head.headers) {
            Ok(name) => name.to_owned(),
            Err((status, why)) => return plain(status, why),
        };
        is_known.store(true, Ordering::Relaxed);
        if head.method != Method::POST && name != "scenarios.json" {
            return file(&name);
        }
        let body = Limited::new(body, MOST).collect();
        let bytes = match tokio::time::timeout(ARRIVAL, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return plain(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
            }
            Ok(Err(_)) => return plain(StatusCode::BAD_REQUEST, "the request was cut off"),
            Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "the request took too long"),
        };
        let stop = Waiting(Arc::default());
        let flag = Arc::clone(&stop.0);
        let answered = isolated(move || match &*name {
            "scenarios.json" => self.scenarios(),
            "ask" => self.played(&bytes, &flag),
            _ => self.filed(&bytes),
        });
        match answered.await {
            Some(Ok(content)) => {
                respond(StatusCode::OK, "application/octet-stream", content.into())
            }
            Some(Err(refusal)) => plain(StatusCode::UNPROCESSABLE_ENTITY, &format!("{refusal:#}")),
            None => plain(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the program has a defect: its message is where it was started",
            ),
        }
    }

    /// Returns the name after the secret, or the reason why the request is refused.
    fn admit<'a>(
        &self,
        method: &Method,
        uri: &'a Uri,
        headers: &HeaderMap,
    ) -> Result<&'a str, (StatusCode, &'static str)> {
        let other_host = (
            StatusCode::MISDIRECTED_REQUEST,
            "the request names another host",
        );
        let foreign = (StatusCode::FORBIDDEN, "the request comes from another page");
        let unknown = (
            StatusCode::NOT_FOUND,
            "use the address that `skirmish serve` printed",
        );
        let other_method = (
            StatusCode::METHOD_NOT_ALLOWED,
            "this address takes another method",
        );
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).filter(|host| {
            let is_single = headers.get_all(header::HOST).iter().count() == 1;
            let known = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
            is_single && uri.authority().is_none() && known.iter().any(|known| known == host)
        });
        // A foreign page whose domain name resolves to this machine sends another host.
        let host = host.ok_or(other_host)?;
        match headers.get(header::ORIGIN) {
            Some(origin) if origin.as_bytes() != format!("http://{host}").as_bytes() => {
                return Err(foreign);
            }
            None if method == Method::POST => return Err(foreign),
            _ => {}
        }
        let below = uri.path().strip_prefix('/').and_then(|path| {
            let (secret, name) = path.split_once('/')?;
            (secret == self.secret).then_some(name)
        });
        let name = below.ok_or(unknown)?;
        let wanted = match name {
            "ask" | "file" => Method::POST,
            _ => Method::GET,
        };
        if *method == wanted {
            Ok(name)
        } else {
            Err(other_method)
        }
    }

    /// Returns the list of scenarios, with which the page begins.
    fn scenarios(&self) -> anyhow::Result<Vec<u8>> {
        let entry = |(name, title)| json!({"name": name, "title": title});
        let scenarios: Vec<Value> = self.folder.list()?.into_iter().map(entry).collect();
        let list = json!({"saves": true, "first": self.folder.first, "scenarios": scenarios});
        Ok(list.to_string().into())
    }

    /// Answers a question with an engine that has read the scenario in the first line, if that line is not empty.
    fn played(&self, bytes: &[u8], stop: &AtomicBool) -> anyhow::Result<Vec<u8>> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (scenario, question) = bytes.split_at(end.context("the question has no scenario")? + 1);
        if scenario.len() == 1 {
            return Engine::default().answer(question, stop);
        }
        let mut engine = if let Some(engine) = self.engines.take(scenario) {
            engine
        } else {
            let mut engine = Engine::default();
            engine.answer(scenario, stop)?;
            engine
        };
        let answer = engine.answer(question, stop);
        self.engines.keep(scenario, engine);
        answer
    }

    /// Reads or saves a scenario.
    fn filed(&self, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
        Ok(match serde_json::from_slice(bytes)? {
            Ask::Text { name } => self.folder.read(&name)?.into(),
            Ask::Save { name, old, new } => {
                self.folder.save(&name, old.as_deref(), &new)?;
                Vec::new()
            }
        })
    }
}

/// Does work on another thread. Returns `None` after an internal error, which costs only that thread.
async fn isolated<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, answer) = oneshot::channel();
    tokio::task::spawn_blocking(move || {
        let sender = Rc::new(Cell::new(Some(sender)));
        let lost = Rc::clone(&sender);
        let done = expendable(work, move || drop(lost.take()));
        // The page may not wait any more.
        let _ = sender.take().map(|sender| sender.send(done));
    });
    answer.await.ok()
}

/// Answers with a file of the page.
fn file(name: &str) -> Response<Full<Bytes>> {
    let name = if name.is_empty() { "index.html" } else { name };
    match FILES.into_iter().find(|(known, ..)| *known == name) {
        Some((_, kind, content)) => respond(StatusCode::OK, kind, Bytes::from_static(content)),
        None => plain(StatusCode::NOT_FOUND, "there is no such file"),
    }
}

fn plain(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    respond(status, "text/plain; charset=utf-8", text.to_owned().into())
}

fn respond(status: StatusCode, kind: &'static str, content: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(content));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        let folder = Folder::open(Some(std::path::Path::new("scenarios"))).ok();
        Server {
            secret: "s3".to_owned(),
            ..Server::new(folder.unwrap(), 80).ok().unwrap()
        }
    }

    /// Returns the status of a request with this path and these headers.
    fn status(method: &Method, path: &str, lines: &[(HeaderName, &'static str)]) -> u16 {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_static(value));
        }
        let uri = path.parse().unwrap();
        let admitted = server().admit(method, &uri, &headers).map(str::to_owned);
        admitted.map_or_else(|(status, _)| status.as_u16(), |_| 200)
    }

    const HOST: (HeaderName, &str) = (header::HOST, "127.0.0.1:80");
    const ORIGIN: (HeaderName, &str) = (header::ORIGIN, "http://127.0.0.1:80");

    #[test]
    fn the_page_is_let_in() {
        assert_eq!(status(&Method::GET, "/s3/", &[HOST]), 200);
        assert_eq!(status(&Method::GET, "/s3/main.js", &[HOST, ORIGIN]), 200);
        assert_eq!(status(&Method::POST, "/s3/ask", &[HOST, ORIGIN]), 200);
        let local = [
            (header::HOST, "localhost:80"),
            (header::ORIGIN, "http://localhost:80"),
        ];
        assert_eq!(status(&Method::POST, "/s3/file", &local), 200);
    }

    #[test]
    fn another_secret_host_origin_or_method_is_refused() {
        let refused = |method, path, lines: &[_], code| {
            assert_eq!(
                status(&method, path, lines),
                code,
                "{method} {path} {lines:?}"
            );
        };
        let (get, post) = (Method::GET, Method::POST);
        refused(get.clone(), "/", &[HOST], 404);
        refused(get.clone(), "/s3", &[HOST], 404);
        refused(get.clone(), "/s4/", &[HOST], 404);
        refused(get.clone(), "//s3/", &[HOST], 404);
        refused(get.clone(), "/s3/", &[], 421);
        refused(
            get.clone(),
            "/s3/",
            &[(header::HOST, "evil.example:80")],
            421,
        );
        refused(get.clone(), "/s3/", &[(header::HOST, "127.0.0.1")], 421);
        refused(get.clone(), "/s3/", &[HOST, HOST], 421);
        refused(get.clone(), "http://evil.example/s3/", &[HOST], 421);
        refused(get.clone(), "/s3/ask", &[HOST, ORIGIN], 405);
        refused(
            get,
            "/s3/",
            &[HOST, (header::ORIGIN, "http://evil.example")],
            403,
        );
        refused(post.clone(), "/s3/ask", &[HOST], 403);
        refused(
            post.clone(),
            "/s3/ask",
            &[HOST, (header::ORIGIN, "null")],
            403,
        );
        // Another port of this machine, and the other name of the machine.
        refused(
            post.clone(),
            "/s3/ask",
            &[HOST, (header::ORIGIN, "http://127.0.0.1:81")],
            403,
        );
        refused(
            post.clone(),
            "/s3/ask",
            &[HOST, (header::ORIGIN, "http://localhost:80")],
            403,
        );
        refused(post.clone(), "/s3/", &[HOST, ORIGIN], 405);
        refused(Method::PUT, "/s3/file", &[HOST, ORIGIN], 405);
        refused(Method::OPTIONS, "/s3/file", &[HOST, ORIGIN], 405);
    }

    #[test]
    fn what_was_used_last_for_the_same_thing_is_used_again() {
        let recent = Recent(Mutex::default());
        assert_eq!(recent.take(b"a"), None);
        recent.keep(b"a", 1);
        recent.keep(b"b", 2);
        recent.keep(b"a", 3);
        assert_eq!(recent.take(b"a"), Some(3));
        assert_eq!(recent.take(b"a"), Some(1));
        assert_eq!(recent.take(b"a"), None);
        for one in 0..2 * ENGINES {
            recent.keep(b"c", one);
        }
        assert_eq!(recent.all().len(), ENGINES);
        assert_eq!(recent.take(b"b"), None);
    }

    /// Set in the other process of a test.
    const OTHER: &str = "SKIRMISH_TEST_OF_DEFECTS";

    #[test]
    fn other_process_answers_after_a_defect() {
        if std::env::var_os(OTHER).is_none() {
            return;
        }
        crate::cli::interrupt::report_defects();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(async {
            assert_eq!(
                isolated(|| -> u8 { panic!("two and two are five") }).await,
                None
            );
            assert_eq!(isolated(|| 4).await, Some(4));
            // A thread that is lost never ends.
            std::process::exit(0);
        });
    }

    #[test]
    fn a_defect_while_answering_does_not_end_the_server() {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["other_process_answers_after_a_defect", "--nocapture"])
            .env(OTHER, "")
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("two and two are five"), "{said}");
        assert_eq!(output.status.code(), Some(0), "{said}");
    }

    #[test]
    fn secrets_differ() {
        let folder = || {
            Folder::open(Some(std::path::Path::new("scenarios")))
                .ok()
                .unwrap()
        };
        let secret = || Server::new(folder(), 1).ok().unwrap().secret;
        let (one, other) = (secret(), secret());
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
