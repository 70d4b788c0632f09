//! Closing a connection from within its request.

use tokio_util::sync::CancellationToken;

/// Ends the connection that a request came on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hangup(CancellationToken);

impl Hangup {
    pub(crate) fn hang_up(&self) {
        self.0.cancel();
    }

    /// Waits until somebody hangs up.
    pub(crate) async fn hung_up(&self) {
        self.0.cancelled().await;
    }
}
