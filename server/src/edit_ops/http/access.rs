//! Who may ask: whoever knows the token, and without one this computer, but for pages of others.

use std::fmt;
use std::net::IpAddr;

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName};
use subtle::ConstantTimeEq;

/// Who may ask.
#[derive(Debug)]
pub enum Access {
    /// Whoever knows it.
    Token(Token),
    /// Programs on this computer, and pages that come from it.
    Loopback,
}

/// A secret that shows itself to nobody.
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a token")
    }
}

impl Token {
    /// A token, without the line end that a file has after it.
    ///
    /// # Errors
    /// What it must be.
    pub fn new(text: &str) -> Result<Token, &'static str> {
        let text = text.trim_end_matches(['\r', '\n']);
        match text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.is_empty() {
            true => Ok(Token(text.to_owned())),
            false => Err("the token must be one line of visible ASCII characters"),
        }
    }

    /// Whether a request has it; how long that takes says nothing about the token.
    fn is_in(&self, headers: &HeaderMap) -> bool {
        let given = only(headers, AUTHORIZATION);
        let given = given.and_then(|value| value.split_once(' '));
        given.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer")
                && token.as_bytes().ct_eq(self.0.as_bytes()).into()
        })
    }
}

/// Why somebody may not ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The token is missing or wrong.
    Unauthorized,
    /// It is a page that came from elsewhere, or goes by another name.
    Forbidden,
}

impl Access {
    /// Whether the sender of these headers may ask.
    ///
    /// A page has no token, so one is proof enough. Without one, a page of another origin
    /// shows itself by `Origin`, and one whose name was made to lead here by `Host`.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        match self {
            Access::Token(token) if token.is_in(headers) => Ok(()),
            Access::Token(_) => Err(Refusal::Unauthorized),
            Access::Loopback => same_computer(headers).ok_or(Refusal::Forbidden),
        }
    }
}

fn same_computer(headers: &HeaderMap) -> Option<()> {
    let host: Authority = only(headers, HOST)?.parse().ok()?;
    is_loopback(host.host()).then_some(())?;
    if !headers.contains_key(ORIGIN) {
        return Some(());
    }
    let (_, origin) = only(headers, ORIGIN)?.split_once("://")?;
    (origin.parse::<Authority>().ok()? == host).then_some(())
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// The value of a header that is there once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of some headers, a line each.
    fn check(access: &Access, lines: &str) -> Result<(), Refusal> {
        let pairs = lines.lines().filter_map(|line| line.split_once(": "));
        let pair = |(name, value): (&str, &str)| (name.parse().unwrap(), value.parse().unwrap());
        let mut headers = HeaderMap::new();
        for (name, value) in pairs.map(pair) {
            let _: bool = headers.append::<HeaderName>(name, value);
        }
        access.check(&headers)
    }

    #[test]
    fn pages_of_others_are_kept_out() {
        for good in [
            "host: localhost:8080",
            "host: 127.0.0.1",
            "host: [::1]:80",
            "host: LOCALHOST",
            "host: localhost:8080\norigin: http://localhost:8080",
        ] {
            assert_eq!(check(&Access::Loopback, good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "host: example.org",
            "host: localhost.example.org",
            "host: 192.168.0.1:80",
            "host: localhost\nhost: localhost",
            "host: localhost:1\norigin: http://localhost:2",
            "host: localhost:1\norigin: http://example.org",
            "host: localhost:1\norigin: null",
            "host: localhost:1\norigin: ",
        ] {
            assert_eq!(check(&Access::Loopback, bad), Err(Refusal::Forbidden), "{bad}");
        }
    }

    #[test]
    fn the_token_has_to_be_exact() {
        let access = Access::Token(Token::new("secret\n").unwrap());
        for good in ["authorization: Bearer secret", "authorization: bearer secret\nhost: any"] {
            assert_eq!(check(&access, good), Ok(()), "{good}");
        }
        for bad in [
            "host: localhost",
            "authorization: secret",
            "authorization: Bearer secre",
            "authorization: Bearer secrets",
            "authorization: Basic secret",
            "authorization: Bearer secret\nauthorization: Bearer secret",
        ] {
            assert_eq!(check(&access, bad), Err(Refusal::Unauthorized), "{bad}");
        }
        assert_eq!(format!("{access:?}"), "Token(a token)");
        assert!(Token::new("").is_err() && Token::new("\n").is_err() && Token::new("a b").is_err());
    }
}
