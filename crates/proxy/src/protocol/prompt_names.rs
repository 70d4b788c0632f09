//! The names of the upstream's prompts, which win over templates.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde_json::value::RawValue;
use upstream::{CallerKey, Effect, Forward, Reply};
use wire::{ErrorView, RawObject, code, to_raw};

use super::exchange::Unavailable;
use super::lifecycle;
use super::method::{Capability, PassThrough};
use super::report::Report;
use super::{Incoming, Protocol};

/// Names that were listed, for as long as their caller's list of tools isn't renewed.
#[derive(Debug, Default)]
pub(crate) struct PromptNames(Mutex<Kept>);

/// What is read of one page of `prompts/list`.
#[derive(Debug)]
pub(super) struct Page {
    names: Vec<String>,
    next_cursor: Option<String>,
}

type Names = Arc<HashSet<String>>;

/// What is known of a caller's prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    /// All of their names.
    Names(Names),
    /// That there are more pages than are read.
    TooManyPages,
}

#[derive(Debug, Default)]
struct Kept {
    callers: HashMap<CallerKey, Listed>,
    bytes: usize,
}

#[derive(Debug)]
struct Listed {
    /// When the list of tools was made beside which it is kept.
    tools_at: SystemTime,
    known: Known,
}

impl Protocol {
    /// The names of all prompts that the upstream has for this caller. `first` is the first page, if
    /// it was just listed.
    pub(super) async fn prompt_names(
        &self,
        incoming: Incoming<'_>,
        first: Option<Page>,
        report: &mut Report,
    ) -> Result<Names, Unavailable> {
        if !self.may_have_prompts(incoming) {
            return Ok(Names::default());
        }
        let key = incoming.caller.key;
        let tools_at = self.catalogs.peek(&key).map(|view| view.built_at);
        let may_go_on = first
            .as_ref()
            .is_none_or(|first| first.next_cursor.is_some());
        match tools_at.and_then(|at| self.prompt_names.get(key, at)) {
            Some(Known::Names(names))
                if first.as_ref().is_none_or(|first| first.begins(&names)) =>
            {
                return Ok(names);
            }
            Some(Known::TooManyPages) if may_go_on => {
                return Err(Unavailable::unusable(TOO_MANY_PAGES, report));
            }
            _ => {}
        }
        let mut page = match first {
            Some(first) => first,
            None => self.prompts_page(incoming, None, report).await?,
        };
        let mut names = HashSet::new();
        let mut pages = 1;
        loop {
            names.extend(page.names);
            let Some(cursor) = page.next_cursor else {
                break;
            };
            if pages == MAX_PAGES {
                if let Some(tools_at) = tools_at {
                    self.prompt_names.put(key, tools_at, Known::TooManyPages);
                }
                return Err(Unavailable::unusable(TOO_MANY_PAGES, report));
            }
            page = self.prompts_page(incoming, Some(&cursor), report).await?;
            pages += 1;
        }
        let names = Arc::new(names);
        if let Some(tools_at) = tools_at {
            let known = Known::Names(Arc::clone(&names));
            self.prompt_names.put(key, tools_at, known);
        }
        Ok(names)
    }

    /// Whether asking the upstream for prompts may bring any: it declared them, or hasn't been asked
    /// for this caller yet.
    pub(super) fn may_have_prompts(&self, incoming: Incoming<'_>) -> bool {
        self.catalogs
            .peek(&incoming.caller.key)
            .is_none_or(|view| lifecycle::offers(view.catalog.handshake(), Capability::Prompts))
    }

    /// A page of the upstream's prompts; empty where it knows no prompts at all.
    async fn prompts_page(
        &self,
        incoming: Incoming<'_>,
        cursor: Option<&str>,
        report: &mut Report,
    ) -> Result<Page, Unavailable> {
        let cursor = cursor.map(to_raw);
        let forward = Forward {
            method: PassThrough::PromptsList.name(),
            params: cursor.iter().map(|cursor| ("cursor", &**cursor)).collect(),
            meta: None,
            name: None,
            param_headers: Vec::new(),
            effect: Effect::Read,
        };
        match self.exchange(incoming, forward, report).await? {
            Reply::Result { result, .. } => {
                Page::read(&result).ok_or_else(|| Unavailable::unusable(NOT_PROMPTS, report))
            }
            Reply::Error(error) if is_unknown_method(&error) => Ok(Page::empty()),
            Reply::Error(error) => {
                let code = ErrorView::read(&error).code;
                report.failure = Some(format!("prompts/list is refused with {code}"));
                Err(Unavailable::Refused(error))
            }
        }
    }
}

impl PromptNames {
    /// What became known beside the list of tools of that time.
    fn get(&self, key: CallerKey, tools_at: SystemTime) -> Option<Known> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = kept.callers.get(&key)?;
        (listed.tools_at == tools_at).then(|| listed.known.clone())
    }

    fn put(&self, key: CallerKey, tools_at: SystemTime, known: Known) {
        let bytes = known.size();
        if bytes > MAX_BYTES {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes > MAX_BYTES {
            // Listing them again costs little, and most are of lists that are gone.
            *kept = Kept::default();
        }
        let before = kept.callers.insert(key, Listed { tools_at, known });
        kept.bytes += bytes;
        kept.bytes -= before.map_or(0, |before| before.known.size());
    }
}

impl Known {
    /// In bytes, with what a map takes for each.
    fn size(&self) -> usize {
        let texts = match self {
            Self::Names(names) => names.iter().map(|name| name.len() + NAME_BYTES).sum(),
            Self::TooManyPages => 0,
        };
        CALLER_BYTES + texts
    }
}

impl Page {
    /// None if its `prompts` is no array.
    pub(super) fn read(result: &RawValue) -> Option<Self> {
        let object = RawObject::read(result)?;
        let prompts: Vec<&RawValue> = serde_json::from_str(object.get("prompts")?.get()).ok()?;
        let name =
            |prompt: &&RawValue| Some(RawObject::read(prompt)?.get_str("name")?.into_owned());
        Some(Self {
            names: prompts.iter().filter_map(name).collect(),
            next_cursor: object.get_str("nextCursor").map(Cow::into_owned),
        })
    }

    const fn empty() -> Self {
        Self {
            names: Vec::new(),
            next_cursor: None,
        }
    }

    /// Whether it can be the first of the pages that have these names. One that is the only page
    /// tells them itself.
    fn begins(&self, names: &HashSet<String>) -> bool {
        self.next_cursor.is_some() && self.names.iter().all(|name| names.contains(name))
    }
}

/// Whether the upstream knows no prompts at all.
pub(super) fn is_unknown_method(error: &RawValue) -> bool {
    ErrorView::read(error).code == code::METHOD_NOT_FOUND
}

/// How many pages are read for their names.
const MAX_PAGES: usize = 20;
const TOO_MANY_PAGES: &str = "the upstream's prompts have more than 20 pages, so none of the \
                              operator's templates can be told from them";
pub(super) const NOT_PROMPTS: &str = "the upstream's `prompts` is no array, so none of the operator's \
                           templates can be told from them";
const MAX_BYTES: usize = 4 << 20;
const NAME_BYTES: usize = 48;
const CALLER_BYTES: usize = 256;

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use upstream::{Authorization, CallerKeys};

    use super::*;

    fn key(token: &str) -> CallerKey {
        let value = HeaderValue::from_str(token).unwrap();
        let authorization = Authorization::parse(std::iter::once(&value)).unwrap();
        CallerKeys::new([7; 32]).caller(authorization).key
    }

    fn names(texts: &[&str]) -> Known {
        let names = texts.iter().map(|text| (*text).to_owned());
        Known::Names(Arc::new(names.collect()))
    }

    #[test]
    fn names_are_kept_beside_one_list_of_tools() {
        let (alice, bob) = (key("alice"), key("bob"));
        let first = SystemTime::UNIX_EPOCH;
        let second = SystemTime::now();
        let kept = PromptNames::default();
        kept.put(alice, first, names(&["a"]));
        assert_eq!(kept.get(alice, first), Some(names(&["a"])));
        assert_eq!(kept.get(alice, second), None);
        assert_eq!(kept.get(bob, first), None);
        kept.put(alice, second, names(&["b"]));
        assert_eq!(kept.get(alice, second), Some(names(&["b"])));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let at = SystemTime::UNIX_EPOCH;
        let kept = PromptNames::default();
        let long = names(&[&"x".repeat(MAX_BYTES / 3)]);
        for number in 0..50 {
            kept.put(key(&number.to_string()), at, long.clone());
            let kept = kept.0.lock().unwrap();
            let held: usize = kept
                .callers
                .values()
                .map(|listed| listed.known.size())
                .sum();
            assert_eq!(held, kept.bytes);
            assert!(held <= MAX_BYTES && !kept.callers.is_empty(), "{held}");
        }
        let longer = names(&[&"x".repeat(MAX_BYTES)]);
        kept.put(key("other"), at, longer);
        assert_eq!(kept.get(key("other"), at), None);
    }

    #[test]
    fn a_page_without_an_array_of_prompts_is_none() {
        for (text, expected) in [
            (r#"{"prompts":[]}"#, Some((vec![], None))),
            (
                r#"{"prompts":[{"name":"a"},7,{"name":8},{"name":"b"}],"nextCursor":"c"}"#,
                Some((vec!["a", "b"], Some("c"))),
            ),
            ("{}", None),
            (r#"{"prompts":null}"#, None),
            (r#"{"prompts":{"name":"a"}}"#, None),
            ("[]", None),
        ] {
            let result = RawValue::from_string(text.to_owned()).unwrap();
            let page = Page::read(&result);
            let read = page.as_ref().map(|page| {
                let names = page.names.iter().map(String::as_str).collect();
                (names, page.next_cursor.as_deref())
            });
            assert_eq!(read, expected, "{text}");
        }
    }
}
