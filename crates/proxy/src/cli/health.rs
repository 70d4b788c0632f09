//! `health`: a probe for containers that have no shell.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{DEFAULT_LISTEN, values};

/// The arguments of `health`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Address that the proxy listens on
    #[arg(long, env = "TOOLSEARCH_LISTEN", value_name = "ADDRESS")]
    #[arg(default_value = DEFAULT_LISTEN, value_parser = values::address)]
    listen: SocketAddr,
    /// Its --admin-listen, where it has one
    #[arg(long, env = "TOOLSEARCH_ADMIN_LISTEN", value_name = "ADDRESS")]
    #[arg(value_parser = values::address)]
    admin_listen: Option<SocketAddr>,
}

/// Asks once and says what came back.
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the command's answer"
)]
pub(crate) fn run(args: &Args) -> ExitCode {
    let address = reachable(args.admin_listen.unwrap_or(args.listen));
    match ask(address) {
        Ok(()) => {
            println!("{address} is alive");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{address} doesn't answer as it should: {error}");
            ExitCode::FAILURE
        }
    }
}

/// An address that listens everywhere is reached over loopback.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        other => other,
    };
    SocketAddr::new(ip, listen.port())
}

fn ask(address: SocketAddr) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        timeout(PATIENCE, exchange(address))
            .await
            .unwrap_or_else(|_elapsed| Err(io::ErrorKind::TimedOut.into()))
    })
}

async fn exchange(address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut status = [0; ALIVE.len()];
    stream.read_exact(&mut status).await?;
    if status == *ALIVE {
        return Ok(());
    }
    Err(io::Error::other(
        "it is another server, or not alive, or its probes are on --admin-listen",
    ))
}

const ALIVE: &[u8; 12] = b"HTTP/1.1 200";
const PATIENCE: Duration = Duration::from_secs(3);
