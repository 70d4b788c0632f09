//! What a run is compared with.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use url::Url;

use crate::cli::values::{self, EmbedderChoice, InvalidUrl};

/// A value of `--compare`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Other {
    /// A saved report.
    Report(PathBuf),
    /// A run that differs in one thing.
    Changed(Change),
}

/// What else to search, or with what.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// The same tools, searched with this.
    Embedder(EmbedderChoice),
    /// Other tools, from a file or folder.
    Tools(PathBuf),
    /// Other tools, from a server that lists them.
    Upstream(Url),
    /// A running proxy.
    Through(Url),
}

/// A value that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidOther {
    /// An embedder that nobody knows.
    #[error("no embedder is called `{0}`: see --embedder")]
    Embedder(String),
    /// What isn't a URL.
    #[error(transparent)]
    Url(#[from] InvalidUrl),
}

impl FromStr for Other {
    type Err = InvalidOther;

    /// What doesn't begin with one of the four settings is a report's path.
    fn from_str(text: &str) -> Result<Self, InvalidOther> {
        let change = match text.split_once('=') {
            Some(("embedder", name)) => {
                let choice = EmbedderChoice::from_str(name, false)
                    .map_err(|_unknown| InvalidOther::Embedder(name.to_owned()))?;
                Change::Embedder(choice)
            }
            Some(("tools", path)) => Change::Tools(path.into()),
            Some(("upstream", address)) => Change::Upstream(values::url(address)?),
            Some(("through", address)) => Change::Through(values::url(address)?),
            _ => return Ok(Self::Report(text.into())),
        };
        Ok(Self::Changed(change))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &Result<Other, InvalidOther>) {
        assert_eq!(&text.parse(), expected, "{text}");
    }

    #[test]
    fn a_setting_is_searched_with_and_all_else_is_a_report() {
        let url = Url::parse("http://127.0.0.1:1/mcp?a=b").unwrap();
        let change = |text: &str, expected| check(text, &Ok(Other::Changed(expected)));
        change("embedder=none", Change::Embedder(EmbedderChoice::None));
        change("tools=a=b.json", Change::Tools("a=b.json".into()));
        change(&format!("upstream={url}"), Change::Upstream(url.clone()));
        change(&format!("through={url}"), Change::Through(url));
        for path in ["old.json", "./tools=a", "total=5"] {
            check(path, &Ok(Other::Report(path.into())));
        }
    }

    #[test]
    fn a_setting_that_does_not_fit_says_so() {
        let unknown = InvalidOther::Embedder("bulitin".to_owned());
        check("embedder=bulitin", &Err(unknown));
        check(
            "upstream=gateway",
            &Err(InvalidOther::Url(InvalidUrl::Form)),
        );
        check("through=", &Err(InvalidOther::Url(InvalidUrl::Form)));
    }
}
