//! What the status says of the settings, in their own spelling.

use std::time::Duration;

use crate::cli::values::{ByteSize, OauthMode, UpstreamEra, word};
use crate::config::{Config, bare};
use crate::http::{Configured, OauthMetadata};

/// The settings that `config` was made from.
pub(super) fn configured(config: &Config) -> Configured {
    let (oauth_metadata, public_url) = match &config.oauth {
        OauthMetadata::Rewrite { public_url } => (OauthMode::Rewrite, public_url.as_ref()),
        OauthMetadata::Passthrough => (OauthMode::Passthrough, None),
        OauthMetadata::Off => (OauthMode::Off, None),
    };
    let upstream = &config.upstream;
    let embeddings = config.embeddings.as_ref();
    Configured {
        upstream: Some(config.upstream_name()),
        upstream_era: word(&UpstreamEra::from(upstream.era)),
        upstream_ca: upstream.extra_roots_pem.is_some(),
        public_url: public_url.map(bare),
        oauth_metadata: word(&oauth_metadata),
        allowed_hosts: config.guard.hosts.len(),
        allowed_origins: config.guard.origins.len(),
        admin_listen: config.admin_listen.is_some(),
        admin_token: config.admin_token.is_some(),
        templates: config.curation.file.is_some(),
        audit_log: config.audit_log.is_some(),
        embedder: config.catalog.vectors.embedder().name(),
        embeddings_url: embeddings.map(|embeddings| bare(&embeddings.url)),
        embeddings_model: embeddings.map(|embeddings| embeddings.model.clone()),
        embeddings_key: embeddings.is_some_and(|embeddings| embeddings.key.is_some()),
        embeddings_ca: embeddings.is_some_and(|embeddings| embeddings.extra_roots_pem.is_some()),
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

fn time(time: Duration) -> String {
    humantime::format_duration(time).to_string()
}

fn size(bytes: usize) -> String {
    ByteSize(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::{Arg, Args, Command, FromArgMatches};
    use serde_json::{Map, Value};

    use super::*;
    use crate::cli::{Settings, values};

    /// What is told of the settings that `flags` make.
    fn told(flags: &[&str]) -> Map<String, Value> {
        let matches = command().get_matches_from(flags);
        let settings = Settings::from_arg_matches(&matches).unwrap();
        let upstream = "https://gateway.example.com/mcp".parse().unwrap();
        let config = Config::new(upstream, &settings).unwrap();
        let told = serde_json::to_value(configured(&config)).unwrap();
        told.as_object().unwrap().clone()
    }

    fn command() -> Command {
        Settings::augment_args(Command::new("test")).no_binary_name(true)
    }

    /// By their names as they are told.
    fn settings() -> BTreeMap<String, Arg> {
        let command = command();
        let settings = command.get_arguments().filter_map(|setting| {
            let long = setting.get_long()?;
            Some((long.replace('-', "_"), setting.clone()))
        });
        settings.collect()
    }

    #[test]
    fn what_is_configured_is_called_as_its_flag() {
        let flags: BTreeSet<String> = settings().into_keys().collect();
        let told: BTreeSet<String> = told(&[]).keys().cloned().collect();
        let unknown: Vec<&String> = told.difference(&flags).collect();
        // `serve` alone takes the upstream; the made-up one of `demo` has no flag.
        assert_eq!(unknown, ["upstream"]);
        let untold: Vec<&String> = flags.difference(&told).collect();
        // Where the reader asks, what the log shows, told in members of their own, or of an embedding
        // service, which the default hasn't.
        let elsewhere = [
            "embeddings_batch",
            "embeddings_batch_timeout",
            "embeddings_dimensions",
            "embeddings_key_file",
            "embeddings_model",
            "embeddings_timeout",
            "embeddings_url",
            "listen",
            "log_format",
            "log_level",
            "model_dir",
            "pin",
            "write_tools",
        ];
        assert_eq!(untold, elsewhere);
    }

    #[test]
    fn what_is_configured_is_spelt_as_it_is_given() {
        let by_default = told(&[]);
        for (name, setting) in settings() {
            let defaults = setting.get_default_values().first();
            let default = defaults.and_then(|default| default.to_str());
            if let (Some(default), Some(told)) = (default, by_default.get(&name)) {
                let text = told
                    .as_str()
                    .map_or_else(|| told.to_string(), str::to_owned);
                // Of a time its unit may be another.
                let times = [&text, default].map(|text| values::duration(text).ok());
                assert!(
                    text == default || (times[0].is_some() && times[0] == times[1]),
                    "{name}"
                );
            }
            let is_told_as_word = by_default.get(&name).is_some_and(Value::is_string);
            for value in setting.get_possible_values() {
                let flag = format!("--{}={}", name.replace('_', "-"), value.get_name());
                if is_told_as_word {
                    let told = told(&[&flag, SERVICE, "--embeddings-model=made-up"]);
                    assert_eq!(told[&name], value.get_name(), "{flag}");
                }
            }
        }
    }

    /// For the embedder that needs one.
    const SERVICE: &str = "--embeddings-url=http://127.0.0.1:1/v1/embeddings";
}
