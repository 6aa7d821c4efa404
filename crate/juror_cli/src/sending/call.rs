//! One call of a service: the key goes into a header and nowhere else, and no text comes back with it.

use std::io::{ErrorKind, Read as _};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::ensure;
use juror_judging::keys::without_keys;
use juror_judging::provider::{Auth, Failure, FailureKind, text_of, unanswered};
use juror_reading::limits::RESPONSE_BYTES;
use ureq::http::{HeaderMap, Response};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::multipart::{Form, Part};
use ureq::{Agent, Body};

use super::address;

/// Whom calls go to, and how the key goes into them. It has no `Debug`, as it holds the key.
pub(crate) struct Service {
    /// An address of it: whether it is this machine and whether it is encrypted are those of every address of it.
    pub(crate) url: String,
    pub(crate) auth: Auth,
    /// Empty for none.
    pub(crate) key: String,
    pub(crate) timeout_secs: u32,
    /// The option of the command line that names the address.
    pub(crate) option: &'static str,
}

/// What is posted.
#[derive(Clone, Debug)]
pub(crate) enum Posted {
    /// JSON.
    Json(String),
    /// A form with files.
    Form {
        /// Names and values.
        fields: Vec<(String, String)>,
        /// The field that each file is in.
        field: String,
        /// Media types and bytes.
        files: Vec<(&'static str, Arc<[u8]>)>,
    },
}

impl Posted {
    /// Bytes of what is sent, without what a form has between its parts.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Json(text) => text.len(),
            Self::Form { fields, files, .. } => {
                let fields = fields.iter().map(|(name, value)| name.len() + value.len());
                let files = files.iter().map(|(_, bytes)| bytes.len());
                fields.sum::<usize>() + files.sum::<usize>()
            }
        }
    }
}

/// What a call brought.
#[derive(Debug)]
pub(crate) struct Called {
    /// The status, if so much came.
    pub(crate) status: Option<u16>,
    /// When the service says that it takes requests again.
    pub(crate) retry_after_ms: Option<f64>,
    /// An answer's text of any status, or why there is none.
    pub(crate) text: Result<String, Failure>,
}

impl Called {
    /// Nothing came.
    pub(crate) fn nothing(failure: Failure) -> Self {
        Self {
            status: None,
            retry_after_ms: None,
            text: Err(failure),
        }
    }
}

/// Calls a service; each copy shares the connections.
#[derive(Clone)]
pub(crate) struct Caller {
    agent: Agent,
    service: Arc<Service>,
}

impl Caller {
    /// Reads the certificates of this machine where the service needs them.
    pub(crate) fn new(service: Service) -> anyhow::Result<Self> {
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // Another address would be given the key as well.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(Duration::from_secs(service.timeout_secs.into())))
            .user_agent(concat!("juror/", env!("CARGO_PKG_VERSION")));
        if address::is_loopback(&service.url) {
            config = config.proxy(None);
        }
        if service.url.starts_with("https:") {
            config = config.tls_config(trusted()?);
        }
        Ok(Self {
            agent: config.build().new_agent(),
            service: Arc::new(service),
        })
    }

    /// Posts a body to an address of the service.
    pub(crate) fn post(&self, url: &str, body: &Posted) -> Called {
        let Service {
            auth, key, option, ..
        } = &*self.service;
        let mut request = self.agent.post(url);
        // A form says itself what it is, as only it knows what is between its parts.
        let is_form = matches!(body, Posted::Form { .. });
        let fixed = (auth.fixed.iter()).filter(|(name, _)| !is_form || *name != "content-type");
        for (name, value) in fixed {
            request = request.header(*name, *value);
        }
        if !key.is_empty() {
            request = request.header(auth.header, format!("{}{key}", auth.prefix));
        }
        let sent = match body {
            Posted::Json(text) => request.send(text.as_str()),
            Posted::Form {
                fields,
                field,
                files,
            } => form(fields, field, files).and_then(|form| request.send(form)),
        };
        let mut called = match sent {
            Ok(response) => answered(response, option),
            Err(error) => {
                let is_late = matches!(error, ureq::Error::Timeout(_));
                let kind = unanswered(is_late, None);
                Called::nothing(Failure::new(kind, &error.to_string()))
            }
        };
        if let Err(failure) = &mut called.text {
            failure.message = without_keys(&failure.message, &[key]);
        }
        called
    }

    /// The picture at an address, which is asked without any key.
    pub(crate) fn fetch(&self, url: &str) -> Result<Vec<u8>, Failure> {
        let failed = |is_late: bool, why: &dyn std::fmt::Display| {
            let message = format!("The picture could not be fetched: {why}");
            Failure::new(unanswered(is_late, None), &message)
        };
        let response = (self.agent.get(url).call()).map_err(|error| {
            let is_late = matches!(error, ureq::Error::Timeout(_));
            failed(is_late, &error)
        })?;
        let status = response.status();
        if !status.is_success() {
            let kind = if status.is_server_error() {
                FailureKind::Server
            } else {
                FailureKind::BadPicture
            };
            let message = format!("The picture's address answers {}.", status.as_u16());
            return Err(Failure::new(kind, &message));
        }
        let bytes = bounded(response.into_body(), false);
        let bytes = bytes.map_err(|error| failed(is_late(&error), &error))?;
        bytes.ok_or_else(|| {
            let most = RESPONSE_BYTES >> 20;
            let message = format!("The picture is larger than {most} MiB and was not read.");
            Failure::new(FailureKind::BadPicture, &message)
        })
    }
}

/// A form with its fields first, and then its files as `1.png`, `2.jpg`, ….
fn form<'a>(
    fields: &'a [(String, String)],
    field: &'a str,
    files: &'a [(&'static str, Arc<[u8]>)],
) -> Result<Form<'a>, ureq::Error> {
    let mut form = Form::new();
    for (name, value) in fields {
        form = form.text(name, value);
    }
    for (number, (media_type, bytes)) in (1..).zip(files) {
        let ending = match *media_type {
            "image/jpeg" => "jpg",
            other => other.trim_start_matches("image/"),
        };
        let part = Part::bytes(bytes)
            .file_name(&format!("{number}.{ending}"))
            .mime_str(media_type)?;
        form = form.part(field, part);
    }
    Ok(form)
}

/// What this machine trusts.
fn trusted() -> anyhow::Result<TlsConfig> {
    let found = rustls_native_certs::load_native_certs();
    let why: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    let certificates: Vec<Certificate<'static>> = (found.certs.iter())
        .map(|certificate| Certificate::from_der(certificate.as_ref()).to_owned())
        .collect();
    ensure!(
        !certificates.is_empty(),
        "no certificates that this machine trusts were found, so no service can be recognised ({}). Install them (ca-certificates), or name their file by the variable SSL_CERT_FILE",
        why.join("; ")
    );
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(certificates)))
        .unversioned_rustls_crypto_provider(provider)
        .build())
}

fn answered(response: Response<Body>, option: &str) -> Called {
    let status = response.status().as_u16();
    let retry_after_ms = retry_after_ms(response.headers());
    let text = if response.status().is_redirection() {
        let header = response.headers().get("location");
        let place = header.and_then(|place| place.to_str().ok());
        let message = format!(
            "The server answers {status} and names another address, {}. It is not followed, as the key would go there: give the right one by {option}.",
            place.unwrap_or("which cannot be read")
        );
        Err(Failure::new(FailureKind::NotFound, &message))
    } else {
        // What came of an answer that breaks off is paid for: it is read as far as it goes.
        let is_taken = response.status().is_success();
        bounded(response.into_body(), is_taken)
            .map(text_of)
            .map_err(|error| {
                let kind = unanswered(is_late(&error), Some(status));
                Failure::new(kind, &format!("The answer broke off: {error}"))
            })
    };
    Called {
        status: Some(status),
        retry_after_ms,
        text,
    }
}

/// The bytes of an answer; `None` for one that is too long, whose rest is not fetched. Of one that breaks off, what came where
/// that is taken.
fn bounded(body: Body, is_taken: bool) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most = RESPONSE_BYTES as u64 + 1;
    match body.into_reader().take(most).read_to_end(&mut bytes) {
        Err(error) if bytes.is_empty() || !is_taken => return Err(error),
        _ => {}
    }
    Ok((bytes.len() <= RESPONSE_BYTES).then_some(bytes))
}

fn is_late(error: &std::io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    error.kind() == ErrorKind::TimedOut || matches!(inner, Some(ureq::Error::Timeout(_)))
}

/// `Retry-After` in seconds or as a date; `retry-after-ms`, which some servers send.
fn retry_after_ms(headers: &HeaderMap) -> Option<f64> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|it| it.is_finite());
    if let Some(exact) = text("retry-after-ms").and_then(number) {
        return Some(exact);
    }
    let said = text("retry-after")?;
    if let Some(seconds) = number(said) {
        return Some(seconds * 1000.0);
    }
    let until = httpdate::parse_http_date(said).ok()?;
    // Nothing is left of one that has passed.
    let wait = until.duration_since(SystemTime::now()).unwrap_or_default();
    Some(wait.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_in_milliseconds_in_seconds_and_as_a_date() {
        let waits = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().expect("it is a header's value"));
            retry_after_ms(&headers)
        };
        assert_eq!(waits("retry-after-ms", "250"), Some(250.0));
        assert_eq!(waits("retry-after", "1.5"), Some(1500.0));
        assert_eq!(
            waits("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(0.0)
        );
        let soon = SystemTime::now() + Duration::from_secs(3600);
        let wait = waits("retry-after", &httpdate::fmt_http_date(soon));
        assert!(wait.is_some_and(|ms| ms > 3_500_000.0 && ms <= 3_600_000.0));
        for wrong in [
            "soon",
            "",
            "Sun, 06 Xyz 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994",
        ] {
            assert_eq!(waits("retry-after", wrong), None, "{wrong}");
        }
        assert_eq!(waits("retry-after-ms", "NaN"), None);
    }
}
