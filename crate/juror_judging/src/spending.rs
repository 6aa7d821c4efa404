//! What calls cost: estimated before they are sent, reserved while they are under way, charged when something came.
//!
//! Services count tokens as they like: some not at all, some wrongly. So every call is estimated from what it sends, and
//! the estimate stands in for a count that is missing or cannot be right. A limit on spending holds for what is spent and
//! what is reserved together; it is exact where replies have a largest length, which [`JobLimits::max_reply_tokens`] is.

use std::collections::BTreeMap;

use super::job::JobLimits;
use super::provider::Usage;
use crate::error::Error;

/// A rough rule for text of any script: a token of English has four bytes, a Chinese character has three.
const BYTES_PER_TOKEN: f64 = 4.0;
/// A count beyond so many times the estimate is taken for a mistake; a model that thinks may well write a hundred times more.
const IMPLAUSIBLE_TIMES: f64 = 1000.0;
/// Estimates below this are as good as this when a count is held against them.
const LEAST_TOKENS: f64 = 100.0;
/// Sums of prices are rounded: a budget that equals what was spent is not exceeded by the last bit.
const TINY: f64 = 1e-9;

/// What a job's calls are paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priced {
    /// Tokens of requests and replies.
    Tokens,
    /// Pictures that are made.
    Pictures,
    /// Some calls by tokens, some by pictures.
    Both,
}

/// A call that is about to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call<'a> {
    /// It is answered in text.
    Text {
        /// What is sent, without the bytes of pictures.
        body: &'a str,
        /// How many pictures go along.
        pictures: u32,
    },
    /// It is answered by a picture.
    Picture,
}

/// A call that was sent.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    input_tokens: f64,
    output_tokens: f64,
    /// What it costs where it is not paid for by tokens.
    fixed: Option<f64>,
    /// What it may cost at most.
    most: f64,
}

/// What was spent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bill {
    pub(super) input_tokens: f64,
    pub(super) output_tokens: f64,
    pub(super) spent: f64,
    pub(super) uncounted: u32,
    pub(super) implausible: u32,
}

/// What a job may spend, has reserved, and has spent.
#[derive(Clone, Debug)]
pub(super) struct Purse {
    input_price: f64,
    output_price: f64,
    picture_price: f64,
    picture_tokens: f64,
    reply_tokens: f64,
    max_reply_tokens: f64,
    budget: Option<f64>,
    under_way: BTreeMap<u32, Estimate>,
    /// What the dearest call by tokens came to.
    dearest: f64,
    bill: Bill,
}

impl Purse {
    /// The purse of a job, if its limits can be kept.
    pub(super) fn new(limits: &JobLimits, priced: Priced) -> Result<Self, Error> {
        check(limits, priced).map_err(Error::Limits)?;
        Ok(Self {
            input_price: limits.input_price.unwrap_or(0.0),
            output_price: limits.output_price.unwrap_or(0.0),
            picture_price: limits.picture_price.unwrap_or(0.0),
            picture_tokens: limits.picture_tokens,
            reply_tokens: limits.reply_tokens,
            max_reply_tokens: limits.max_reply_tokens.unwrap_or(limits.reply_tokens),
            budget: limits.budget,
            under_way: BTreeMap::new(),
            dearest: 0.0,
            bill: Bill::default(),
        })
    }

    /// Sets aside what a call may cost; gives that cost where it does not fit.
    pub(super) fn reserve(&mut self, task: u32, call: Call<'_>) -> Result<(), f64> {
        let estimate = self.estimate(call);
        let taken = self.bill.spent + self.reserved();
        // A call that costs nothing fits, but into nothing that is left.
        let fits = self.budget.is_none_or(|budget| {
            taken + estimate.most <= budget + TINY && (taken < budget || estimate.most == 0.0)
        });
        if !fits {
            return Err(estimate.most);
        }
        self.under_way.insert(task, estimate);
        Ok(())
    }

    /// What the calls under way may cost together.
    pub(super) fn reserved(&self) -> f64 {
        self.under_way.values().map(|estimate| estimate.most).sum()
    }

    /// Gives back what was set aside for a call that costs nothing.
    pub(super) fn release(&mut self, task: u32) {
        self.under_way.remove(&task);
    }

    /// Counts a call, by what the service says of it or by the estimate.
    pub(super) fn charge(&mut self, task: u32, usage: Usage) {
        let Some(estimate) = self.under_way.remove(&task) else {
            return;
        };
        if let Some(price) = estimate.fixed {
            self.bill.input_tokens += plausible(usage.input_tokens, estimate.input_tokens);
            self.bill.output_tokens += plausible(usage.output_tokens, estimate.output_tokens);
            self.bill.spent += price;
            return;
        }
        // No request has no tokens: a service that says so has counted nothing.
        let counts = if usage.input_tokens == Some(0.0) {
            [Count::Missing; 2]
        } else {
            [
                judged(usage.input_tokens, estimate.input_tokens),
                judged(usage.output_tokens, estimate.output_tokens),
            ]
        };
        if counts.contains(&Count::Absurd) {
            self.bill.implausible += 1;
        } else if counts.contains(&Count::Missing) {
            self.bill.uncounted += 1;
        }
        let input = counts[0].or(estimate.input_tokens);
        let output = counts[1].or(estimate.output_tokens);
        let cost = self.price([input, output]);
        self.dearest = self.dearest.max(cost);
        self.bill.input_tokens += input;
        self.bill.output_tokens += output;
        self.bill.spent += cost;
    }

    pub(super) fn bill(&self) -> Bill {
        self.bill
    }

    /// Why nothing more is sent, where the next call may cost so much.
    pub(super) fn refusal(&self, most: f64) -> String {
        let budget = self.budget.unwrap_or(f64::INFINITY);
        format!(
            "The budget leaves no room for another call: {:.4} of {budget} are spent, and the next one may cost up to {most:.4}. Raise it, or lower Max tokens, and start again to go on with the rest.",
            self.bill.spent
        )
    }

    fn estimate(&self, call: Call<'_>) -> Estimate {
        match call {
            Call::Picture => Estimate {
                input_tokens: 0.0,
                output_tokens: 0.0,
                fixed: Some(self.picture_price),
                most: self.picture_price,
            },
            Call::Text { body, pictures } => {
                let input_tokens = (body.len() as f64 / BYTES_PER_TOKEN
                    + f64::from(pictures) * self.picture_tokens)
                    .ceil();
                let most = self.price([input_tokens, self.max_reply_tokens.max(self.reply_tokens)]);
                Estimate {
                    input_tokens,
                    output_tokens: self.reply_tokens,
                    fixed: None,
                    // What was dearer than expected once may be so again.
                    most: most.max(self.dearest),
                }
            }
        }
    }

    fn price(&self, [input, output]: [f64; 2]) -> f64 {
        (input * self.input_price + output * self.output_price) / 1e6
    }
}

/// A service's count, held against the estimate.
#[derive(Clone, Copy, PartialEq)]
enum Count {
    Fits(f64),
    Missing,
    Absurd,
}

impl Count {
    fn or(self, estimate: f64) -> f64 {
        match self {
            Self::Fits(count) => count,
            Self::Missing | Self::Absurd => estimate,
        }
    }
}

fn judged(count: Option<f64>, estimate: f64) -> Count {
    let most = IMPLAUSIBLE_TIMES * estimate.max(LEAST_TOKENS);
    match count {
        None => Count::Missing,
        Some(count) if (0.0..=most).contains(&count) => Count::Fits(count),
        Some(_) => Count::Absurd,
    }
}

/// The tokens of a call that is not paid for by them.
fn plausible(count: Option<f64>, estimate: f64) -> f64 {
    judged(count, estimate).or(0.0)
}

/// A budget is kept by prices: without them nothing would ever be spent.
fn check(limits: &JobLimits, priced: Priced) -> Result<(), String> {
    let JobLimits {
        input_price,
        output_price,
        picture_price,
        ..
    } = *limits;
    let numbers = [
        ("the price of input tokens", input_price),
        ("the price of output tokens", output_price),
        ("the price of a picture", picture_price),
        ("the tokens of a picture", Some(limits.picture_tokens)),
        ("the tokens of a reply", Some(limits.reply_tokens)),
        ("the most tokens of a reply", limits.max_reply_tokens),
        ("the budget", limits.budget),
    ];
    for (name, number) in numbers {
        if let Some(number) = number.filter(|number| !(0.0..f64::INFINITY).contains(number)) {
            return Err(format!("Expected {name} to be 0 or more, found {number}."));
        }
    }
    if limits.budget.is_none() {
        return Ok(());
    }
    let (tokens, pictures) = ([input_price, output_price], [picture_price]);
    let (needed, what): (Vec<Option<f64>>, &str) = match priced {
        Priced::Tokens => (
            tokens.to_vec(),
            "what a million input and a million output tokens cost",
        ),
        Priced::Pictures => (pictures.to_vec(), "what a picture costs"),
        Priced::Both => (
            [&tokens[..], &pictures[..]].concat(),
            "what a picture, a million input and a million output tokens cost",
        ),
    };
    if needed.iter().any(Option::is_none) {
        return Err(format!(
            "“Spend at most” needs prices: enter {what}, or leave it empty. Without them Juror cannot tell when it is reached, so nothing was sent."
        ));
    }
    if needed.iter().all(|price| *price == Some(0.0)) {
        return Err(
            "“Spend at most” is never reached where all prices are 0: enter what the service charges, or leave it empty. Nothing was sent.".to_owned(),
        );
    }
    Ok(())
}
