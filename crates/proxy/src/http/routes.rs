//! Every route and every layer, outermost first where they are stacked.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, get, post};

use super::{
    Edge, guard, health, mcp, oauth, observe, openapi, problem, prompts, rebuild, search, status,
};
use crate::metrics::Route;

/// Where health and metrics are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AdminRoutes {
    /// Beside MCP.
    Here,
    /// On a listener of their own.
    Elsewhere,
}

/// Something that is served.
pub(super) struct Served {
    /// Its path, and then other spellings.
    pub(super) paths: &'static [&'static str],
    /// Its name in the log and the metrics.
    pub(super) route: Route,
    reach: Reach,
}

/// Who can have it.
enum Reach {
    /// Whoever asks a known host from a known origin.
    Callers(Handler),
    /// They, and on the admin listener the operator.
    CallersAndOperator(Handler, Handler),
    /// Orchestrators, which come by address and without an origin.
    Probes(Handler),
}

type Handler = fn() -> MethodRouter<Arc<Edge>>;

/// The routes of the main listener.
pub(crate) fn routes(edge: &Arc<Edge>, admin: AdminRoutes) -> Router {
    let guarded = having(|reach| match reach {
        Reach::Callers(handler) | Reach::CallersAndOperator(handler, _) => Some(handler),
        Reach::Probes(_) => None,
    });
    let guarded = guarded
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::not_allowed)
        .layer(from_fn_with_state(Arc::clone(edge), guard::check));
    let all = match admin {
        AdminRoutes::Here => guarded.merge(having(Reach::probe)),
        AdminRoutes::Elsewhere => guarded,
    };
    observed(all, edge)
}

/// The routes of `--admin-listen`.
pub(crate) fn admin_routes(edge: &Arc<Edge>) -> Router {
    let routes = having(|reach| match reach {
        Reach::CallersAndOperator(_, handler) => Some(handler),
        reach => reach.probe(),
    });
    let routes = routes
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::not_allowed);
    observed(routes, edge)
}

/// What is served at `path`, as it was matched.
pub(super) fn at(path: &str) -> Option<&'static Served> {
    ROUTES.iter().find(|served| served.paths.contains(&path))
}

impl Reach {
    fn probe(&self) -> Option<&Handler> {
        match self {
            Self::Probes(handler) => Some(handler),
            Self::Callers(_) | Self::CallersAndOperator(..) => None,
        }
    }
}

/// The routes that have a handler.
fn having(handler: impl Fn(&Reach) -> Option<&Handler>) -> Router<Arc<Edge>> {
    let mut router = Router::new();
    for served in ROUTES {
        let Some(handler) = handler(&served.reach) else {
            continue;
        };
        for path in served.paths {
            router = router.route(path, handler());
        }
    }
    router
}

fn observed(routes: Router<Arc<Edge>>, edge: &Arc<Edge>) -> Router {
    routes
        .layer(from_fn(guard::one_host))
        .layer(from_fn(problem::catch_panics))
        .layer(from_fn_with_state(Arc::clone(edge), observe::observe))
        .with_state(Arc::clone(edge))
}

pub(super) const MCP_PATH: &str = "/mcp";
/// All of it.
pub(super) const ROUTES: &[Served] = &[
    Served {
        paths: &[MCP_PATH, "/mcp/"],
        route: Route::Mcp,
        reach: Reach::Callers(|| post(mcp::post).fallback(mcp::not_allowed)),
    },
    Served {
        paths: &["/mcp/tool-search"],
        route: Route::Search,
        reach: Reach::Callers(|| post(search::post)),
    },
    Served {
        paths: &["/mcp/tool-search/status"],
        route: Route::Status,
        reach: Reach::CallersAndOperator(|| get(status::get), || get(status::get_with_names)),
    },
    Served {
        paths: &["/mcp/tool-search/rebuild"],
        route: Route::Rebuild,
        reach: Reach::CallersAndOperator(|| post(rebuild::post), || post(rebuild::post)),
    },
    Served {
        paths: &["/mcp/prompts/{name}"],
        route: Route::Prompts,
        reach: Reach::Callers(|| get(prompts::get)),
    },
    Served {
        paths: &["/openapi.json"],
        route: Route::Metadata,
        reach: Reach::Callers(|| get(openapi::get)),
    },
    Served {
        paths: &[oauth::WELL_KNOWN, oauth::WELL_KNOWN_OF_A_PATH],
        route: Route::Metadata,
        reach: Reach::Callers(|| get(oauth::get)),
    },
    Served {
        paths: &["/healthz"],
        route: Route::Admin,
        reach: Reach::Probes(|| get(health::alive)),
    },
    Served {
        paths: &["/readyz"],
        route: Route::Admin,
        reach: Reach::Probes(|| get(health::ready)),
    },
    Served {
        paths: &["/metrics"],
        route: Route::Admin,
        reach: Reach::Probes(|| get(health::metrics)),
    },
];
