//! The services that voices and characters ask, on loopback, with their own paths, headers, streams
//! and errors: ElevenLabs, OpenAI's speech and chat, Anthropic's messages.

use std::io::{self, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{array, thread};

use anyhow::Result;
use serde_json::{Value, json};

use crate::http::{self, Request};

/// How long a slow service takes; nobody waits for it to the end.
const SLOW: Duration = Duration::from_secs(4);
/// Samples a second of what ElevenLabs and OpenAI send.
const RATES: [u32; 2] = [22_050, 24_000];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It does its work.
    Good,
    /// It knows nobody of that key, and says the key.
    WrongKey,
    /// It has too much to do.
    Busy,
    /// The account is empty.
    NoCredit,
    /// It takes its time before it says anything.
    Slow,
    /// It hangs up in the middle of a stream.
    Cut,
    /// It falls silent in the middle of a stream.
    Stalls,
    /// It sends bytes that are no sound, and JSON that is none.
    Garbage,
    /// It sends a page for people.
    Page,
    /// It sends the caller somewhere else.
    Elsewhere,
    /// It answers a rewrite with words of its own, whatever the line was.
    Forgetful,
    Broken,
}

#[derive(Debug, Clone)]
pub struct SeenRequest {
    pub path: String,
    /// The key, wherever it stood.
    pub key: Option<String>,
    /// The version of Anthropic's API, if it was said.
    pub version: Option<String>,
    /// What was sent.
    pub body: Value,
}

#[derive(Debug)]
pub struct FakeCloud {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<SeenRequest>>>,
    first_chunk: Arc<Mutex<Option<Instant>>>,
}

impl FakeCloud {
    /// Listens from now on, until the process ends.
    pub fn start(mood: Mood) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let cloud = Self {
            address: listener.local_addr()?,
            seen: Arc::default(),
            first_chunk: Arc::default(),
        };
        let (seen, first_chunk) = (Arc::clone(&cloud.seen), Arc::clone(&cloud.first_chunk));
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let visit = Visit {
                    mood,
                    seen: Arc::clone(&seen),
                    first_chunk: Arc::clone(&first_chunk),
                };
                thread::spawn(move || visit.serve(&connection));
            }
        });
        Ok(cloud)
    }

    /// An address that nobody listens at.
    pub fn nowhere() -> Result<String> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        Ok(format!("http://{address}"))
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its address as if it had a certificate, which it has not.
    pub fn tls_url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// What was asked so far.
    pub fn seen(&self) -> Vec<SeenRequest> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// When the first piece of sound was sent.
    pub fn first_chunk(&self) -> Option<Instant> {
        *self
            .first_chunk
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

struct Visit {
    mood: Mood,
    seen: Arc<Mutex<Vec<SeenRequest>>>,
    first_chunk: Arc<Mutex<Option<Instant>>>,
}

impl Visit {
    fn serve(&self, connection: &TcpStream) {
        let (mut from, mut to) = (BufReader::new(connection), connection);
        while let Ok(Some(request)) = http::read_request(&mut from) {
            let seen = seen(&request);
            let key = seen.key.clone().unwrap_or_default();
            self.note(seen);
            if self.answer(&request, &key, &mut to).is_err() {
                return;
            }
        }
    }

    fn note(&self, seen: SeenRequest) {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(seen);
    }

    fn answer(&self, request: &Request, key: &str, to: &mut &TcpStream) -> io::Result<()> {
        let path = request.path.split('?').next().unwrap_or_default();
        if self.mood == Mood::Slow {
            thread::sleep(SLOW);
        }
        match (request.method.as_str(), path) {
            ("GET", "/v1/voices") => {
                let voices = json!([{"voice_id": "v1", "name": "Test", "category": "premade"}]);
                http::write_json(to, 200, &json!({"voices": voices}))
            }
            ("POST", "/v1/audio/speech") => self.speech(RATES[1], key, openai_error, to),
            ("POST", "/v1/chat/completions") => self.words(request, key, openai_error, to),
            ("POST", "/v1/messages") => self.words(request, key, anthropic_error, to),
            ("POST", path) if path.starts_with("/v1/text-to-speech/") => {
                self.speech(RATES[0], key, elevenlabs_error, to)
            }
            _ => http::write_json(to, 404, &json!({"detail": "Not Found"})),
        }
    }

    /// An error if the mood is one, in the service's own shape.
    fn error(&self, key: &str, shape: Shape) -> Option<(u16, Value)> {
        let told = format!("not with {key}");
        match self.mood {
            Mood::WrongKey => Some(shape(401, "invalid_api_key", &told)),
            Mood::Busy => Some(shape(429, "too_many_concurrent_requests", &told)),
            Mood::NoCredit => Some(shape(401, "quota_exceeded", &told)),
            Mood::Broken => Some(shape(500, "internal", &told)),
            _ => None,
        }
    }

    fn speech(&self, rate: u32, key: &str, shape: Shape, to: &mut &TcpStream) -> io::Result<()> {
        if let Some((status, body)) = self.error(key, shape) {
            return http::write_json(to, status, &body);
        }
        match self.mood {
            Mood::Page => page(to),
            Mood::Elsewhere => elsewhere(to),
            Mood::Garbage => self.stream(&noise(), to),
            _ if rate == RATES[0] => self.stream(&tone(rate), to),
            _ => self.stream(&wav(rate), to),
        }
    }

    /// Sound in pieces, as it is made.
    fn stream(&self, sound: &[u8], to: &mut &TcpStream) -> io::Result<()> {
        to.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: audio/pcm\r\ntransfer-encoding: chunked\r\n\r\n",
        )?;
        for (number, piece) in sound.chunks(4096).enumerate() {
            let head = format!("{:x}\r\n", piece.len());
            if number == 0 {
                let first = self.first_chunk.lock();
                *first.unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            }
            to.write_all(&[head.as_bytes(), piece, b"\r\n"].concat())?;
            match self.mood {
                Mood::Cut if number == 3 => return Err(io::ErrorKind::ConnectionReset.into()),
                Mood::Stalls if number == 3 => thread::sleep(SLOW),
                _ => thread::sleep(Duration::from_millis(5)),
            }
        }
        to.write_all(b"0\r\n\r\n")
    }

    fn words(
        &self,
        request: &Request,
        key: &str,
        shape: Shape,
        to: &mut &TcpStream,
    ) -> io::Result<()> {
        if let Some((status, body)) = self.error(key, shape) {
            return http::write_json(to, status, &body);
        }
        let body: Value = serde_json::from_slice(&request.body)?;
        let asked = body["messages"]
            .as_array()
            .and_then(|all| all.last().cloned());
        let line = asked
            .as_ref()
            .and_then(|it| it["content"].as_str())
            .unwrap_or_default();
        let told = match self.mood {
            Mood::Garbage => {
                return to.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n{\"x:");
            }
            Mood::Page => return page(to),
            Mood::Elsewhere => return elsewhere(to),
            Mood::Forgetful => "Arr, it be done!".to_owned(),
            _ => format!("Arr, {line}"),
        };
        let answer = match request.path.as_str() {
            "/v1/messages" => json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"],
                "content": [{"type": "text", "text": told}], "stop_reason": "end_turn",
                "usage": {"input_tokens": 1, "output_tokens": 1}
            }),
            _ => json!({
                "id": "c1", "object": "chat.completion", "model": body["model"],
                "choices": [{"index": 0, "message": {"role": "assistant", "content": told},
                             "finish_reason": "stop"}]
            }),
        };
        http::write_json(to, 200, &answer)
    }
}

/// How a service says an error: its status, its code, its words.
type Shape = fn(u16, &str, &str) -> (u16, Value);

fn elevenlabs_error(status: u16, code: &str, told: &str) -> (u16, Value) {
    (status, json!({"detail": {"status": code, "message": told}}))
}

fn openai_error(status: u16, code: &str, told: &str) -> (u16, Value) {
    let (status, code) = match code {
        "quota_exceeded" => (429, "insufficient_quota"),
        code => (status, code),
    };
    (
        status,
        json!({"error": {"message": told, "type": "requests", "param": null, "code": code}}),
    )
}

fn anthropic_error(status: u16, code: &str, told: &str) -> (u16, Value) {
    let (status, code) = match code {
        "quota_exceeded" => (400, "invalid_request_error"),
        "too_many_concurrent_requests" => (529, "overloaded_error"),
        code => (status, code),
    };
    (
        status,
        json!({"type": "error", "error": {"type": code, "message": told}}),
    )
}

fn page(to: &mut &TcpStream) -> io::Result<()> {
    to.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 13\r\n\r\n<html></html>",
    )
}

fn elsewhere(to: &mut &TcpStream) -> io::Result<()> {
    to.write_all(
        b"HTTP/1.1 307 -\r\nlocation: http://127.0.0.1:9/thief\r\ncontent-length: 0\r\n\r\n",
    )
}

fn seen(request: &Request) -> SeenRequest {
    let header = |name: &str| request.headers.get(name).cloned();
    let bearer = header("authorization").map(|it| it.replace("Bearer ", ""));
    SeenRequest {
        path: request.path.clone(),
        key: header("xi-api-key")
            .or_else(|| header("x-api-key"))
            .or(bearer),
        version: header("anthropic-version"),
        body: serde_json::from_slice(&request.body).unwrap_or_default(),
    }
}

/// A second of a tone.
fn tone(rate: u32) -> Vec<u8> {
    let sample = |at: u32| {
        let turn = f64::from(at) * 660.0 * std::f64::consts::TAU / f64::from(rate);
        #[expect(clippy::cast_possible_truncation, reason = "within nine thousand")]
        let sample = (turn.sin() * 9_000.0) as i16;
        sample.to_le_bytes()
    };
    (0..rate).flat_map(sample).collect()
}

/// The same with a head that says how to read it, and not how long it is.
fn wav(rate: u32) -> Vec<u8> {
    let mut bytes = b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    bytes.extend_from_slice(&rate.to_le_bytes());
    bytes.extend_from_slice(&(rate * 2).to_le_bytes());
    bytes.extend_from_slice(b"\x02\0\x10\0data\xff\xff\xff\xff");
    bytes.extend(tone(rate));
    bytes
}

/// Bytes that are no sound.
fn noise() -> Vec<u8> {
    let mut state = 4_711u32;
    let pieces = (0..8_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let bytes = state.to_be_bytes();
        array::from_fn::<u8, 2, _>(|at| bytes[at])
    });
    pieces.flatten().collect()
}
