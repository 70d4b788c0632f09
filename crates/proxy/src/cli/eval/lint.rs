//! The tools' descriptions instead of questions.

use catalog::Vectors;
use eval::Lint;
use indicatif::ProgressBar;

use super::{Args, side};
use crate::cli::{meanings, output};

/// Checks and prints. Whether nothing is wrong.
pub(super) fn passes(args: &Args) -> anyhow::Result<bool> {
    let tools = side::list(&args.source, args)?;
    let vectors = meanings::vectors(&args.search_settings, &args.upstream_settings)?;
    let Vectors::Here(embedder) = vectors else {
        anyhow::bail!("--lint searches with a model in this process: leave out --embedder openai")
    };
    // Draws on a terminal only.
    let progress = ProgressBar::new(tools.len() as u64);
    let lint = Lint::new(embedder, tools, || progress.inc(1));
    progress.finish_and_clear();
    let text = if args.json {
        serde_json::to_string_pretty(&lint)? + "\n"
    } else {
        lint.table().to_string()
    };
    output::print(&text)?;
    Ok(lint.findings.is_empty())
}
