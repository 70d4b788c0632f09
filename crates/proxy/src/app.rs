//! The composition root: a [`Config`] becomes an [`App`].

mod configured;

use std::future::Future;
use std::hash::RandomState;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use catalog::{Catalogs, Lister};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use upstream::{CallerKeys, InvalidUpstream, Upstream};

use self::configured::configured;
use crate::config::Config;
use crate::curation::{Curation, InvalidTemplates};
use crate::http::{self, AdminRoutes, Edge, RequestTags};
use crate::metrics::Metrics;
use crate::protocol::{PromptNames, Protocol, Running};
use crate::searches::{AuditLog, Searches, Trails, UnusableAuditLog};

/// The proxy, built and not yet listening.
#[derive(Debug)]
pub struct App {
    edge: Arc<Edge>,
    reload: Reload,
    admin: AdminRoutes,
}

/// Reads again what may change while the proxy serves.
#[derive(Debug, Clone)]
pub struct Reload {
    curation: Arc<Curation>,
    catalogs: Arc<Catalogs>,
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
    #[error("the upstream can't be used")]
    Upstream(#[from] InvalidUpstream),
    /// The file of `--templates` can't be used.
    #[error("--templates can't be used")]
    Templates(#[from] InvalidTemplates),
    /// The file of `--audit-log` can't be written.
    #[error("--audit-log can't be used")]
    AuditLog(#[from] UnusableAuditLog),
    /// The system has no random numbers to tell callers apart by.
    #[error("the system gives no random numbers")]
    Random(#[from] getrandom::Error),
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
    pub fn build(config: Config) -> Result<Self, BuildError> {
        let configured = configured(&config);
        let curation = Arc::new(Curation::read(config.curation)?);
        let upstream = Arc::new(Upstream::new(config.upstream)?);
        let lister: Arc<dyn Lister> = Arc::<Upstream>::clone(&upstream);
        let catalogs = Arc::new(Catalogs::new(
            lister,
            config.catalog,
            curation.now().named.clone(),
        ));
        let reload = Reload {
            curation,
            catalogs: Arc::clone(&catalogs),
        };
        let audit = config.audit_log.as_deref().map(AuditLog::open);
        let searches = Arc::new(Searches {
            audit: audit.transpose()?,
            trails: Trails::new(RandomState::new()),
        });
        let edge = Arc::new(Edge {
            metrics: Metrics::new(Arc::clone(&catalogs), Arc::clone(&searches)),
            protocol: Protocol {
                upstream,
                catalogs,
                curation: Arc::clone(&reload.curation),
                prompt_names: PromptNames::default(),
                searches,
                tools: config.tools,
                max_instructions: config.max_instructions,
                running: Running::default(),
            },
            callers: CallerKeys::new(random()?),
            guard: config.guard,
            oauth: config.oauth,
            limits: config.limits,
            in_flight: config.in_flight,
            admin_token: config.admin_token,
            configured,
            tags: RequestTags::new(u32::from_ne_bytes(random()?)),
            draining: AtomicBool::new(false),
            started: Instant::now(),
        });
        let admin = match config.admin_listen {
            Some(_) => AdminRoutes::Elsewhere,
            None => AdminRoutes::Here,
        };
        Ok(Self {
            edge,
            reload,
            admin,
        })
    }

    /// What reads the file of `--templates` again.
    pub fn reload(&self) -> Reload {
        self.reload.clone()
    }

    /// The routes of the main listener.
    pub fn router(&self) -> Router {
        http::routes(&self.edge, self.admin)
    }

    /// Serves until `stop` resolves, then drains for at most ten seconds. The admin listener
    /// stays until the end, so that readiness is seen to be gone.
    pub async fn serve(self, listeners: Listeners, stop: impl Future<Output = ()>) {
        let searches = Arc::clone(&self.edge.protocol.searches);
        self.serve_until(listeners, stop).await;
        let closing = tokio::task::spawn_blocking(move || {
            if let Some(audit) = &searches.audit {
                audit.close();
            }
        });
        // What a disk doesn't take by then is lost.
        tokio::time::timeout(AUDIT_DRAIN, closing).await.ok();
    }

    async fn serve_until(self, listeners: Listeners, stop: impl Future<Output = ()>) {
        let edge = Arc::clone(&self.edge);
        let stop = async move {
            stop.await;
            edge.draining.store(true, Ordering::Relaxed);
        };
        let main = http::serve(listeners.main, self.router(), stop, DRAIN);
        let Some(admin) = listeners.admin else {
            return main.await;
        };
        let drained = CancellationToken::new();
        let admin = http::serve(
            admin,
            http::admin_routes(&self.edge),
            drained.cancelled(),
            Duration::ZERO,
        );
        let main = async {
            main.await;
            drained.cancel();
        };
        tokio::join!(main, admin);
    }
}

impl Reload {
    /// Whether there is anything to read.
    pub fn has_file(&self) -> bool {
        self.curation.has_file()
    }

    /// Reads the file and puts it in force, for lists of tools that are held too; logs how that
    /// went. What can't be used leaves all as it was.
    pub fn run(&self) {
        match self.curation.reload() {
            Ok(curated) => {
                self.catalogs.name_tools(curated.named.clone());
                tracing::info!(
                    templates = curated.templates.len(),
                    pins = curated.named.pins.len(),
                    write_tools = curated.named.write_tools.0.len(),
                    "the templates, pins and write tools are read again"
                );
            }
            Err(error) => tracing::error!(
                %error,
                "the file of templates can't be used: what was read before stays in force"
            ),
        }
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

    /// Where MCP is served.
    pub(crate) fn mcp_url(&self) -> Option<String> {
        let address = self.main.local_addr().ok()?;
        Some(format!("http://{address}/mcp"))
    }

    /// Where health and metrics are served, if apart.
    pub(crate) fn admin_address(&self) -> Option<String> {
        let address = self.admin.as_ref()?.local_addr().ok()?;
        Some(address.to_string())
    }
}

fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
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

const DRAIN: Duration = Duration::from_secs(10);
const AUDIT_DRAIN: Duration = Duration::from_secs(2);
