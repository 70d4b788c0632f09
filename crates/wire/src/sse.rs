//! Server-sent events, decoded from chunks cut anywhere.

/// Turns chunks of a `text/event-stream` body into events.
///
/// Lines may end in LF, CR or CRLF; comments and unknown fields are ignored; an event without data
/// (a priming `id:`) is not reported. Bytes are only read as UTF-8 once a line is whole, so a
/// character may be cut between chunks.
#[derive(Debug)]
pub struct SseDecoder {
    line: Vec<u8>,
    after_cr: bool,
    at_start: bool,
    data: String,
    data_lines: usize,
    id: Option<String>,
    last_id: Option<String>,
    retry_ms: Option<u64>,
    max_event_bytes: usize,
}

/// An event passed the decoder's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a server-sent event is larger than {max_bytes} bytes")]
pub struct EventTooLarge {
    /// The limit.
    pub max_bytes: usize,
}

impl SseDecoder {
    /// A decoder that refuses events of more than `max_event_bytes`.
    pub fn new(max_event_bytes: usize) -> Self {
        Self {
            line: Vec::new(),
            after_cr: false,
            at_start: true,
            data: String::new(),
            data_lines: 0,
            id: None,
            last_id: None,
            retry_ms: None,
            max_event_bytes,
        }
    }

    /// The id of the last whole event, one without data too: where to resume the stream.
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// The last `retry:` of the stream in milliseconds, of events without data too.
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// Forgets a half event, as the stream goes on with another response.
    pub fn restart(&mut self) {
        *self = Self {
            id: self.last_id.clone(),
            last_id: self.last_id.take(),
            retry_ms: self.retry_ms,
            ..Self::new(self.max_event_bytes)
        };
    }

    /// Takes the next chunk and returns the data of the events that it completes: their `data:`
    /// lines, joined by LF.
    pub fn push(&mut self, mut chunk: &[u8]) -> Result<Vec<String>, EventTooLarge> {
        let mut events = Vec::new();
        while !chunk.is_empty() {
            if std::mem::take(&mut self.after_cr) && chunk.first() == Some(&b'\n') {
                chunk = chunk.get(1..).unwrap_or_default();
                continue;
            }
            let end = chunk.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, rest) = chunk.split_at(end.unwrap_or(chunk.len()));
            self.check_size(part.len())?;
            self.line.extend_from_slice(part);
            chunk = rest;
            if let Some((terminator, rest)) = chunk.split_first() {
                self.after_cr = *terminator == b'\r';
                chunk = rest;
                events.extend(self.end_line());
            }
        }
        Ok(events)
    }

    fn check_size(&self, more: usize) -> Result<(), EventTooLarge> {
        if self.line.len() + self.data.len() + more > self.max_event_bytes {
            return Err(EventTooLarge {
                max_bytes: self.max_event_bytes,
            });
        }
        Ok(())
    }

    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let mut line = String::from_utf8_lossy(&line);
        if std::mem::take(&mut self.at_start)
            && let Some(stripped) = line.strip_prefix('\u{feff}')
        {
            line = stripped.to_owned().into();
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.data_lines > 0 {
                    self.data.push('\n');
                }
                self.data_lines += 1;
                self.data.push_str(value);
            }
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" => self.retry_ms = value.parse().ok().or(self.retry_ms),
            _ => {}
        }
        None
    }

    /// Ends the event; the id stays in force for the next (HTML, 9.2.6).
    fn dispatch(&mut self) -> Option<String> {
        self.last_id.clone_from(&self.id);
        self.data_lines = 0;
        let data = std::mem::take(&mut self.data);
        (!data.is_empty()).then_some(data)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode(chunks: &[&[u8]]) -> Vec<String> {
        let mut decoder = SseDecoder::new(1 << 20);
        chunks
            .iter()
            .flat_map(|chunk| decoder.push(chunk).unwrap())
            .collect()
    }

    fn data(stream: &str) -> Vec<String> {
        decode(&[stream.as_bytes()])
    }

    #[test]
    fn line_ends_comments_and_empty_events() {
        assert_eq!(
            data("data: a\n\ndata:b\r\n\r\ndata: c\r\r"),
            ["a", "b", "c"]
        );
        assert_eq!(
            data(": keep-alive\n\nid: 1\ndata:\n\ndata: x\ndata: y\n\n"),
            ["x\ny"]
        );
        assert_eq!(data("\u{feff}data: a\n\n"), ["a"]);
        assert_eq!(data("data: cut off"), Vec::<String>::new());
    }

    #[test]
    fn other_fields_are_no_data() {
        assert_eq!(
            data("event: ping\nid: 7\nretry: 50\ndata: 1\n\ndata: 2\n\n"),
            ["1", "2"]
        );
    }

    #[test]
    fn a_priming_event_tells_where_and_when_to_resume() {
        let mut decoder = SseDecoder::new(1 << 20);
        assert_eq!(decoder.last_event_id(), None);
        assert_eq!(
            decoder.push(b"id: 7\nretry: 50\ndata:\n\n").unwrap().len(),
            0
        );
        assert_eq!(decoder.last_event_id(), Some("7"));
        assert_eq!(decoder.push(b"data: 1\nretry: soon\n\n").unwrap(), ["1"]);
        assert_eq!(
            (decoder.last_event_id(), decoder.retry_ms()),
            (Some("7"), Some(50))
        );
    }

    #[test]
    fn an_event_over_the_limit_is_refused() {
        let mut decoder = SseDecoder::new(8);
        assert_eq!(
            decoder.push(b"data: 1234"),
            Err(EventTooLarge { max_bytes: 8 })
        );
    }

    proptest! {
        #[test]
        fn cuts_between_chunks_change_nothing(
            lines in proptest::collection::vec("(data: ?|id: |: |)[^\r\n]{0,12}", 0..12),
            ends in proptest::collection::vec(prop_oneof![Just("\n"), Just("\r"), Just("\r\n")], 12),
            cut_every in 1_usize..9,
        ) {
            let stream: String =
                lines.iter().zip(&ends).flat_map(|(line, end)| [line.as_str(), end]).collect();
            let whole = decode(&[stream.as_bytes()]);
            let cut: Vec<&[u8]> = stream.as_bytes().chunks(cut_every).collect();
            prop_assert_eq!(decode(&cut), whole);
        }
    }
}
