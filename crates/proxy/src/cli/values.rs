//! Values of settings that aren't plain numbers or paths.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use upstream::EraChoice;
use url::{Host, Url};
use wire::Era;

use crate::http::ANY_HOST;

/// A number of bytes, spelt as `512KiB`, `10MiB`, `1GiB` or a plain number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByteSize(pub(crate) usize);

/// A size that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a size is a number above zero with KiB, MiB, GiB or nothing after it, such as 10MiB")]
pub(crate) struct InvalidSize;

/// A duration that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a time is a number above zero with a unit, such as 500ms, 30s or 10m, up to 365d")]
pub(crate) struct InvalidDuration;

/// A count that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a count is a whole number above zero")]
pub(crate) struct InvalidCount;

/// A number of dimensions that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a vector has 1 to {MAX_DIMENSIONS} dimensions")]
pub(crate) struct InvalidDimensions;

/// An address that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an address is an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080")]
pub(crate) struct InvalidAddress;

/// A URL that can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidUrl {
    /// It is none, or of another protocol.
    #[error("a URL begins with http:// or https:// and a host, such as https://example.com/mcp")]
    Form,
    /// It says more than where a resource is.
    #[error("it must have neither a query nor a fragment")]
    NotBare,
}

/// A host that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a host is a name or an address without scheme and port, such as tools.example.com, or *")]
pub(crate) struct InvalidHost;

/// An origin that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an origin is a scheme and a host, such as https://app.example.com")]
pub(crate) struct InvalidOrigin;

/// `--oauth-metadata`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OauthMode {
    /// Put the public URL in, where one is set.
    Rewrite,
    /// Hand everything on as it came.
    Passthrough,
    /// Serve no metadata document.
    Off,
}

/// `--upstream-era`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpstreamEra {
    /// Ask.
    Auto,
    /// 2024-11-05 to 2025-11-25.
    Legacy,
    /// 2026-07-28.
    Modern,
}

/// `--embedder`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmbedderChoice {
    /// The model that is compiled in.
    Builtin,
    /// A service that speaks OpenAI's API.
    Openai,
    /// Search by words alone.
    None,
}

/// `--log-level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// `--log-format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For machines, one object a line.
    Json,
}

/// The word that stands for `value` on the command line.
pub(crate) fn word(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

impl From<EraChoice> for UpstreamEra {
    fn from(choice: EraChoice) -> Self {
        match choice {
            EraChoice::Auto => Self::Auto,
            EraChoice::Fixed(Era::Legacy) => Self::Legacy,
            EraChoice::Fixed(Era::Modern) => Self::Modern,
        }
    }
}

impl From<UpstreamEra> for EraChoice {
    fn from(era: UpstreamEra) -> Self {
        match era {
            UpstreamEra::Auto => Self::Auto,
            UpstreamEra::Legacy => Self::Fixed(Era::Legacy),
            UpstreamEra::Modern => Self::Fixed(Era::Modern),
        }
    }
}

impl FromStr for ByteSize {
    type Err = InvalidSize;

    fn from_str(text: &str) -> Result<Self, InvalidSize> {
        let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let unit = text.strip_prefix(digits).map_or("", str::trim_start);
        let factor = UNITS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(unit))
            .map(|(_, factor)| *factor);
        let number: usize = digits.parse().ok().ok_or(InvalidSize)?;
        factor
            .and_then(|factor| number.checked_mul(factor))
            .filter(|bytes| *bytes > 0)
            .map(Self)
            .ok_or(InvalidSize)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, factor) = UNITS
            .into_iter()
            .rev()
            .find(|(_, factor)| self.0.is_multiple_of(*factor))
            .unwrap_or(("B", 1));
        write!(f, "{}{name}", self.0 / factor)
    }
}

/// A duration above zero, short enough to be added to any time of day.
pub(crate) fn duration(text: &str) -> Result<Duration, InvalidDuration> {
    humantime::parse_duration(text)
        .ok()
        .filter(|duration| !duration.is_zero() && *duration <= MAX_DURATION)
        .ok_or(InvalidDuration)
}

/// An IP address with its port.
pub(crate) fn address(text: &str) -> Result<SocketAddr, InvalidAddress> {
    text.parse().ok().ok_or(InvalidAddress)
}

/// A URL of HTTP.
pub(crate) fn url(text: &str) -> Result<Url, InvalidUrl> {
    let url = Url::parse(text).ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or(InvalidUrl::Form)
}

/// The URL of a resource.
pub(crate) fn public_url(text: &str) -> Result<Url, InvalidUrl> {
    let url = url(text)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(InvalidUrl::NotBare);
    }
    Ok(url)
}

/// A host name as requests bring it, or any.
pub(crate) fn host(text: &str) -> Result<String, InvalidHost> {
    if text == ANY_HOST {
        return Ok(text.to_owned());
    }
    Host::parse(text)
        .map(|host| host.to_string())
        .map_err(|_invalid| InvalidHost)
}

/// An origin in the serialisation that browsers send.
pub(crate) fn origin(text: &str) -> Result<String, InvalidOrigin> {
    let url = Url::parse(text).ok().filter(|url| {
        url.has_host() && url.path() == "/" && url.query().is_none() && url.fragment().is_none()
    });
    let url = url.ok_or(InvalidOrigin)?;
    Ok(url.origin().ascii_serialization())
}

/// A count above zero.
pub(crate) fn count(text: &str) -> Result<usize, InvalidCount> {
    text.parse()
        .ok()
        .filter(|count| *count > 0)
        .ok_or(InvalidCount)
}

/// How many numbers a vector has.
pub(crate) fn dimensions(text: &str) -> Result<usize, InvalidDimensions> {
    text.parse()
        .ok()
        .filter(|count| (1..=MAX_DIMENSIONS).contains(count))
        .ok_or(InvalidDimensions)
}

/// Four times what any model known has.
const MAX_DIMENSIONS: usize = 16_384;
const MAX_DURATION: Duration = Duration::from_hours(365 * 24);
const UNITS: [(&str, usize); 5] = [
    ("", 1),
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_unit() {
        for (text, expected) in [
            ("1", Ok(1)),
            ("512KiB", Ok(512 << 10)),
            ("10 mib", Ok(10 << 20)),
            ("2GiB", Ok(2 << 30)),
            ("0", Err(InvalidSize)),
            ("10MB", Err(InvalidSize)),
            ("MiB", Err(InvalidSize)),
            ("1.5MiB", Err(InvalidSize)),
            ("-1", Err(InvalidSize)),
            ("99999999999999999999", Err(InvalidSize)),
            ("99999999999GiB", Err(InvalidSize)),
        ] {
            assert_eq!(
                text.parse::<ByteSize>().map(|size| size.0),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn sizes_are_shown_in_their_largest_whole_unit() {
        for (bytes, expected) in [(1, "1B"), (1536, "1536B"), (10 << 20, "10MiB")] {
            assert_eq!(ByteSize(bytes).to_string(), expected);
        }
    }

    #[test]
    fn times_need_a_unit_and_a_length() {
        assert_eq!(duration("1m 30s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("365d"), Ok(MAX_DURATION));
        let endless = "18446744073709551615s";
        for text in ["", "5", "0s", "soon", "-1s", "365d 1ns", endless] {
            assert_eq!(duration(text), Err(InvalidDuration), "{text}");
        }
    }
}
