//! `serve`: the proxy itself, from its settings to a signal to stop.

use std::convert::Infallible;
use std::process::ExitCode;

use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use url::Url;

use super::usage::fail;
use super::{Settings, environment, values};
use crate::app::{App, Listeners, Reload};
use crate::config::Config;
use crate::telemetry;

/// The arguments of `serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// URL of the MCP server to stand before, such as https://gateway.example.com/mcp
    #[arg(long, env = "TOOLSEARCH_UPSTREAM", value_name = "URL", value_parser = values::url)]
    #[arg(hide_env_values = true)]
    pub(crate) upstream: Url,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Serves until it is told to stop.
pub(crate) fn run(args: Args) -> ExitCode {
    let config = match Config::new(args.upstream, &args.settings) {
        Ok(config) => config,
        Err(error) => return fail(&error.into()),
    };
    telemetry::start(&args.settings.log);
    let runtime = match Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.into()),
    };
    let code = runtime.block_on(serve(config));
    // Work on other threads, such as the check of an argument, has nobody left to answer to.
    runtime.shutdown_background();
    code
}

async fn serve(config: Config) -> ExitCode {
    let upstream = config.upstream_name();
    let is_unencrypted = config.upstream_is_unencrypted();
    let embeddings_are_unencrypted = config.embeddings_are_unencrypted();
    let search = config.search_mode().name();
    let model = config.model_name();
    let app = match App::build(config.clone()) {
        Ok(app) => app,
        Err(error) => return fail(&error.into()),
    };
    let listeners = match Listeners::bind(&config).await {
        Ok(listeners) => listeners,
        Err(error) => return fail(&error.into()),
    };
    let reload = app.reload();
    // Before anybody is told that it serves: a signal without a handler ends the process.
    let hangups = match reload.has_file().then(|| signal(SignalKind::hangup())) {
        Some(Err(error)) => return fail(&error.into()),
        Some(Ok(hangups)) => Some(hangups),
        None => None,
    };
    tracing::info!(
        url = listeners.mcp_url(),
        admin = listeners.admin_address(),
        upstream,
        search,
        model,
        version = env!("CARGO_PKG_VERSION"),
        "serving"
    );
    environment::log_unknown();
    if is_unencrypted {
        tracing::warn!("tokens go to the upstream unencrypted: its URL begins with http://");
    }
    if embeddings_are_unencrypted {
        tracing::warn!(
            "queries go to the embedding service unencrypted: its URL begins with http://"
        );
    }
    tokio::select! {
        code = until_stopped(app, listeners) => code,
        never = reload_when_told(&reload, hangups) => match never {},
    }
}

/// Reads again what may change at each SIGHUP; never ends.
async fn reload_when_told(reload: &Reload, hangups: Option<Signal>) -> Infallible {
    if let Some(mut hangups) = hangups {
        while hangups.recv().await.is_some() {
            let reload = reload.clone();
            // A panic there is logged; the next signal is another try.
            tokio::task::spawn_blocking(move || reload.run()).await.ok();
        }
    }
    std::future::pending().await
}

/// Serves until SIGTERM or SIGINT, then lets running requests end. A second signal ends at once.
pub(crate) async fn until_stopped(app: App, listeners: Listeners) -> ExitCode {
    let mut signals = match (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) {
        (Ok(terminate), Ok(interrupt)) => Signals(terminate, interrupt),
        (Err(error), _) | (_, Err(error)) => return fail(&error.into()),
    };
    let (stopping, stop) = tokio::sync::oneshot::channel::<()>();
    let serving = app.serve(listeners, async {
        // An error means that the sender is gone, which is a reason to stop as well.
        stop.await.unwrap_or_default();
    });
    let second = async {
        signals.next().await;
        tracing::info!("stopping: no new requests, running ones may end");
        drop(stopping);
        signals.next().await;
    };
    tokio::select! {
        () = serving => {
            tracing::info!("stopped");
            ExitCode::SUCCESS
        }
        () = second => ExitCode::FAILURE,
    }
}

struct Signals(Signal, Signal);

impl Signals {
    async fn next(&mut self) {
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
        }
    }
}
