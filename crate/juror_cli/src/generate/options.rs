//! The options of `juror generate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use juror_judging::provider::PictureWire;

use super::batched::BatchArgs;
use crate::inputs::Levels;
use crate::sending::{PaceArgs, TokenArgs};
use crate::{PerArgs, batch};
use juror_session::generating::AskedTurns;

/// Which pictures to ask for, of whom, and within which bounds.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The benchmark's folder, and others that its pictures are in.
    #[arg(required = true)]
    pub(super) dirs: Vec<PathBuf>,
    /// Folder in which the model's folder is made. What the journal next to it says was made is not asked for again.
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Model name under which the pictures are filed; the service's name of the model if not given.
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    #[command(flatten)]
    pub(super) service: ServiceArgs,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    #[command(flatten)]
    pub(super) texts: TextArgs,
    #[command(flatten)]
    pub(super) batch: BatchArgs,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    /// Send nothing: print how many requests and pictures it would be, what they cost at the price given, and the size of the
    /// first request.
    #[arg(long, conflicts_with_all = ["test", "yes"])]
    pub(super) dry_run: bool,
    /// Send one request, print its record, and keep the picture.
    #[arg(long)]
    pub(super) test: bool,
    /// Send also more than 200 requests.
    #[arg(long)]
    pub(super) yes: bool,
}

#[derive(Debug, Args)]
pub(super) struct ServiceArgs {
    /// How the service is spoken to.
    #[arg(long, value_enum)]
    pub(super) wire: WireArg,
    /// Address of the service, such as `http://localhost:8000/v1`; the provider's own if not given.
    #[arg(long, value_name = "URL", default_value = "")]
    pub(super) base: String,
    /// The service's name of the model.
    #[arg(long, value_name = "NAME")]
    pub(super) model: String,
    /// Environment variable that holds the key; none for no key. The provider's usual one if not given (`OPENAI_API_KEY`,
    /// `GEMINI_API_KEY` or `GOOGLE_API_KEY`); a service on this machine needs none.
    #[arg(long, value_name = "VARIABLE")]
    pub(super) key_env: Option<String>,
    #[command(flatten)]
    pub(super) params: batch::ParamArgs,
}

#[derive(Debug, Args)]
pub(super) struct ScopeArgs {
    /// A level of a factor, which the requests are written on and the folder is named after; a wrong name lists what there is.
    #[arg(long, value_name = "FACTOR=LEVEL")]
    pub(super) vary: Option<Levels>,
    /// What follows where a picture fails that later turns of its dialogue would be shown.
    #[arg(long, value_enum, default_value = "stop")]
    pub(super) on_failure: OnFailure,
    /// Only samples that pass this filter, as in the page's sample list: "task:add".
    #[arg(long, value_name = "EXPRESSION", default_value = "")]
    pub(super) filter: String,
    #[command(flatten)]
    pub(super) per: PerArgs,
    /// Send again what the service declined, and what answers another request than the one of now: its picture is replaced.
    #[arg(long)]
    pub(super) again: bool,
    /// No more than so many requests, the first ones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) limit: Option<u32>,
}

/// Turns whose answer is a text: chat calls of the same service, with the pictures in them.
#[derive(Debug, Args)]
pub(super) struct TextArgs {
    /// Which turns are asked for, by what their answer is.
    #[arg(long, value_enum, default_value = "pictures")]
    pub(super) turns: Turns,
    /// The service's name of the model that answers in text; that of --model if not given.
    #[arg(long, value_name = "NAME")]
    pub(super) text_model: Option<String>,
    /// Most tokens of a text; 1024 if not given, as the authors of WEAVEBench have it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) text_max_tokens: Option<u32>,
    /// More parameters of calls for texts by the service's names, as a JSON object.
    #[arg(long, value_name = "JSON")]
    pub(super) text_extra: Option<String>,
    #[command(flatten)]
    pub(super) tokens: TokenArgs,
}

/// Turns by what their answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Turns {
    /// Those that ask for a picture.
    Pictures,
    /// Those that ask for a text.
    Texts,
    /// Both.
    All,
}

impl From<Turns> for AskedTurns {
    fn from(turns: Turns) -> Self {
        match turns {
            Turns::Pictures => Self::Pictures,
            Turns::Texts => Self::Texts,
            Turns::All => Self::All,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    #[command(flatten)]
    pub(super) pace: PaceArgs,
    /// Spend at most so much in this run, in the currency of the prices, of which there must be one for whatever is asked for.
    #[arg(long, value_name = "AMOUNT")]
    pub(super) budget: Option<f64>,
    /// Price of a picture; an answer without one counts as well, as services may charge for it.
    #[arg(long, value_name = "PRICE")]
    pub(super) picture_price: Option<f64>,
}

/// A generator's wire.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum WireArg {
    /// Images as OpenAI has them: generations, and edits where pictures go along.
    Openai,
    /// Gemini's generateContent with pictures in the answer.
    Gemini,
}

impl From<WireArg> for PictureWire {
    fn from(arg: WireArg) -> Self {
        match arg {
            WireArg::Openai => Self::OpenAi,
            WireArg::Gemini => Self::Gemini,
        }
    }
}

/// What follows on a picture that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OnFailure {
    /// Its dialogue stops.
    Stop,
    /// The data set's picture takes its place, and what is made with it is marked as leaked.
    Golden,
}
