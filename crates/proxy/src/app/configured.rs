//! What the status says of the settings, in their own spelling.

use std::time::Duration;

use upstream::EraChoice;
use url::Url;
use wire::Era;

use crate::cli::values::ByteSize;
use crate::config::Config;
use crate::http::{Configured, OauthMetadata};

/// The settings that `config` was made from.
pub(super) fn configured(config: &Config) -> Configured {
    let (oauth_metadata, public_url) = match &config.oauth {
        OauthMetadata::Rewrite { public_url } => ("rewrite", public_url.as_ref()),
        OauthMetadata::Passthrough => ("passthrough", None),
        OauthMetadata::Off => ("off", None),
    };
    let upstream = &config.upstream;
    Configured {
        upstream: Some(bare(&upstream.url)),
        upstream_era: match upstream.era {
            EraChoice::Auto => "auto",
            EraChoice::Fixed(Era::Legacy) => "legacy",
            EraChoice::Fixed(Era::Modern) => "modern",
        },
        upstream_ca: upstream.extra_roots_pem.is_some(),
        public_url: public_url.map(bare),
        oauth_metadata,
        allowed_hosts: config.guard.hosts.len(),
        allowed_origins: config.guard.origins.len(),
        admin_listen: config.admin_listen.is_some(),
        admin_token: config.admin_token.is_some(),
        templates: config.curation.file.is_some(),
        audit_log: config.audit_log.is_some(),
        embedder: config.catalog.embedder.name(),
        search_schemas: config.tools.search_schemas,
        max_instructions: config.max_instructions,
        catalog_ttl: time(config.catalog.ttl),
        catalog_memory: size(config.catalog.max_bytes),
        first_listing_wait: time(config.tools.first_listing_wait),
        connect_timeout: time(upstream.connect_timeout),
        call_timeout: time(upstream.call_timeout),
        list_timeout: time(upstream.list_timeout),
        max_body: size(config.limits.max_body),
        max_result: size(upstream.max_result_bytes),
        max_in_flight: config.in_flight.max,
        max_in_flight_per_caller: config.in_flight.max_per_caller,
    }
}

/// A URL without credentials and query.
fn bare(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

fn time(time: Duration) -> String {
    humantime::format_duration(time).to_string()
}

fn size(bytes: usize) -> String {
    ByteSize(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Args, Command, FromArgMatches};

    use super::*;
    use crate::cli::Settings;

    #[test]
    fn what_is_configured_is_called_as_its_flag() {
        let command = Settings::augment_args(Command::new("test")).no_binary_name(true);
        let flags: BTreeSet<String> = command
            .get_arguments()
            .filter_map(|argument| argument.get_long())
            .map(|long| long.replace('-', "_"))
            .collect();
        let settings = Settings::from_arg_matches(&command.get_matches_from([""; 0])).unwrap();
        let upstream = "https://gateway.example.com/mcp".parse().unwrap();
        let config = Config::new(upstream, &settings).unwrap();
        let told = serde_json::to_value(configured(&config)).unwrap();
        let told: BTreeSet<String> = told.as_object().unwrap().keys().cloned().collect();
        let unknown: Vec<&String> = told.difference(&flags).collect();
        // `serve` alone takes the upstream; the made-up one of `demo` has no flag.
        assert_eq!(unknown, ["upstream"]);
        let untold: Vec<&String> = flags.difference(&told).collect();
        // Where the reader asks, what the log shows, or told in members of their own.
        let elsewhere = [
            "listen",
            "log_format",
            "log_level",
            "model_dir",
            "pin",
            "write_tools",
        ];
        assert_eq!(untold, elsewhere);
    }
}
