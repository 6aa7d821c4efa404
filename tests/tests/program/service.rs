//! A service on this machine that programs call.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// What a service was sent.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) head: String,
    /// As text, whatever it is.
    pub(crate) body: String,
    pub(crate) bytes: Vec<u8>,
}

/// A service that runs until it is dropped.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    is_over: Arc<AtomicBool>,
    /// Something comes whenever a request is not answered.
    pub(crate) silent: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// A service that answers the requests, which are numbered from 0, in this way; not at all where that is `None`.
    pub(crate) fn start(answer: impl Fn(usize, &Seen) -> Option<String> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (told, silent) = channel();
        let mut service = Self {
            address: listener.local_addr().expect("an address"),
            seen: Arc::default(),
            is_over: Arc::default(),
            silent,
            thread: None,
        };
        let (seen, is_over) = (Arc::clone(&service.seen), Arc::clone(&service.is_over));
        service.thread = Some(std::thread::spawn(move || {
            let mut open = Vec::new();
            for stream in listener.incoming() {
                if is_over.load(Ordering::SeqCst) {
                    return;
                }
                let Some((mut stream, request)) = stream.ok().and_then(read) else {
                    continue;
                };
                let number = seen.lock().expect("nobody panics").len();
                let answer = answer(number, &request);
                seen.lock().expect("nobody panics").push(request);
                if let Some(text) = answer {
                    // Who was killed meanwhile reads nothing.
                    drop(stream.write_all(text.as_bytes()));
                } else {
                    open.push(stream);
                    let _ = told.send(());
                }
            }
        }));
        service
    }

    /// What it was sent so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("nobody panics").clone()
    }

    /// Bodies that it was sent, each with how often.
    pub(crate) fn bodies(&self) -> BTreeMap<String, usize> {
        let mut bodies = BTreeMap::new();
        for seen in self.seen() {
            *bodies.entry(seen.body).or_default() += 1;
        }
        bodies
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // It waits for a connection, and looks whether it is over when there is one.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A request, whole; `None` where the connection ends before.
fn read(mut stream: TcpStream) -> Option<(TcpStream, Seen)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            break end + 4;
        }
        let mut part = [0; 4096];
        let count = stream.read(&mut part).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&part[..count]);
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let lower = head.to_ascii_lowercase();
    let length = match lower.split_once("content-length: ") {
        Some((_, length)) => length.lines().next()?.trim().parse().ok()?,
        // A request without a body.
        None => 0,
    };
    let mut rest = vec![0; (end + length).checked_sub(bytes.len())?];
    stream.read_exact(&mut rest).ok()?;
    bytes.extend_from_slice(&rest);
    let bytes = bytes.split_off(end);
    let body = String::from_utf8_lossy(&bytes).into_owned();
    Some((stream, Seen { head, body, bytes }))
}

/// An answer as it is sent; further headers end with a line end each.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} So\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
        body.len()
    )
}
