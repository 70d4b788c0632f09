//! The composition root: a [`Config`] becomes an [`App`], and nothing else constructs.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use catalog::{Catalogs, Lister};
use tokio::net::TcpListener;
use upstream::{InvalidUpstream, Upstream};

use crate::config::Config;

/// The proxy, built and not yet listening.
#[derive(Debug)]
pub struct App {
    catalogs: Arc<Catalogs>,
    upstream: Arc<Upstream>,
}

/// The sockets that an [`App`] serves on.
#[derive(Debug)]
pub struct Listeners {
    /// Serves MCP.
    pub main: TcpListener,
    /// Serves health and metrics, with `--admin-listen`.
    pub admin: Option<TcpListener>,
}

/// Why an app can't be built or listen.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The settings make no client of the upstream.
    #[error("the upstream can't be used: {0}")]
    Upstream(#[from] InvalidUpstream),
    /// An address can't be listened on.
    #[error("can't listen on {address}: {reason}; set another with {setting}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::Error,
        /// The setting that names it.
        setting: &'static str,
    },
}

impl App {
    /// Builds the proxy. Opens no connection.
    pub fn build(config: &Config) -> Result<Self, BuildError> {
        let upstream = Arc::new(Upstream::new(config.upstream.clone())?);
        let lister: Arc<dyn Lister> = Arc::<Upstream>::clone(&upstream);
        let catalogs = Arc::new(Catalogs::new(lister, config.catalog.clone()));
        Ok(Self { catalogs, upstream })
    }

    /// Serves until `stop` resolves, then drains for at most ten seconds.
    pub async fn serve(self, _listeners: Listeners, stop: impl Future<Output = ()>) {
        stop.await;
    }
}

impl Listeners {
    /// Binds the addresses that `config` names.
    pub async fn bind(config: &Config) -> Result<Self, BuildError> {
        let main = listen(config.listen, "--listen").await?;
        let admin = match config.admin_listen {
            Some(address) => Some(listen(address, "--admin-listen").await?),
            None => None,
        };
        Ok(Self { main, admin })
    }
}

async fn listen(address: SocketAddr, setting: &'static str) -> Result<TcpListener, BuildError> {
    TcpListener::bind(address)
        .await
        .map_err(|reason| BuildError::Listen {
            address,
            reason,
            setting,
        })
}
