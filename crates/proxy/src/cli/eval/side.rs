//! What answers the questions.

use anyhow::{Context, bail, ensure};
use catalog::{Vectors, read_dump};
use eval::{Question, Run, add_distractors, index};
use indicatif::ProgressBar;
use ranking::VectorCache;
use serde_json::value::RawValue;
use url::Url;
use wire::RawObject;

use super::Args;
use super::other::Change;
use super::running::RunningProxy;
use crate::cli::meanings;
use crate::cli::source::Source;
use crate::tools::MetaTool;

/// Whom to ask.
pub(super) enum Side {
    /// These tools, searched here.
    Here {
        /// As they were listed.
        tools: Vec<Box<RawValue>>,
        /// What tells their meaning.
        vectors: Vectors,
    },
    /// Somebody else.
    Proxy(Box<RunningProxy>),
}

impl Side {
    /// What the flags say.
    pub(super) fn of(args: &Args) -> anyhow::Result<Self> {
        match &args.through.0 {
            Some(url) => Self::through(url, args),
            None => Self::over(&args.source, args),
        }
    }

    /// The same but for one thing.
    pub(super) fn changed(&self, change: &Change, args: &Args) -> anyhow::Result<Self> {
        match (change, self) {
            (Change::Embedder(embedder), Self::Here { tools, .. }) => Ok(Self::Here {
                tools: tools.clone(),
                vectors: meanings::vectors_by(
                    *embedder,
                    &args.search_settings,
                    &args.upstream_settings,
                )?,
            }),
            (Change::Embedder(_), Self::Proxy(_)) => {
                bail!(
                    "--compare embedder= searches here, and a running proxy has its own tools: \
                       give --upstream, --tools or --demo instead of --through"
                )
            }
            (Change::Tools(path), _) => Self::over(&Source::File(path.clone()), args),
            (Change::Upstream(url), _) => Self::over(&Source::Server(url.clone()), args),
            (Change::Through(url), _) => Self::through(url, args),
        }
    }

    /// Asks it all the questions.
    pub(super) fn run(self, questions: &[Question]) -> anyhow::Result<Run> {
        // Draws on a terminal only.
        let progress = ProgressBar::new(questions.len() as u64);
        let asked = || progress.inc(1);
        let run = match self {
            Self::Here { tools, vectors } => {
                let cache = VectorCache::new(vectors.embedder());
                let catalog = index(tools, &cache);
                let queries: Vec<&str> = questions.iter().map(|asked| &*asked.query).collect();
                let made = meanings::made(&vectors, &cache, &queries)?;
                Run::new(&catalog, questions, &made, asked)
            }
            Self::Proxy(proxy) => proxy.run(questions, asked)?,
        };
        progress.finish_and_clear();
        Ok(run)
    }

    fn over(source: &Source, args: &Args) -> anyhow::Result<Self> {
        let mut tools = list(source, args)?;
        if let (Some(path), Some(total)) = (&args.distractors, args.total) {
            add_distractors(&mut tools, read_dump(path)?, total).context("--total")?;
        }
        Ok(Self::Here {
            tools,
            vectors: meanings::vectors(&args.search_settings, &args.upstream_settings)?,
        })
    }

    fn through(url: &Url, args: &Args) -> anyhow::Result<Self> {
        let proxy = RunningProxy::new(url.clone(), &args.upstream_settings)?;
        Ok(Self::Proxy(Box::new(proxy)))
    }
}

/// The tools of `source`.
pub(super) fn list(source: &Source, args: &Args) -> anyhow::Result<Vec<Box<RawValue>>> {
    let tools = source.list(&args.upstream_settings)?;
    ensure!(
        !is_proxy(&tools),
        "these are the tools of a mcp-toolsearch-proxy: ask it with --through URL, or name the \
         upstream behind it"
    );
    Ok(tools)
}

/// Whether these are the five.
fn is_proxy(tools: &[Box<RawValue>]) -> bool {
    let is_listed = |name: &str| {
        let mut objects = tools.iter().filter_map(|tool| RawObject::read(tool));
        objects.any(|tool| tool.get_str("name").as_deref() == Some(name))
    };
    MetaTool::ALL.iter().all(|tool| is_listed(tool.name()))
}
