//! `demo`: the proxy before a made-up company, shown in a short tour and then left running.

use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitCode;

use catalog::read_dump;
use tokio::runtime::Runtime;
use url::Url;

use super::serve::until_stopped;
use super::usage::fail;
use super::{Settings, environment};
use crate::app::{App, Listeners};
use crate::config::Config;
use crate::demo::Demo;
use crate::telemetry;

/// The arguments of `demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File of tools to show instead: a tools/list result, a dump, JSON lines, or a folder of
    /// these; calling them does nothing
    #[arg(long, value_name = "PATH")]
    tools: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// Shows the proxy at work, then serves until it is told to stop.
pub(crate) fn run(args: Args) -> ExitCode {
    let run = || -> anyhow::Result<ExitCode> {
        let runtime = Runtime::new()?;
        let code = runtime.block_on(show(args));
        runtime.shutdown_background();
        code
    };
    run().unwrap_or_else(|error| fail(&error))
}

async fn show(args: Args) -> anyhow::Result<ExitCode> {
    let demo = match args.tools {
        Some(path) => Demo::of(read_dump(&path)?),
        None => Demo::company(),
    };
    let gateway = demo.start().await?;
    let config = Config::new(Url::parse(&gateway.url())?, &args.settings)?;
    let app = App::build(config.clone())?;
    let listeners = Listeners::bind(&config).await?;
    let address = listeners.main.local_addr()?;
    let mut serving = pin!(until_stopped(app, listeners));
    let mut out = io::stdout();
    tokio::select! {
        code = &mut serving => return Ok(code),
        toured = demo.tour(address, &mut out) => toured?,
    }
    // Not before, so that the tour's own requests aren't logged between its lines.
    telemetry::start(&args.settings.log);
    environment::log_unknown();
    Ok(serving.await)
}
