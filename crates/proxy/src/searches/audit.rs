//! `--audit-log`: every search, on a line of its own. Written by a thread of its own, so that no
//! search waits for a disk; what it can't keep up with is dropped and counted.

mod file;

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use ranking::Mode;
use serde::{Serialize, Serializer};

use crate::times::{milliseconds, timestamp};
use file::{Appended, RotatedFile};

/// Takes lines; never waits.
#[derive(Debug)]
pub(crate) struct AuditLog {
    messages: SyncSender<Message>,
    writer: Mutex<Option<JoinHandle<()>>>,
    counts: Arc<AuditCounts>,
}

/// How many lines there were so far.
#[derive(Debug, Default)]
pub(crate) struct AuditCounts {
    written: AtomicU64,
    dropped: AtomicU64,
    reopened: AtomicU64,
}

/// Why the file of `--audit-log` can't be written.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct UnusableAuditLog(#[from] io::Error);

/// One query and what it found: all that a line holds. Its texts are short, for lines wait in memory.
#[derive(Debug, Serialize)]
pub(crate) struct AuditLine<'a> {
    /// When it was answered.
    #[serde(serialize_with = "as_timestamp")]
    pub(crate) time: SystemTime,
    /// What the log calls the request.
    pub(crate) request_id: &'a str,
    /// Stands for the caller, as long as this process runs.
    pub(crate) caller: &'a str,
    /// What was searched for, as far as it was read.
    pub(crate) query: &'a str,
    /// What was found, best first.
    pub(crate) tools: Vec<AuditedTool<'a>>,
    /// By what it was searched.
    #[serde(serialize_with = "as_name")]
    pub(crate) mode: Mode,
    /// How long ranking took.
    #[serde(rename = "ms", serialize_with = "as_milliseconds")]
    pub(crate) took: Duration,
}

/// One hit.
#[derive(Debug, Serialize)]
pub(crate) struct AuditedTool<'a> {
    /// The tool's name, shortened.
    pub(crate) name: Cow<'a, str>,
    /// How well it fits.
    pub(crate) score: f64,
}

enum Message {
    Line(Vec<u8>),
    Stop,
}

impl AuditLog {
    /// Appends to the file at `path` from here on.
    pub(crate) fn open(path: &Path) -> Result<Self, UnusableAuditLog> {
        let file = RotatedFile::open(path.to_owned(), MAX_BYTES)?;
        let counts = Arc::<AuditCounts>::default();
        let (messages, received) = sync_channel(QUEUE);
        let writer = thread::Builder::new().name("audit".to_owned()).spawn({
            let counts = Arc::clone(&counts);
            move || write(file, &received, &counts)
        })?;
        Ok(Self {
            messages,
            writer: Mutex::new(Some(writer)),
            counts,
        })
    }

    /// Queues `line`, or counts it as dropped.
    pub(crate) fn record(&self, line: &AuditLine<'_>) {
        let bytes = serde_json::to_vec(line).unwrap_or_default();
        match self.messages.try_send(Message::Line(bytes)) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => self.counts.drop_one(),
        }
    }

    /// How many lines were written and dropped.
    pub(crate) fn counts(&self) -> &AuditCounts {
        &self.counts
    }

    /// Writes what is queued and closes the file. Blocks.
    pub(crate) fn close(&self) {
        let writer = self
            .writer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(writer) = writer else { return };
        // An error in either means that the writer has ended.
        if self.messages.send(Message::Stop).is_ok() {
            writer.join().unwrap_or_default();
        }
    }
}

impl AuditCounts {
    /// Lines that are in the file.
    pub(crate) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Lines that aren't, because the queue was full or the file couldn't be written.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// How often another file was begun, because somebody else moved or deleted the one at hand.
    pub(crate) fn reopened(&self) -> u64 {
        self.reopened.load(Ordering::Relaxed)
    }

    fn drop_one(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// Writes until it is told to stop. Of failures in a row the first is logged.
fn write(mut file: RotatedFile, messages: &Receiver<Message>, counts: &AuditCounts) {
    let mut is_failing = false;
    for message in messages {
        let Message::Line(line) = message else { return };
        match file.append(&line) {
            Ok(into) => {
                counts.written.fetch_add(1, Ordering::Relaxed);
                is_failing = false;
                if into == Appended::AnotherFile {
                    counts.reopened.fetch_add(1, Ordering::Relaxed);
                    tracing::warn!(
                        "the audit log's file was moved or deleted: another is begun in its place"
                    );
                }
            }
            Err(error) => {
                counts.drop_one();
                if !is_failing {
                    tracing::error!(%error, "the audit log can't be written: its lines are dropped");
                }
                is_failing = true;
            }
        }
    }
}

fn as_timestamp<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&timestamp(*time))
}

fn as_milliseconds<S: Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(milliseconds(*took))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn as_name<S: Serializer>(mode: &Mode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(mode.name())
}

/// How large the file may get before it is put aside.
const MAX_BYTES: u64 = 100 << 20;
/// Lines that wait for the disk.
const QUEUE: usize = 1024;

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn line(query: &str) -> AuditLine<'_> {
        AuditLine {
            time: SystemTime::UNIX_EPOCH,
            request_id: "0000000a-1",
            caller: "00c0ffee",
            query,
            tools: vec![AuditedTool {
                name: "a".into(),
                score: 0.5,
            }],
            mode: Mode::Hybrid,
            took: Duration::from_nanos(1_234_567),
        }
    }

    #[test]
    fn a_search_is_one_line_of_json() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        for query in ["first", "two\nlines \"quoted\""] {
            let log = AuditLog::open(&path).unwrap();
            log.record(&line(query));
            log.close();
            assert_eq!((log.counts().written(), log.counts().dropped()), (1, 0));
        }
        let text = fs_err::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            r#"{"time":"1970-01-01T00:00:00.000Z","request_id":"0000000a-1","caller":"00c0ffee","query":"first","tools":[{"name":"a","score":0.5}],"mode":"hybrid","ms":1.234}"#
        );
        let second: Value = serde_json::from_str(lines[1]).unwrap();
        assert_eq!(second["query"], "two\nlines \"quoted\"");
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn what_comes_too_fast_is_dropped_and_counted() {
        let counts = Arc::<AuditCounts>::default();
        // Nobody receives.
        let (messages, _received) = sync_channel(1);
        let log = AuditLog {
            messages,
            writer: Mutex::default(),
            counts,
        };
        for _ in 0..3 {
            log.record(&line("x"));
        }
        assert_eq!((log.counts().written(), log.counts().dropped()), (0, 2));
    }

    #[test]
    fn what_cant_be_written_is_dropped_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        let log = AuditLog::open(&path).unwrap();
        drop(folder);
        log.record(&line("a"));
        log.record(&line("b"));
        log.close();
        let counts = log.counts();
        assert_eq!((counts.written(), counts.dropped()), (0, 2));
        assert_eq!(counts.reopened(), 0);
    }

    #[test]
    fn a_file_that_is_gone_is_begun_anew_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        let log = AuditLog::open(&path).unwrap();
        fs_err::remove_file(&path).unwrap();
        log.record(&line("a"));
        log.record(&line("b"));
        log.close();
        let counts = log.counts();
        assert_eq!((counts.written(), counts.dropped()), (2, 0));
        assert_eq!(counts.reopened(), 1);
        assert_eq!(fs_err::read_to_string(&path).unwrap().lines().count(), 2);
    }
}
