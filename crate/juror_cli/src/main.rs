#![doc = include_str!("../README.md")]

use juror_reading::count::counted;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Parser, Subcommand, ValueEnum};
use juror_evidence::report;
use juror_evidence::report::tables::Intervals;
use juror_model::options::{Policy, Profile, ReplyReading, ScoreOptions};
use juror_model::problem::{Problem, Severity};
use juror_model::subset::Subset;
use juror_protocols::contract::{Protocol, Signs};
use juror_protocols::declared::Declared;
use juror_reading::escape::{terminal, terminal_line};
use juror_session::error::Error;

mod agents;
mod agreement;
mod batch;
mod change;
mod check;
mod compare;
mod conditions;
mod dar;
mod experiments;
mod generate;
mod host;
mod html;
mod inputs;
mod inspect;
mod judge;
mod labels;
mod links;
mod lint;
mod make;
mod making;
mod measure;
mod metric;
mod networks;
mod pack;
mod panel;
mod parse;
mod requests;
mod sending;
mod sets;
mod sign;
mod site;

/// Scores image-generation benchmarks and shows what every number rests on.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Command,
    /// The benchmark that counts where several may be meant: the path of its list, of the juror.json that declares it, or
    /// of the folder that it lies in.
    #[arg(long, global = true, value_name = "PATH")]
    benchmark: Option<PathBuf>,
    /// Who judged in a file of replies that does not state it, such as WEAVEBench's metrics.jsonl, or in all such files of a
    /// folder; may be given several times. Reports and packs say that the judge was named manually.
    #[arg(long, global = true, value_name = "PATH=NAME")]
    judge_of: Vec<host::JudgeOf>,
    /// How replies are read under the paper's formulas. Tolerantly, thoughts, Markdown, words around an object and the like
    /// are taken off first, each of them counted; a reply with two verdicts that differ has none either way.
    #[arg(long, global = true, value_enum, default_value = "strict")]
    reading: ReadingArg,
    /// Pictures of up to so many megapixels are read.
    #[arg(long, global = true, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1000))]
    max_megapixels: u64,
    /// What a model of WEAVEBench is judged on, where its files do not tell it: img (pictures), txt (texts) or umm (both).
    #[arg(long, global = true, value_name = "MODEL=KIND")]
    kind: Vec<host::KindOf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tells what was found: benchmark, samples, models, replies, incidents; with --statistics what the benchmark is made of.
    Inspect(inspect::InspectArgs),
    /// Checks outputs before judging: missing, misnamed, extra, unreadable, of an odd size, repeated, copied.
    Lint(lint::LintArgs),
    /// Writes the judge requests.
    Requests {
        /// Benchmark and model folders, in any order.
        #[arg(required = true)]
        dirs: Vec<PathBuf>,
        /// In which form.
        #[arg(long, value_enum)]
        engine: Engine,
        /// The authors' repository or prompt files, or the micon-specific.json that `juror make micon` writes; the built-in
        /// wording otherwise.
        #[arg(long)]
        prompts: Option<PathBuf>,
        /// Of which samples and models.
        #[command(flatten)]
        scope: ScopeArgs,
        /// Only requests that have no readable reply yet; for batch files, none of this judge and run.
        #[arg(long)]
        missing: bool,
        /// End with exit code 1 where anything was found that could change what is asked.
        #[arg(long)]
        strict: bool,
        /// File to write; a batch beyond the engine's limits becomes FILE-001, FILE-002, …
        #[arg(long)]
        out: PathBuf,
        /// How batch files are made.
        #[command(flatten)]
        batch: BatchArgs,
    },
    /// Sends the judge requests to a service and appends each reply to a journal, which a later run goes on with.
    Judge(Box<judge::JudgeArgs>),
    /// Writes what a generator is given, as it is or as a variant of it: one line for each sample and level, with the pictures.
    Inputs(inputs::InputsArgs),
    /// Sends what a generator is given to a service and writes the pictures as a model's outputs, in the authors' layout; a
    /// later run goes on with the rest.
    Generate(Box<generate::GenerateArgs>),
    /// Carries out MultiBanana's agent loops: a planner looks at each picture and rewrites the prompt for the next; the
    /// pictures of each step become a model's outputs, and a later run, or the page, goes on with the rest.
    Agents(Box<agents::AgentsArgs>),
    /// Reads one reply from stdin and prints its verdict.
    Parse(parse::ParseArgs),
    /// Prints the JSON Schema of `juror.json`, the file that declares a benchmark of your own.
    Schema,
    /// Compares judges with people's ratings and with each other, and each judge with itself over runs.
    Agreement(agreement::AgreementArgs),
    /// Counts failure labels by group and model, and compares people who set them.
    Labels(labels::LabelsArgs),
    /// Compares models on the same samples: intervals, paired tests, tie groups, in numbers and in sentences.
    Compare(compare::CompareArgs),
    /// Holds the levels of a factor against each other on the same samples: variants of a submission, prompts, judges.
    Experiments(experiments::ExperimentsArgs),
    /// Writes everything that a report rests on into one ZIP, and checks that it reproduces.
    Pack(pack::PackArgs),
    /// Recomputes every score of an evidence pack from its raw replies; tells what differs. Exit code 1 if anything does.
    Verify {
        /// The pack.
        pack: PathBuf,
        /// Another pack to compare it with: samples, requests, verdicts, scores.
        other: Option<PathBuf>,
        /// Exit code 1 also where the pack is not signed by this public key of minisign's: its file, or the key itself.
        #[arg(long, value_name = "PUB")]
        signer: Option<String>,
    },
    /// Makes a pair of keys for signing packs, `NAME.key` and `NAME.pub`, in minisign's format.
    Key {
        /// Their name without the end.
        #[arg(long, value_name = "NAME")]
        out: PathBuf,
    },
    /// Writes a folder that any static host serves: the viewer, packs, and a list of them with their tables.
    Site(site::SiteArgs),
    /// Prints a paper's own results as CSV, each number beside what its parts come to.
    Published {
        /// Protocol id: `weave`, `multibanana`, `micon`, `vibe`, `multiref`.
        protocol: String,
    },
    /// Makes cases by a procedure, in the benchmark's own layout.
    Make {
        /// What to make.
        #[command(subcommand)]
        what: Make,
    },
    /// Computes one image metric of two files and prints it as JSON.
    Metric {
        /// `mse`, `psnr`, `ssim`, `edge_mse`, `changed`, `mask`, `fid`, …; a wrong name lists all.
        name: String,
        /// Picture or NPY array to compare with; of `fid` also a folder of pictures.
        reference: PathBuf,
        /// Picture or NPY array to judge; of `fid` also a folder of pictures.
        candidate: PathBuf,
        /// Computes on the GPU where there is one and the metric has a twin there; says why where it does not.
        #[arg(long)]
        gpu: bool,
        /// Networks; `fid` of folders needs one for `inception`.
        #[command(flatten)]
        networks: networks::NetworkArgs,
    },
    /// Counts how much of a picture changed, in a mask or a box and outside of it, as JSON.
    Change(change::ChangeArgs),
    /// Rebalances the attention of one call (MICON-Bench's DAR) from its Q and K, and prints relevance, weights and the
    /// attention to each reference token before and after as JSON.
    Dar(dar::DarArgs),
    /// Completes MultiRef-Bench's conditions from files made elsewhere, `MODEL/CONDITION/SAMPLE.png` or `.npy`: depth maps,
    /// sketches, masks, region maps, poses, boxes, CLIP features. Writes a journal that counts wherever it is opened.
    Conditions(conditions::ConditionsArgs),
    /// Checks answers to made cases, structured or drawn, exactly and without a judge.
    Check {
        /// What to check.
        #[command(subcommand)]
        what: Check,
    },
    /// Scores everything that was found.
    Score(Box<ScoreArgs>),
}

#[derive(Debug, clap::Args)]
struct ScoreArgs {
    /// Benchmark and model folders, in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Journals with more replies.
    #[arg(long)]
    replies: Vec<PathBuf>,
    /// End with exit code 1 where anything was found that could change a number.
    #[arg(long)]
    strict: bool,
    /// Hold every reply that records its request's hash against the request as it is now: those to an earlier picture,
    /// text or prompt no longer count. Reads every judged picture.
    #[arg(long)]
    check_requests: bool,
    /// Which formulas.
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileArg,
    /// What incidents count as; the profile's own policy if not given.
    #[arg(long, value_enum)]
    policy: Option<PolicyArg>,
    /// Only this judge's replies; an empty name for those that name none. All judges if not given.
    #[arg(long, conflicts_with = "panel")]
    judge: Option<String>,
    /// Several judges together.
    #[command(flatten)]
    panel: panel::PanelArgs,
    /// Only this run's replies, from 1. All runs if not given.
    #[arg(long)]
    run: Option<u32>,
    /// In which form.
    #[arg(long, value_enum, default_value = "json")]
    format: Format,
    /// File to write; stdout if not given, or juror.html.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Complete MultiRef-Bench's conditions from files made elsewhere first, and by the networks of packs; see juror
    /// conditions.
    #[arg(long)]
    conditions: bool,
    /// Networks that measure.
    #[command(flatten)]
    networks: networks::NetworkArgs,
    /// What outputs are measured by.
    #[command(flatten)]
    measure: measure::MeasureArgs,
    /// What the page in one file is made of.
    #[command(flatten)]
    html: html::HtmlArgs,
}

#[derive(Debug, Subcommand)]
enum Make {
    /// VIBE's Billiards: pictures, golden answers, and the list with the truth of each case.
    Billiards {
        /// How many cases; 2 to 7 cushions take turns without --cushions.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=9999))]
        count: u32,
        /// How many cushions each case touches, 2 to 7.
        #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..=7))]
        cushions: Option<u32>,
        /// Which cases: the same seed gives the same files, byte for byte.
        #[arg(long)]
        seed: u64,
        /// Folder to write to.
        #[arg(long)]
        out: PathBuf,
    },
    /// VIBE's items from marks that a person drew over pictures: layers, sources, and the tasks' lists.
    Annotate(making::annotation::AnnotateArgs),
    /// VIBE's items with two or three deictic tasks at once, from single items on the same picture.
    Compose(making::annotation::ComposeArgs),
    /// MultiRef-Bench's synthetic half, by RefBlend: originals with typed references become samples.
    Refblend(making::refblend::RefblendArgs),
    /// MultiRef-Bench's real-world half: requests that people posted become samples, reviewed at every step.
    Realworld(making::realworld::RealworldArgs),
    /// MICON-Bench's cases: drawn from lists, with references made by a service or by hand.
    Micon(making::micon::MiconArgs),
    /// WEAVE's dialogues without edits that changed nothing: these are made again, judged, then dropped with their turn.
    VerifyEdits(making::weave::VerifyArgs),
    /// WEAVE's dialogues from nothing: plans, pictures and questions by models, each accepted by a person.
    Dialogues(making::dialogues::DialoguesArgs),
    /// WEAVE's dialogues with at most one text turn more each: written and checked by models, accepted by a person.
    ExtendDialogues(making::turns::ExtendArgs),
    /// Proposes where the panels of a picture are, or cuts one out, as a story's references are made.
    Crop(making::micon::CropArgs),
    /// A step that needs no project.
    #[command(flatten)]
    Step(making::steps::Step),
    /// Tells how far a project is.
    Progress {
        /// The project's folder.
        folder: PathBuf,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
enum Check {
    /// VIBE's Billiards: answers come on stdin, one JSON object on each line, as `{"id", "cue", "balls", "arrow", "theta",
    /// "cushions", "target"}`, or as pictures in the folder of --outputs; verdicts go to stdout in VIBE's form.
    Billiards {
        /// The `Billiards.json` that `juror make billiards` wrote.
        list: PathBuf,
        /// Folder of pictures that are named after the cases, such as `Billiards_0001.png`. What cannot be read is `unsure`,
        /// with the reason, and no verdict.
        #[arg(long, value_name = "DIR")]
        outputs: Option<PathBuf>,
    },
    /// WEAVE's dialogues: turns, numbers of pictures, requirements of key points.
    Dialogues {
        /// The list of dialogues, such as `test.json`.
        list: PathBuf,
    },
}

/// How batch files are made.
#[derive(Debug, clap::Args)]
struct ScopeArgs {
    /// Only this model.
    #[arg(long)]
    model: Option<String>,
    /// Only samples that pass this filter, as in the page's sample list: "task:add incident:missing".
    #[arg(long, value_name = "EXPRESSION")]
    filter: Option<String>,
    #[command(flatten)]
    per: PerArgs,
}

/// Which part of the samples is drawn.
#[derive(Debug, clap::Args)]
pub(crate) struct PerArgs {
    /// Only so many samples of each group, drawn so that anyone draws the same: task=30, or all=100. A larger number
    /// contains the samples of a smaller one.
    #[arg(long, value_name = "GROUP=N")]
    per: Option<String>,
    /// Which samples --per draws.
    #[arg(long, default_value = "1")]
    seed: u32,
}

impl PerArgs {
    /// The samples that are drawn; `None` for all.
    pub(crate) fn subset(&self) -> anyhow::Result<Option<Subset>> {
        let Some(per) = &self.per else {
            return Ok(None);
        };
        per.rsplit_once('=')
            .and_then(|(group, n)| format!("{group}/{n}/{}", self.seed).parse().ok())
            .with_context(|| {
                format!("--per takes a group and a number such as task=30, found {per}")
            })
            .map(Some)
    }

    /// A filter expression that only the drawn ones of those pass that pass this one.
    pub(crate) fn within(&self, filter: &str) -> anyhow::Result<String> {
        let Some(subset) = self.subset()? else {
            return Ok(filter.to_owned());
        };
        Ok(match filter.trim() {
            "" => format!("subset:\"{subset}\""),
            filter => format!("({filter}) subset:\"{subset}\""),
        })
    }
}

impl ScopeArgs {
    fn scope(self) -> anyhow::Result<requests::Scope> {
        let filter = self.filter.unwrap_or_default();
        if self.model.is_none() && filter.contains("model:") {
            say(
                "juror: --filter chooses samples, and every model is asked about them; --model NAME asks about one model.",
            );
        }
        Ok(requests::Scope {
            model: self.model,
            filter: self.per.within(&filter)?,
        })
    }
}

#[derive(Debug, clap::Args)]
struct BatchArgs {
    /// Judge id, under which replies are filed; one that the benchmark names (MultiBanana: gemini, gpt, qwenvl; MICON:
    /// qwen3-vl-32b, internvl3.5-38b; VIBE: gpt-5.1; WEAVEBench: gpt-4o, gpt-4.1; MultiRef: gpt-4o-mini) brings its
    /// model and parameters along. Without it, the benchmark's first one of the engine's kind.
    #[arg(long)]
    judge: Option<String>,
    /// The engine's name of the judge's model; the judge id if the benchmark names none.
    #[arg(long)]
    judge_model: Option<String>,
    #[command(flatten)]
    params: batch::ParamArgs,
    /// Repeats of each request.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// Where pictures go: inline (base64), file (a folder FILE-images, as file://…), or a prefix under which that
    /// folder's content is reachable (https://… or file:///…).
    #[arg(long, default_value = "inline", value_name = "inline|file|PREFIX")]
    images: batch::Images,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Engine {
    /// One text file with every request between separators.
    Text,
    /// A sheet to put replies under: one heading for each request.
    Sheet,
    /// OpenAI's Batch API.
    Openai,
    /// `vllm run-batch`.
    Vllm,
    /// Gemini's batch mode.
    Gemini,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProfileArg {
    /// As printed.
    Paper,
    /// As the authors' code computes it.
    Released,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReadingArg {
    /// By the grammar that was asked for.
    Strict,
    /// With what judges write around it taken off.
    Tolerant,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PolicyArg {
    /// Incidents are left out.
    Exclude,
    /// Missing outputs score as lowest (the default under the paper's formulas).
    Zero,
    /// As in the authors' code.
    Upstream,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// `juror-report/1`.
    Json,
    /// The score rows.
    Csv,
    /// Tables with tie groups, rounded as printed.
    Md,
    /// The same for a paper, with booktabs.
    Latex,
    /// The same with 95 % intervals.
    LatexIntervals,
    /// The page in one file with an evidence pack inside: a double click shows this report.
    Html,
}

impl From<ProfileArg> for Profile {
    fn from(arg: ProfileArg) -> Self {
        match arg {
            ProfileArg::Paper => Self::Paper,
            ProfileArg::Released => Self::Released,
        }
    }
}

impl From<ReadingArg> for ReplyReading {
    fn from(arg: ReadingArg) -> Self {
        match arg {
            ReadingArg::Strict => Self::Strict,
            ReadingArg::Tolerant => Self::Tolerant,
        }
    }
}

impl From<PolicyArg> for Policy {
    fn from(arg: PolicyArg) -> Self {
        match arg {
            PolicyArg::Exclude => Self::Exclude,
            PolicyArg::Zero => Self::Zero,
            PolicyArg::Upstream => Self::Upstream,
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(path) = args.benchmark {
        host::choose(path);
    }
    host::name_judges(args.judge_of);
    host::read_as(args.reading.into());
    juror_image::allow_pixels(args.max_megapixels * 1_000_000);
    host::set_kinds(args.kind);
    match run(args.command) {
        Ok(code) => code,
        Err(error) => {
            say(&format!("juror: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Prints what a command has to say, which is then fine.
fn printed(text: &str) -> anyhow::Result<ExitCode> {
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Inspect(args) => inspect::run(&args),
        Command::Lint(args) => lint::run(args),
        Command::Requests {
            dirs,
            engine,
            prompts,
            scope,
            missing,
            strict,
            out,
            batch,
        } => {
            let mut host = host::Host::with_prompts(&dirs, prompts.as_ref())?;
            let is_clean = tell_in_short(&mut host);
            let which = if missing {
                requests::Which::Missing
            } else {
                requests::Which::All
            };
            let code = write_requests(&mut host, engine, &scope.scope()?, which, &out, batch)?;
            Ok(strictly(code, strict, is_clean))
        }
        Command::Judge(args) => judge::run(&args),
        Command::Inputs(args) => inputs::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Agents(args) => agents::run(&args),
        Command::Parse(args) => parse::run(&args),
        Command::Schema => printed(juror_protocols::declared::schema::SCHEMA),
        Command::Agreement(args) => agreement::run(args),
        Command::Labels(args) => labels::run(&args),
        Command::Compare(args) => printed(&compare::run(args)?),
        Command::Experiments(args) => experiments::run(args),
        Command::Pack(args) => pack::write(args),
        Command::Site(args) => site::write(&args),
        Command::Verify {
            pack,
            other,
            signer,
        } => pack::verify(&pack, other.as_deref(), signer.as_deref()),
        Command::Key { out } => sign::make(&out),
        Command::Published { protocol } => printed(&named(&protocol)?.published().csv()),
        Command::Make { what } => make(what),
        Command::Metric {
            name,
            reference,
            candidate,
            gpu,
            networks,
        } => {
            if reference.is_dir() && candidate.is_dir() {
                let answer = sets::distance(&name, &reference, &candidate, &networks)?;
                return printed(&(serde_json::to_string(&answer)? + "\n"));
            }
            let backend = if gpu {
                juror_measure::Backend::Gpu
            } else {
                juror_measure::Backend::Cpu
            };
            let answer = metric::compute(&name, &reference, &candidate, backend)?;
            printed(&(serde_json::to_string(&answer)? + "\n"))
        }
        Command::Change(args) => change::run(&args),
        Command::Dar(args) => dar::run(&args),
        Command::Conditions(args) => conditions::run(&args),
        Command::Check {
            what: Check::Billiards { list, outputs },
        } => check_billiards(&list, outputs.as_deref()),
        Command::Check {
            what: Check::Dialogues { list },
        } => making::steps::check_dialogues(&list),
        Command::Score(args) => score(*args),
    }
}

fn make(what: Make) -> anyhow::Result<ExitCode> {
    match what {
        Make::Billiards {
            count,
            cushions,
            seed,
            out,
        } => {
            let choice = juror_make::billiards::Choice {
                count,
                seed,
                cushions,
            };
            make::billiards(choice, &out)?;
            Ok(ExitCode::SUCCESS)
        }
        Make::Annotate(args) => making::annotation::annotate(&args),
        Make::Compose(args) => making::annotation::combine(&args),
        Make::Refblend(args) => making::refblend::run(&args),
        Make::Realworld(args) => making::realworld::run(&args),
        Make::Micon(args) => making::micon::run(&args),
        Make::VerifyEdits(args) => making::weave::run(&args),
        Make::Dialogues(args) => making::dialogues::run(&args),
        Make::ExtendDialogues(args) => making::turns::run(&args),
        Make::Crop(args) => making::micon::cut(&args),
        Make::Step(step) => making::steps::run(&step),
        Make::Progress { folder, json } => making::progress(&folder, json),
    }
}

fn score(args: ScoreArgs) -> anyhow::Result<ExitCode> {
    let ScoreArgs {
        dirs,
        replies,
        strict,
        check_requests,
        profile,
        policy,
        judge,
        panel,
        run,
        format,
        out,
        conditions,
        networks,
        measure,
        html,
    } = args;
    let mut networks = networks::Opened::open(&networks)?;
    let mut host = host::Host::with_replies(&dirs, &replies)?;
    if check_requests {
        say(&host.check_requests());
    }
    let options = ScoreOptions {
        profile: profile.into(),
        policy: policy.map(Policy::from),
        judge: panel.judge(&mut host, judge.as_deref())?,
        run,
        reading: host::reading(),
    };
    check_choice(&mut host, &options)?;
    if conditions {
        conditions::add(&mut host, &mut networks);
    }
    measure::run(&mut host, &measure, &mut networks)?;
    if juror_session::score_rows(&host.session.study(&options)).is_empty() {
        let mut problems = juror_session::problems(&host.session.linked());
        problems.retain(|one| !FOUND_UNREAD.contains(&one.code.as_str()));
        tell(&problems);
        bail!("no model and no replies were found; see juror inspect");
    }
    let mut is_clean = tell_in_short(&mut host);
    // What is scored may have been forgotten meanwhile.
    juror_session::score_rows(&host.session.study(&options));
    let of_standing = juror_session::problems_of_standing(&host.session);
    is_clean &= !of_standing.iter().any(could_change_a_number);
    tell(&of_standing);
    let code = write_report(&mut host, &options, format, &html, out)?;
    Ok(strictly(code, strict, is_clean))
}

/// The exit code of a command that was asked to be strict.
pub(crate) fn strictly(code: ExitCode, is_strict: bool, is_clean: bool) -> ExitCode {
    if is_strict && !is_clean {
        ExitCode::from(1)
    } else {
        code
    }
}

fn could_change_a_number(problem: &Problem) -> bool {
    problem.severity != Severity::Note
}

fn write_report(
    host: &mut host::Host,
    options: &ScoreOptions,
    format: Format,
    html: &html::HtmlArgs,
    out: Option<PathBuf>,
) -> anyhow::Result<ExitCode> {
    let bytes = match format {
        Format::Json => juror_session::report(&host.session.study(options)).to_json(),
        Format::Csv => report::csv_as(
            juror_session::score_rows(&host.session.study(options)),
            options.reading(),
        ),
        Format::Md => juror_session::tables(&host.session.study(options)).to_markdown(),
        Format::Latex => {
            juror_session::tables(&host.session.study(options)).to_latex(Intervals::Hidden)
        }
        Format::LatexIntervals => {
            juror_session::tables(&host.session.study(options)).to_latex(Intervals::Shown)
        }
        Format::Html => return html::write(host, options, html, out),
    };
    match out {
        Some(out) => std::fs::write(&out, bytes)
            .with_context(|| format!("cannot write {}", out.display()))?,
        None => print(&bytes)?,
    }
    Ok(host.exit_code())
}

/// A judge or run that nobody has would score 0 of everything: a wrong name, more likely than not.
pub(crate) fn check_choice(host: &mut host::Host, options: &ScoreOptions) -> anyhow::Result<()> {
    parse::check_reading(options.profile)?;
    if options.judge.is_none() && options.run.is_none() {
        return Ok(());
    }
    let found = juror_session::judges_and_runs(&host.session.linked());
    if let Some(judge) = &options.judge {
        match juror_session::check_judge(&host.session.linked(), judge) {
            Err(Error::UnknownJudge(absent)) => {
                let joined = found.joined.into_iter().map(|joined| joined.name);
                let known = [found.judges, joined.collect(), found.people].concat();
                bail!("no reply is by the judge {absent:?}; expected one of {known:?}");
            }
            checked => checked?,
        }
    }
    if let Some(run) = options.run
        && !found.runs.contains(&run)
    {
        bail!("no reply is of run {run}; expected one of {:?}", found.runs);
    }
    Ok(())
}

fn check_billiards(list: &Path, outputs: Option<&Path>) -> anyhow::Result<ExitCode> {
    let check::Report { lines, faults } = match outputs {
        Some(folder) => check::pictures(list, folder)?,
        None => check::billiards(list)?,
    };
    print(&lines)?;
    for fault in &faults {
        say(fault);
    }
    Ok(if faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// The judge requests as one text or as batch files.
fn write_requests(
    host: &mut host::Host,
    engine: Engine,
    scope: &requests::Scope,
    which: requests::Which,
    out: &Path,
    args: BatchArgs,
) -> anyhow::Result<ExitCode> {
    let engine = match engine {
        Engine::Text => {
            let text = requests::text(host, scope, which)?;
            std::fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))?;
            return Ok(ExitCode::SUCCESS);
        }
        Engine::Sheet => {
            let judge = args.judge.as_deref().unwrap_or("manual");
            let text = requests::sheet(host, scope, which, judge)?;
            std::fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))?;
            return Ok(ExitCode::SUCCESS);
        }
        Engine::Openai => batch::Engine::OpenAi,
        Engine::Vllm => batch::Engine::Vllm,
        Engine::Gemini => batch::Engine::Gemini,
    };
    let judge = batch::JudgeArgs {
        judge: args.judge,
        judge_model: args.judge_model,
        params: args.params,
    };
    let written = batch::write(
        host,
        &batch::Order {
            engine,
            judge: &judge,
            scope,
            which,
            runs: args.runs,
            images: args.images,
            out,
        },
    )?;
    if written.files.is_empty() {
        say("juror: there was nothing to ask, so no file was written.");
    }
    for (path, lines, bytes) in &written.files {
        say(&format!(
            "{}: {}, {bytes} bytes",
            path.display(),
            counted(*lines, "request", "requests")
        ));
    }
    Ok(if written.left_out == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// The built-in protocol of this id.
fn named(protocol: &str) -> anyhow::Result<&'static dyn Protocol> {
    let all = juror_protocols::registry::ALL.iter().copied();
    let built_in = || all.clone().filter(|known| !known.is_named_by_file());
    built_in()
        .find(|known| known.id() == protocol)
        .with_context(|| {
            let known: Vec<&str> = built_in().map(Signs::id).collect();
            format!(
                "there is no protocol {protocol}; known: {}",
                known.join(", ")
            )
        })
}

/// The protocol that a file declares.
fn declared(path: &str) -> anyhow::Result<Declared> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    Declared::from_text(path, &text).map_err(|problem| {
        tell(&[*problem]);
        anyhow::anyhow!("{path} declares no protocol")
    })
}

/// Problems in words.
pub(crate) fn tell(problems: &[Problem]) {
    for problem in problems {
        let Problem {
            path,
            place,
            message,
            hint,
            ..
        } = problem;
        say(&sentence(problem.severity, [path, place, message, hint]));
    }
}

/// Findings of what could not be read, which opening has said in one line with counts.
const FOUND_UNREAD: [&str; 3] = ["unreadable_file", "unreadable_folder", "damaged_entry"];

/// One line for each kind of finding that could change a number, with the first of its kind; whether there is none.
pub(crate) fn tell_in_short(host: &mut host::Host) -> bool {
    let notices = juror_session::notices(&host.session.linked());
    let is_told = |code: &str| FOUND_UNREAD.contains(&code);
    for notice in notices.iter().filter(|one| !is_told(&one.code)) {
        let more = match notice.count - 1 {
            0 => String::new(),
            more => format!("{more} more of this kind; "),
        };
        let severity = severity_word(notice.severity);
        let line = format!("{severity}: {} ({more}details: juror inspect)", notice.text);
        say(&line);
    }
    notices.is_empty()
}

/// A finding in one line; its path, place, message and hint.
fn sentence(severity: Severity, [path, place, message, hint]: [&str; 4]) -> String {
    let severity = severity_word(severity);
    let comma = if place.is_empty() { "" } else { ", " };
    terminal_line(&format!(
        "{severity}: {path}{comma}{place}: {message} {hint}"
    ))
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Says one line; names in it cannot write to the terminal or begin a line of their own.
#[expect(clippy::print_stderr, reason = "words go to stderr")]
pub(crate) fn say(text: &str) {
    eprintln!("{}", terminal_line(text));
}

/// Writes to stdout; a reader that has gone away is no error. Files and pipes get every byte, a terminal no controls.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let stdout = std::io::stdout();
    let text = if stdout.is_terminal() {
        terminal(text).into()
    } else {
        std::borrow::Cow::Borrowed(text)
    };
    match stdout.lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to stdout")
        }
        _ => Ok(()),
    }
}
