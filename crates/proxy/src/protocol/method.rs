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
    /// The method called `name`. `subscriptions/listen` isn't among them: nothing here changes while
    /// a client listens.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let named = NAMES.iter().find(|(known, _)| *known == name);
        named.map(|(_, method)| *method)
    }

    /// Its name on the wire, in logs and in metrics.
    pub(crate) fn name(self) -> &'static str {
        let named = NAMES.iter().find(|(_, method)| *method == self);
        named.map_or("", |(name, _)| name)
    }

    /// Whether requests of `era` may use it.
    pub(crate) const fn exists_in(self, era: Era) -> bool {
        match self {
            Self::Initialize | Self::Ping => matches!(era, Era::Legacy),
            Self::Discover => matches!(era, Era::Modern),
            Self::ToolsList | Self::ToolsCall | Self::PassThrough(_) => true,
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
    pub(crate) fn name(self) -> &'static str {
        Method::PassThrough(self).name()
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

/// Every method that is served. One that is missing here would never be constructed, which the
/// compiler says.
const NAMES: [(&str, Method); 11] = [
    ("initialize", Method::Initialize),
    ("ping", Method::Ping),
    ("server/discover", Method::Discover),
    ("tools/list", Method::ToolsList),
    ("tools/call", Method::ToolsCall),
    ("prompts/list", pass(PassThrough::PromptsList)),
    ("prompts/get", pass(PassThrough::PromptsGet)),
    ("resources/list", pass(PassThrough::ResourcesList)),
    (
        "resources/templates/list",
        pass(PassThrough::ResourceTemplatesList),
    ),
    ("resources/read", pass(PassThrough::ResourcesRead)),
    ("completion/complete", pass(PassThrough::Complete)),
];

const fn pass(method: PassThrough) -> Method {
    Method::PassThrough(method)
}
