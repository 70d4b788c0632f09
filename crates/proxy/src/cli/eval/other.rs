//! What a run is compared with.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use ranking::Embedder;
use url::Url;

use crate::cli::values::{self, EmbedderChoice};

/// A value of `--compare`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Other {
    /// A saved report.
    Report(PathBuf),
    /// The same tools, searched with this.
    Embedder(Embedder),
    /// Other tools, from a file or folder.
    Tools(PathBuf),
    /// Other tools, from a server that lists them.
    Upstream(Url),
    /// A running proxy.
    Through(Url),
}

impl FromStr for Other {
    type Err = String;

    /// What doesn't begin with one of the four settings is a report's path.
    fn from_str(text: &str) -> Result<Self, String> {
        let url = |url| values::url(url).map_err(|invalid| invalid.to_string());
        Ok(match text.split_once('=') {
            Some(("embedder", name)) => {
                let choice = EmbedderChoice::from_str(name, false).map_err(|_unknown| {
                    format!("no embedder is called `{name}`: see --embedder")
                })?;
                Self::Embedder(choice.into())
            }
            Some(("tools", path)) => Self::Tools(path.into()),
            Some(("upstream", address)) => Self::Upstream(url(address)?),
            Some(("through", address)) => Self::Through(url(address)?),
            _ => Self::Report(text.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<Other, &str>) {
        assert_eq!(text.parse(), expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn a_setting_is_searched_with_and_all_else_is_a_report() {
        let url = Url::parse("http://127.0.0.1:1/mcp?a=b").unwrap();
        check("embedder=none", Ok(Other::Embedder(Embedder::None)));
        check("tools=a=b.json", Ok(Other::Tools("a=b.json".into())));
        check(&format!("upstream={url}"), Ok(Other::Upstream(url.clone())));
        check(&format!("through={url}"), Ok(Other::Through(url)));
        check("old.json", Ok(Other::Report("old.json".into())));
        check("./tools=a", Ok(Other::Report("./tools=a".into())));
        check("total=5", Ok(Other::Report("total=5".into())));
    }

    #[test]
    fn a_setting_that_does_not_fit_says_so() {
        check(
            "embedder=bulitin",
            Err("no embedder is called `bulitin`: see --embedder"),
        );
        let invalid = values::InvalidUrl.to_string();
        check("upstream=gateway", Err(&invalid));
        check("through=", Err(&invalid));
    }
}
