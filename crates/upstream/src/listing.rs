//! Listing all tools, page by page.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use wire::{Era, RawObject, code};

use crate::Upstream;
use crate::credential::Caller;
use crate::error::UpstreamError;
use crate::page::Page;
use crate::refusal::Refusal;
use crate::request::Forward;
use crate::terms::{DISCOVER, Terms};

/// What the upstream says of itself to one caller.
///
/// A modern upstream is asked anew for each listing. A legacy one says it once a session: new
/// instructions arrive with the next session, which begins when the upstream restarts or the
/// caller has been idle for an hour.
#[derive(Debug, Clone)]
pub struct Handshake {
    /// How it was asked; its tools are read by that era's rules.
    pub era: Era,
    /// Its instructions, unchanged.
    pub instructions: Option<String>,
    /// Its `capabilities` object, raw.
    pub capabilities: Option<Box<RawValue>>,
}

/// Everything one caller may see, listed once.
#[derive(Debug)]
pub struct Listing {
    /// From the same exchange.
    pub handshake: Handshake,
    /// The entries of all pages in order, raw; not yet known to be tools. Empty, too, if the
    /// upstream declares no tools and answers `tools/list` with "method not found", as servers of
    /// nothing but prompts or resources do.
    pub tools: Vec<Box<RawValue>>,
    /// How many pages were read.
    pub pages: usize,
    /// Their size together.
    pub bytes: usize,
    /// The upstream's own `ttlMs`, the shortest of the pages.
    pub ttl: Option<Duration>,
    /// Why the listing stopped before its end though what was read can be used (a cursor that
    /// repeats, field case 29).
    pub cut_short: Option<&'static str>,
    /// How long it took.
    pub took: Duration,
}

/// Why a listing didn't come to its end.
enum Interruption {
    Failed(UpstreamError),
    /// This question was refused so; it may be for new terms.
    Refused(&'static str, Refusal),
    /// So was `tools/list`, by an upstream that declares no tools: on the same terms the listing is
    /// this empty one.
    Toolless(Refusal, Box<Listing>),
}

impl Upstream {
    /// Lists anew from the start, once, where terms change on the way: a cursor belongs to the
    /// session that gave it.
    pub(crate) async fn list_all(&self, caller: &Caller) -> Result<Listing, UpstreamError> {
        let terms = self.terms(caller).await?;
        let interruption = match self.list_on(caller, &terms).await {
            Ok(listing) => return Ok(listing),
            Err(interruption) => interruption,
        };
        let renewed = match interruption.refusal() {
            Some((method, refusal)) => {
                let question = Forward::question(method, Vec::new());
                self.renewed(caller, &terms, refusal, &question).await?
            }
            None => None,
        };
        match renewed {
            Some(terms) => {
                let listed = self.list_on(caller, &terms).await;
                listed.or_else(Interruption::settled)
            }
            None => interruption.settled(),
        }
    }

    /// Asks for the tools whatever the upstream declares: there are servers that have some and
    /// declare none.
    async fn list_on(&self, caller: &Caller, terms: &Terms) -> Result<Listing, Interruption> {
        let begun = Instant::now();
        let mut listing = Listing {
            handshake: self.handshake(caller, terms).await?,
            tools: Vec::new(),
            pages: 0,
            bytes: 0,
            ttl: None,
            cut_short: None,
            took: Duration::ZERO,
        };
        let mut cursor = None;
        let mut seen = HashSet::new();
        loop {
            let page = self
                .page(caller, terms, cursor.as_deref(), &mut listing)
                .await;
            let page = match page {
                Err(Interruption::Refused(_, refusal)) if listing.has_no_tools(&refusal) => {
                    listing.took = begun.elapsed();
                    return Err(Interruption::Toolless(refusal, Box::new(listing)));
                }
                page => page?,
            };
            listing.tools.extend(page.tools);
            listing.ttl = shorter(listing.ttl, page.ttl);
            let Some(next) = page.next else { break };
            if !seen.insert(next.get().to_owned()) {
                listing.cut_short = Some("the upstream's cursors repeat");
            } else if listing.pages == MAX_PAGES {
                listing.cut_short = Some("the upstream has more than 1000 pages");
            }
            if listing.cut_short.is_some() {
                drop_doubles(&mut listing.tools);
                break;
            }
            cursor = Some(next);
        }
        listing.took = begun.elapsed();
        Ok(listing)
    }

    async fn handshake(&self, caller: &Caller, terms: &Terms) -> Result<Handshake, Interruption> {
        match terms {
            Terms::Legacy(_, session) => Ok(session.handshake.clone()),
            Terms::Modern(_, Some(handshake)) => Ok(handshake.clone()),
            Terms::Modern(..) => {
                let question = Forward::question(DISCOVER, Vec::new());
                let max_bytes = self.config.max_listing_bytes;
                let answer = self.ask(caller, terms, &question, max_bytes).await?;
                let result = answer
                    .content
                    .map_err(|refusal| Interruption::Refused(DISCOVER, refusal))?;
                let members = RawObject::read(&result).ok_or_else(|| {
                    UpstreamError::malformed("the result of `server/discover` is no object")
                })?;
                Ok(Handshake::read(&members, Era::Modern))
            }
        }
    }

    async fn page(
        &self,
        caller: &Caller,
        terms: &Terms,
        cursor: Option<&RawValue>,
        listing: &mut Listing,
    ) -> Result<Page, Interruption> {
        let params = cursor.map(|cursor| ("cursor", cursor));
        let question = Forward::question(LIST, params.into_iter().collect());
        let max_bytes = self.config.max_listing_bytes;
        let answer = self
            .ask(caller, terms, &question, max_bytes - listing.bytes)
            .await
            .map_err(|error| of_whole_listing(error, max_bytes))?;
        let result = answer
            .content
            .map_err(|refusal| Interruption::Refused(LIST, refusal))?;
        listing.pages += 1;
        listing.bytes = listing.bytes.saturating_add(answer.bytes).min(max_bytes);
        Page::read(&result).map_err(Interruption::Failed)
    }
}

impl Listing {
    /// Whether `refusal` of its first page and the handshake agree that there are no tools.
    fn has_no_tools(&self, refusal: &Refusal) -> bool {
        self.pages == 0
            && !self.handshake.may_offer_tools()
            && refusal.code() == Some(code::METHOD_NOT_FOUND)
    }
}

/// A legacy server that says nothing of itself.
impl Default for Handshake {
    fn default() -> Self {
        Self {
            era: Era::Legacy,
            instructions: None,
            capabilities: None,
        }
    }
}

impl Handshake {
    /// Reads the members that both eras' first results share.
    pub(crate) fn read(result: &RawObject<'_>, era: Era) -> Self {
        Self {
            era,
            instructions: result.get_str("instructions").map(Into::into),
            capabilities: result
                .get("capabilities")
                .filter(|capabilities| capabilities.get().starts_with('{'))
                .map(ToOwned::to_owned),
        }
    }

    /// Only capabilities that are told and don't name tools deny them.
    fn may_offer_tools(&self) -> bool {
        self.capabilities
            .as_deref()
            .and_then(RawObject::read)
            .is_none_or(|capabilities| capabilities.get("tools").is_some())
    }
}

impl Interruption {
    /// What was refused and how, which may be for new terms.
    fn refusal(&self) -> Option<(&'static str, &Refusal)> {
        match self {
            Self::Failed(_) => None,
            Self::Refused(method, refusal) => Some((method, refusal)),
            Self::Toolless(refusal, _) => Some((LIST, refusal)),
        }
    }

    /// What comes of it when terms don't change.
    fn settled(self) -> Result<Listing, UpstreamError> {
        match self {
            Self::Failed(error) => Err(error),
            Self::Refused(method, refusal) => Err(refusal.into_error(method)),
            Self::Toolless(_, listing) => Ok(*listing),
        }
    }
}

impl From<UpstreamError> for Interruption {
    fn from(error: UpstreamError) -> Self {
        Self::Failed(error)
    }
}

/// A page that is too large for what is left makes the listing too large.
fn of_whole_listing(error: UpstreamError, max_bytes: usize) -> UpstreamError {
    match error {
        UpstreamError::TooLarge { announced, .. } => UpstreamError::TooLarge {
            max_bytes,
            announced,
        },
        other => other,
    }
}

fn shorter(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Keeps the first of tools that are equal byte by byte: pages that came twice.
fn drop_doubles(tools: &mut Vec<Box<RawValue>>) {
    let mut seen = HashSet::new();
    tools.retain(|tool| seen.insert(tool.get().to_owned()));
}

pub(crate) const LIST: &str = "tools/list";
const MAX_PAGES: usize = 1_000;
