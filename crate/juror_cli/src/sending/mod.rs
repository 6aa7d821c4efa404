//! What commands that call a service share: where calls go, with which key, how fast, and the journal that is gone on with.

use clap::Args;

pub(crate) mod address;
pub(crate) mod call;
pub(crate) mod files;
pub(crate) mod kept;
pub(crate) mod key;
pub(crate) mod pace;

/// More requests than this are sent only where the user says that it is meant.
pub(crate) const MANY_REQUESTS: usize = 200;

/// How fast, and how often.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PaceArgs {
    /// Requests at once.
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) concurrency: u32,
    /// Requests in any minute; 0 for no limit.
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) per_minute: u32,
    /// Attempts at one request.
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) max_attempts: u32,
    /// Seconds that an attempt may take.
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=86400))]
    pub(crate) timeout: u32,
    /// Failures of one kind in a row that stop the job; 0 for never.
    #[arg(long, value_name = "N", default_value = "12")]
    pub(crate) stop_after: u32,
}

/// What text costs, and what is taken for its tokens.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct TokenArgs {
    /// Price of a million input tokens.
    #[arg(long, value_name = "PRICE")]
    pub(crate) input_price: Option<f64>,
    /// Price of a million output tokens.
    #[arg(long, value_name = "PRICE")]
    pub(crate) output_price: Option<f64>,
    /// Tokens that a picture is taken for.
    #[arg(long, value_name = "N", default_value = "1000")]
    pub(crate) picture_tokens: f64,
    /// Tokens that a reply is taken for where the service counts none.
    #[arg(long, value_name = "N", default_value = "300")]
    pub(crate) reply_tokens: f64,
}

/// Refuses a number of requests that may be a mistake.
pub(crate) fn check_many(requests: usize, is_meant: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        requests <= MANY_REQUESTS || is_meant,
        "{requests} requests are more than {MANY_REQUESTS}, and the service may charge for each. Nothing was sent: add --yes to send them, --limit N to send the first ones, or --dry-run to see what they would be"
    );
    Ok(())
}

/// Says where a key can be read by everybody between.
pub(crate) fn warn_of_http(key: &str, url: &str) {
    if !key.is_empty() && url.starts_with("http:") && !address::is_loopback(url) {
        crate::say(&format!(
            "juror: the key goes to {} as everybody between can read it: the address begins with http:",
            address::host(url)
        ));
    }
}
