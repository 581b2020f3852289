//! `serve-http`: edit-ops requests over HTTP.

use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use tokio::net::TcpListener;

use super::args::ServeHttpArgs;
use super::{Exit, complain};
use crate::edit_ops::Profile;
use crate::edit_ops::http::{Access, Options, Token, serve};

/// The variable that holds a token where no file does.
const TOKEN: &str = "OPERATOR_HTTP_TOKEN";

/// Serves until a signal ends it.
pub fn run(args: &ServeHttpArgs) -> io::Result<Exit> {
    let access = match access(args) {
        Ok(access) => access,
        Err(message) => {
            complain(&message);
            return Ok(Exit::Failed);
        }
    };
    crate::lsp::start_log_of_requests();
    let profile = Profile::from_environment();
    profile.problems.iter().for_each(|problem| complain(problem));
    let options = Options { profile, access, max_concurrent: args.max_concurrent.get().into() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let exit = runtime.block_on(listen(args.listen, options))?;
    runtime.shutdown_background();
    Ok(exit)
}

async fn listen(address: SocketAddr, options: Options) -> io::Result<Exit> {
    let stop = stop()?;
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => {
            complain(&format!("cannot listen on {address}: {error}"));
            return Ok(Exit::Failed);
        }
    };
    // With port 0 the system has chosen one.
    writeln!(io::stderr(), "listening on http://{}", listener.local_addr()?)?;
    serve(listener, options, stop).await;
    Ok(Exit::Fine)
}

/// What ends the service: an interrupt, or being asked to terminate.
fn stop() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate())?
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

fn access(args: &ServeHttpArgs) -> Result<Access, String> {
    let token = match (&args.token_file, std::env::var_os(TOKEN)) {
        (Some(file), _) => Some((file.display().to_string(), read(file)?)),
        (None, Some(text)) => {
            let text = text.into_string().map_err(|_| format!("{TOKEN} must be UTF-8"))?;
            Some((TOKEN.to_owned(), text)).filter(|(_, text)| !text.is_empty())
        }
        (None, None) => None,
    };
    match token {
        Some((from, text)) => {
            let token = Token::new(&text).map_err(|wrong| format!("{from}: {wrong}"))?;
            Ok(Access::Token(token))
        }
        None if args.listen.ip().is_loopback() => Ok(Access::Loopback),
        None => Err(format!(
            "other computers can reach {}: give a token with --token-file or {TOKEN}, or listen on \
             127.0.0.1",
            args.listen.ip()
        )),
    }
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| super::input::unreadable(file, &error))
}

/// The address to listen on; the name `localhost` is that of IPv4.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    let local = port.map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    local.or_else(|| text.parse().ok()).ok_or_else(|| {
        "an address and a port are expected, such as 127.0.0.1:8765 or [::1]:0".to_owned()
    })
}
