//! The methods that are served, and in which era.

use wire::Era;

use super::shape::CacheHints;

/// A JSON-RPC method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Method {
    /// `initialize`, the legacy handshake.
    Initialize,
    /// `ping`, legacy.
    Ping,
    /// `server/discover`, modern.
    Discover,
    /// `tools/list`.
    ToolsList,
    /// `tools/call`.
    ToolsCall,
    /// One that the upstream answers.
    PassThrough(PassThrough),
    /// Any other, `subscriptions/listen` among them: nothing here changes while a client listens.
    Unknown,
}

/// A method of the upstream that passes through untouched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PassThrough {
    /// `prompts/list`.
    PromptsList,
    /// `prompts/get`.
    PromptsGet,
    /// `resources/list`.
    ResourcesList,
    /// `resources/templates/list`.
    ResourceTemplatesList,
    /// `resources/read`.
    ResourcesRead,
    /// `completion/complete`.
    Complete,
}

/// What of the upstream can be declared and passed through beside tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capability {
    /// Templates of messages.
    Prompts,
    /// Files and the like.
    Resources,
    /// Completion of arguments of both.
    Completions,
}

impl Method {
    /// The method called `name`.
    pub(crate) fn parse(name: &str) -> Self {
        KNOWN
            .into_iter()
            .find(|method| method.name() == name)
            .unwrap_or(Self::Unknown)
    }

    /// Its name on the wire, in logs and in metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Ping => "ping",
            Self::Discover => "server/discover",
            Self::ToolsList => "tools/list",
            Self::ToolsCall => "tools/call",
            Self::PassThrough(method) => method.name(),
            Self::Unknown => "unknown",
        }
    }

    /// Whether requests of `era` may use it.
    pub(crate) const fn exists_in(self, era: Era) -> bool {
        match self {
            Self::Initialize | Self::Ping => matches!(era, Era::Legacy),
            Self::Discover => matches!(era, Era::Modern),
            Self::ToolsList | Self::ToolsCall | Self::PassThrough(_) => true,
            Self::Unknown => false,
        }
    }

    /// The member of `params` that `Mcp-Name` repeats (2026-07-28, streamable HTTP).
    pub(crate) const fn name_member(self) -> Option<&'static str> {
        match self {
            Self::ToolsCall | Self::PassThrough(PassThrough::PromptsGet) => Some("name"),
            Self::PassThrough(PassThrough::ResourcesRead) => Some("uri"),
            _ => None,
        }
    }
}

impl PassThrough {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::PromptsList => "prompts/list",
            Self::PromptsGet => "prompts/get",
            Self::ResourcesList => "resources/list",
            Self::ResourceTemplatesList => "resources/templates/list",
            Self::ResourcesRead => "resources/read",
            Self::Complete => "completion/complete",
        }
    }

    /// What the upstream must have declared.
    pub(crate) const fn capability(self) -> Capability {
        match self {
            Self::PromptsList | Self::PromptsGet => Capability::Prompts,
            Self::ResourcesList | Self::ResourceTemplatesList | Self::ResourcesRead => {
                Capability::Resources
            }
            Self::Complete => Capability::Completions,
        }
    }

    /// Whether modern results say how long they may be kept.
    pub(super) const fn cache_hints(self) -> CacheHints {
        match self {
            Self::PromptsGet | Self::Complete => CacheHints::Absent,
            _ => CacheHints::Required,
        }
    }
}

impl Capability {
    pub(crate) const ALL: [Self; 3] = [Self::Prompts, Self::Resources, Self::Completions];

    /// Its member of `capabilities`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Completions => "completions",
        }
    }
}

const KNOWN: [Method; 11] = [
    Method::Initialize,
    Method::Ping,
    Method::Discover,
    Method::ToolsList,
    Method::ToolsCall,
    Method::PassThrough(PassThrough::PromptsList),
    Method::PassThrough(PassThrough::PromptsGet),
    Method::PassThrough(PassThrough::ResourcesList),
    Method::PassThrough(PassThrough::ResourceTemplatesList),
    Method::PassThrough(PassThrough::ResourcesRead),
    Method::PassThrough(PassThrough::Complete),
];
