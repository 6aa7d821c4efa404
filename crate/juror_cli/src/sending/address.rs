//! What an address tells of the machine that it leads to.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The host that an address names, with its port where there is one.
pub(crate) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let place = &rest[..end];
    place.rsplit_once('@').map_or(place, |(_, place)| place)
}

/// The host that an address names, without its port.
pub(crate) fn host(url: &str) -> &str {
    let place = authority(url);
    if let Some((inner, _)) = place.strip_prefix('[').and_then(|it| it.split_once(']')) {
        return inner;
    }
    place.split_once(':').map_or(place, |(host, _)| host)
}

/// Whether an address leads to this machine itself.
pub(crate) fn is_loopback(url: &str) -> bool {
    let host = host(url);
    host.eq_ignore_ascii_case("localhost")
        || host.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback())
        || host.parse().is_ok_and(|ip: Ipv6Addr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_a_host_with_its_port() {
        let url = "https://user:word@api.example.com:8443/v1?a=b";
        assert_eq!(authority(url), "api.example.com:8443");
        assert_eq!(authority("http://[::1]:80"), "[::1]:80");
        assert_eq!(authority("http://localhost@example.com/v1"), "example.com");
    }

    #[test]
    fn only_an_address_of_this_machine_is_one() {
        for url in [
            "http://localhost:11434/v1/chat/completions",
            "http://127.0.0.1:8000/v1",
            "http://127.8.9.1",
            "http://[::1]:8000/v1",
            "http://LOCALHOST",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "https://api.openai.com/v1",
            "http://localhost.example.com/v1",
            "http://127.0.0.1.example.com",
            "http://localhost@example.com/v1",
            "http://example.com/localhost",
            "http://192.168.0.2:8000",
            "http://[2001:db8::1]/v1",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
        assert_eq!(
            host("https://user:word@api.example.com:8443/v1?a=b"),
            "api.example.com"
        );
    }
}
