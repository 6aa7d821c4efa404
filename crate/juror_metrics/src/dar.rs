//! Dynamic Attention Rebalancing, MICON-Bench's way to make a generator look at the right parts of its references.
//!
//! Source: equations (1) to (5) of the MICON-Bench paper; the authors released no code, so this is what a port can be
//! held against.
//!
//! In one attention call, with Q of (`L_q`, H, d) and the reference tokens' keys K of (`L_ref`, H, d):
//! 1. m rows of Q are drawn, ⌊i (`L_q` − 1) / (m − 1)⌋;
//! 2. Ã = softmax over reference tokens of Q̃ Kᵀ / √d;
//! 3. relevance r = Σ Ã over rows and heads, which sums to m H;
//! 4. r̂ = (r − min r) / (max r − min r);
//! 5. w = 1 + γ where r̂ ≥ τ high, 1 − γ where r̂ ≤ τ low, else 1;
//! 6. A = softmax(Q (w ⊙ K)ᵀ / √d).
//!
//! w multiplies keys and so logits: a token with a negative logit loses attention by being raised.
//! [`Report::against`] counts where that outweighs.
//! Sums are f64 in a fixed order and exponentials `libm`'s: native and Wasm agree to the bit.

mod sweep;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Array;
use crate::MetricError;
use crate::Tensor;

pub use sweep::{Axis, Parameter, PrintedScores, SweepReport, SweepRow, printed_scores};

/// What the method leaves to be chosen; the default is the paper's reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarOptions")
)]
#[serde(default, deny_unknown_fields)]
pub struct Dar {
    /// m, the rows of Q that relevance is taken from, at least 2; all rows where Q has no more. Paper: 64.
    pub samples: usize,
    /// γ, by which keys grow and shrink, 0 to 1. Paper: 0.15.
    pub gamma: f64,
    /// τ high, from which on keys grow. Paper: 0.7.
    pub high: f64,
    /// τ low, up to which keys shrink, below τ high. Paper: 0.3.
    pub low: f64,
    /// Over what r is normalised.
    pub extent: Over,
    /// What becomes of tokens that are all equally relevant.
    pub flat: Flat,
    /// What becomes of keys outside of all references.
    pub others: Others,
    /// Whether several heads of Q may share one of K.
    pub heads: Heads,
}

/// Over what r is normalised (equation 3). With several reference images the text does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarExtent")
)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// All references together.
    #[default]
    Joint,
    /// Each by itself, so that each has tokens that are raised and tokens that are lowered.
    PerReference,
}

/// What becomes of tokens whose r is all the same, where equation 3 divides by zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarFlat")
)]
#[serde(rename_all = "snake_case")]
pub enum Flat {
    /// w = 1: nothing is more relevant than anything else.
    #[default]
    Unchanged,
    /// r̂ = 0 and so w = 1 − γ, as an ε in the denominator would have it.
    Lowest,
}

/// What becomes of keys of text and noise in equation 5, which as printed knows reference tokens alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarOthers")
)]
#[serde(rename_all = "snake_case")]
pub enum Others {
    /// They are left out, as printed.
    #[default]
    LeftOut,
    /// They stand in the same softmax with w = 1, as in a model.
    Unweighted,
}

/// Whether several heads of Q may share one of K, as in grouped-query attention. The text has as many of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarHeads")
)]
#[serde(rename_all = "snake_case")]
pub enum Heads {
    /// As many of both.
    #[default]
    Equal,
    /// Head h of Q has head ⌊h / (heads of Q / heads of K)⌋ of K.
    Grouped,
}

impl Default for Dar {
    fn default() -> Self {
        Self {
            samples: 64,
            gamma: 0.15,
            high: 0.7,
            low: 0.3,
            extent: Over::default(),
            flat: Flat::default(),
            others: Others::default(),
            heads: Heads::default(),
        }
    }
}

impl Dar {
    fn check(&self) -> Result<(), MetricError> {
        let refused = |setting, expected: &str, found: String| {
            let expected = expected.to_owned();
            Err(MetricError::Setting {
                setting,
                expected,
                found,
            })
        };
        if self.samples < 2 {
            let expected = "at least 2, as m = 1 divides by zero";
            return refused("samples", expected, self.samples.to_string());
        }
        if !(0.0..=1.0).contains(&self.gamma) {
            return refused("gamma", "0 to 1", self.gamma.to_string());
        }
        let is_ordered = self.low < self.high;
        if !is_ordered || !self.low.is_finite() || !self.high.is_finite() {
            let found = format!("{} and {}", self.low, self.high);
            return refused("low and high", "two numbers, the low one below", found);
        }
        Ok(())
    }

    /// w of a normalised relevance; `None` where there is none.
    fn weight(&self, normalised: Option<f64>) -> f64 {
        match normalised {
            Some(relevance) if relevance >= self.high => 1.0 + self.gamma,
            Some(relevance) if relevance <= self.low => 1.0 - self.gamma,
            _ => 1.0,
        }
    }

    /// r̂ and w of relevances; `extents` says which are normalised together.
    ///
    /// ```
    /// let (normalised, weights) = juror_metrics::Dar::default().weights(&[2.0, 5.0, 8.0], &[0..3]);
    /// assert_eq!(normalised, [Some(0.0), Some(0.5), Some(1.0)]);
    /// assert_eq!(weights, [0.85, 1.0, 1.15]);
    /// ```
    pub fn weights(
        &self,
        relevance: &[f64],
        extents: &[Range<usize>],
    ) -> (Vec<Option<f64>>, Vec<f64>) {
        let mut normalised = vec![None; relevance.len()];
        for extent in extents {
            let own = &relevance[extent.clone()];
            let min = own.iter().copied().fold(f64::INFINITY, f64::min);
            let max = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for (normalised, relevance) in normalised[extent.clone()].iter_mut().zip(own) {
                *normalised = match self.flat {
                    _ if max > min => Some((relevance - min) / (max - min)),
                    Flat::Lowest => Some(0.0),
                    Flat::Unchanged => None,
                };
            }
        }
        let weights = normalised.iter().map(|one| self.weight(*one)).collect();
        (normalised, weights)
    }
}

/// The keys of one reference image: `height` rows of `width` tokens from `start` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Reference {
    /// The first key, counted from 0.
    pub start: usize,
    /// Rows of tokens; 1 where the tokens are no grid.
    pub height: usize,
    /// Tokens of a row.
    pub width: usize,
}

impl Reference {
    /// Reads `32x32,24x40`: each from where the one before ends, or from where it says, as in `512:24x40`; `1024` is one
    /// row of so many tokens.
    ///
    /// # Errors
    /// [`MetricError::Setting`] with the part that cannot be read.
    ///
    /// ```
    /// use juror_metrics::Reference;
    /// let found = Reference::list("2x3, 10:4")?;
    /// assert_eq!(found[0], Reference { start: 0, height: 2, width: 3 });
    /// assert_eq!(found[1], Reference { start: 10, height: 1, width: 4 });
    /// assert_eq!(found[0].keys(), 0..6);
    /// assert!(Reference::list("2x3,5:4").is_err(), "keys 5 and on are in both");
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn list(text: &str) -> Result<Vec<Self>, MetricError> {
        let mut list = Vec::new();
        let mut end = 0;
        for part in text.split(',').map(str::trim) {
            let one = Self::of(part, end)
                .filter(|one| one.start >= end)
                .ok_or_else(|| MetricError::Setting {
                    setting: "references",
                    expected: format!(
                        "HEIGHTxWIDTH, TOKENS or START:HEIGHTxWIDTH with commas between, in order, from key {end} on"
                    ),
                    found: part.to_owned(),
                })?;
            end = one.keys().end;
            list.push(one);
        }
        Ok(list)
    }

    fn of(text: &str, end: usize) -> Option<Self> {
        let (start, size) = match text.split_once(':') {
            Some((start, size)) => (start.trim().parse().ok()?, size),
            None => (end, text),
        };
        let (height, width) = match size.split_once(['x', '×']) {
            Some((height, width)) => (height.trim().parse().ok()?, width.trim().parse().ok()?),
            None => (1, size.trim().parse().ok()?),
        };
        let one = Self {
            start,
            height,
            width,
        };
        let tokens = height.checked_mul(width).filter(|tokens| *tokens > 0)?;
        start.checked_add(tokens).map(|_| one)
    }

    /// Tokens of the reference.
    pub fn tokens(&self) -> usize {
        self.height * self.width
    }

    /// Its keys among all of K.
    pub fn keys(&self) -> Range<usize> {
        self.start..self.start + self.tokens()
    }
}

/// Which rows of Q and which heads a map is the mean of; all where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarFocus")
)]
#[serde(default, deny_unknown_fields)]
pub struct Focus {
    /// One row of Q, counted from 0.
    pub row: Option<usize>,
    /// One head of Q, counted from 0.
    pub head: Option<usize>,
}

/// One attention call with its references, checked.
#[derive(Clone, Debug)]
pub struct Call {
    q: Tensor,
    k: Tensor,
    references: Vec<Reference>,
    options: Dar,
}

/// What the method makes of a call; one number for each reference token, in the order of K.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighing {
    /// The rows of Q that were looked at.
    pub rows: Vec<usize>,
    /// r, which sums to rows · heads.
    pub relevance: Vec<f64>,
    /// r̂, 0 to 1; `None` where all are equal.
    pub normalised: Vec<Option<f64>>,
    /// w.
    pub weights: Vec<f64>,
}

/// Attention to each key of equation 5, the mean over rows and heads: each of both sums to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Maps {
    /// With w = 1.
    pub before: Vec<f64>,
    /// With w.
    pub after: Vec<f64>,
}

/// Whether keys are multiplied by w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Not.
    Before,
    /// They are.
    After,
}

/// ⌊i (`rows` − 1) / (m − 1)⌋ for i = 0 … m − 1; all rows where there are no more than m.
///
/// ```
/// let rows = juror_metrics::sampled_rows(4096, 64);
/// assert_eq!((rows.len(), &rows[..3], rows[63]), (64, &[0, 65, 130][..], 4095));
/// ```
pub fn sampled_rows(rows: usize, samples: usize) -> Vec<usize> {
    if rows <= samples {
        return (0..rows).collect();
    }
    (0..samples)
        .map(|idx| idx * (rows - 1) / (samples - 1).max(1))
        .collect()
}

impl Call {
    /// Puts a call together; without references, all keys are one.
    ///
    /// # Errors
    /// [`MetricError::Setting`] for options; [`MetricError::Tensor`] where Q and K do not fit each other, or a reference
    /// lies beyond K.
    pub fn new(
        q: Tensor,
        k: Tensor,
        mut references: Vec<Reference>,
        options: Dar,
    ) -> Result<Self, MetricError> {
        options.check()?;
        let ([_, q_heads, q_dim], [k_tokens, k_heads, k_dim]) = (q.shape(), k.shape());
        let refused = |expected: String| {
            Err(MetricError::Tensor {
                tensor: "K".to_owned(),
                expected,
                found: k.shape().to_vec(),
            })
        };
        if q_dim != k_dim {
            return refused(format!("{q_dim} numbers in a head, as Q has"));
        }
        match options.heads {
            Heads::Equal if q_heads != k_heads => {
                return refused(format!(
                    "{q_heads} heads, as Q has; for grouped-query attention choose grouped heads"
                ));
            }
            Heads::Grouped if !q_heads.is_multiple_of(k_heads) => {
                return refused(format!("a number of heads that divides Q's {q_heads}"));
            }
            _ => {}
        }
        if references.is_empty() {
            references.push(Reference {
                start: 0,
                height: 1,
                width: k_tokens,
            });
        }
        let end = references.last().map_or(0, |last| last.keys().end);
        let is_ordered = references
            .windows(2)
            .all(|pair| pair[0].keys().end <= pair[1].start);
        if !is_ordered || references.iter().any(|one| one.tokens() == 0) {
            return Err(MetricError::Setting {
                setting: "references",
                expected: "tokens of K in order, none twice".to_owned(),
                found: format!("{references:?}"),
            });
        }
        if end > k_tokens {
            return refused(format!(
                "at least {end} tokens, as the references end there"
            ));
        }
        Ok(Self {
            q,
            k,
            references,
            options,
        })
    }

    /// Q.
    pub fn q(&self) -> &Tensor {
        &self.q
    }

    /// K.
    pub fn k(&self) -> &Tensor {
        &self.k
    }

    /// The references.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// The head of K that a head of Q has.
    pub fn head_of_k(&self, head: usize) -> usize {
        head / (self.q.shape()[1] / self.k.shape()[1])
    }

    /// The keys of all references, in the order of K.
    pub fn reference_keys(&self) -> Vec<usize> {
        self.references.iter().flat_map(Reference::keys).collect()
    }

    /// The keys of equation 5, in the order of K.
    pub fn keys(&self) -> Vec<usize> {
        match self.options.others {
            Others::LeftOut => self.reference_keys(),
            Others::Unweighted => (0..self.k.shape()[0]).collect(),
        }
    }

    /// w of each of [`Call::keys`]; 1 outside of references.
    pub fn weights_of_keys(&self, weights: &[f64]) -> Vec<f64> {
        match self.options.others {
            Others::LeftOut => weights.to_vec(),
            Others::Unweighted => {
                let mut all = vec![1.0; self.k.shape()[0]];
                for (key, weight) in self.reference_keys().into_iter().zip(weights) {
                    all[key] = *weight;
                }
                all
            }
        }
    }

    /// Relevance and weights: equations 1 to 4.
    pub fn weigh(&self) -> Weighing {
        let rows = self.rows_of(&self.options);
        let relevance = self.relevance(&rows);
        let (normalised, weights) = self.options.weights(&relevance, &self.extents());
        Weighing {
            rows,
            relevance,
            normalised,
            weights,
        }
    }

    /// The rows of Q that options draw.
    fn rows_of(&self, options: &Dar) -> Vec<usize> {
        sampled_rows(self.q.shape()[0], options.samples)
    }

    /// r of each reference token from these rows of Q.
    fn relevance(&self, rows: &[usize]) -> Vec<f64> {
        let keys = self.reference_keys();
        let mut relevance = vec![0.0; keys.len()];
        for row in rows {
            for head in 0..self.q.shape()[1] {
                let mut attention = self.logits(*row, head, &keys);
                softmax(&mut attention);
                add(&mut relevance, &attention);
            }
        }
        relevance
    }

    /// Which reference tokens are normalised together.
    fn extents(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let own = self.references.iter().map(|reference| {
            let start = end;
            end += reference.tokens();
            start..end
        });
        let own: Vec<Range<usize>> = own.collect();
        match self.options.extent {
            Over::Joint => std::iter::once(0..end).collect(),
            Over::PerReference => own,
        }
    }

    /// Where each reference token stands among [`Call::keys`].
    fn reference_places(&self) -> Vec<usize> {
        match self.options.others {
            Others::Unweighted => self.reference_keys(),
            Others::LeftOut => (0..self.reference_keys().len()).collect(),
        }
    }

    /// The rows of Q and the heads of a focus.
    ///
    /// # Errors
    /// [`MetricError::Setting`] for a row or a head that Q does not have.
    pub fn focused(&self, focus: Focus) -> Result<[Range<usize>; 2], MetricError> {
        let [rows, heads, _] = self.q.shape();
        let range = |setting, chosen: Option<usize>, len: usize| match chosen {
            None => Ok(0..len),
            Some(one) if one < len => Ok(one..one + 1),
            Some(one) => Err(MetricError::Setting {
                setting,
                expected: format!("0 to {}", len - 1),
                found: one.to_string(),
            }),
        };
        Ok([
            range("the row of Q", focus.row, rows)?,
            range("the head", focus.head, heads)?,
        ])
    }

    /// Attention before and after: equation 5.
    ///
    /// # Errors
    /// As [`Call::focused`].
    pub fn maps(&self, weights: &[f64], focus: Focus) -> Result<Maps, MetricError> {
        let [rows, heads] = self.focused(focus)?;
        let keys = self.keys();
        let weights = self.weights_of_keys(weights);
        let mut maps = Maps {
            before: vec![0.0; keys.len()],
            after: vec![0.0; keys.len()],
        };
        for row in rows.clone() {
            for head in heads.clone() {
                let mut before = self.logits(row, head, &keys);
                let mut after = weighted(&before, &weights);
                softmax(&mut before);
                softmax(&mut after);
                add(&mut maps.before, &before);
                add(&mut maps.after, &after);
            }
        }
        let count = (rows.len() * heads.len()) as f64;
        for number in maps.before.iter_mut().chain(&mut maps.after) {
            *number /= count;
        }
        Ok(maps)
    }

    /// All of A, (rows of Q, heads, [`Call::keys`]).
    ///
    /// # Errors
    /// [`MetricError::Tensor`] beyond [`Tensor::MAX_NUMBERS`].
    pub fn attention(&self, weights: &[f64], side: Side) -> Result<Array, MetricError> {
        let weights = match side {
            Side::Before => vec![1.0; weights.len()],
            Side::After => weights.to_vec(),
        };
        let rows: Vec<usize> = (0..self.q.shape()[0]).collect();
        self.whole(&rows, &self.keys(), &self.weights_of_keys(&weights))
    }

    /// All of Ã, (sampled rows, heads, reference tokens): equation 1.
    ///
    /// # Errors
    /// As [`Call::attention`].
    pub fn sampled_attention(&self, weighing: &Weighing) -> Result<Array, MetricError> {
        let keys = self.reference_keys();
        self.whole(&weighing.rows, &keys, &vec![1.0; keys.len()])
    }

    fn whole(&self, rows: &[usize], keys: &[usize], weights: &[f64]) -> Result<Array, MetricError> {
        let heads = self.q.shape()[1];
        let shape = vec![rows.len(), heads, keys.len()];
        if shape.iter().product::<usize>() > Tensor::MAX_NUMBERS {
            return Err(MetricError::Tensor {
                tensor: "the attention".to_owned(),
                expected: format!("at most {} numbers", Tensor::MAX_NUMBERS),
                found: shape,
            });
        }
        let mut data = Vec::with_capacity(shape.iter().product());
        for row in rows {
            for head in 0..heads {
                let mut attention = weighted(&self.logits(*row, head, keys), weights);
                softmax(&mut attention);
                data.extend(attention);
            }
        }
        Ok(Array {
            shape,
            data,
            is_bytes: false,
        })
    }

    /// q · k / √d of a row and a head with these keys.
    fn logits(&self, row: usize, head: usize, keys: &[usize]) -> Vec<f64> {
        let query = self.q.row(head, row);
        let head = self.head_of_k(head);
        let root = (self.q.shape()[2] as f64).sqrt();
        keys.iter()
            .map(|key| dot(query, self.k.row(head, *key)) / root)
            .collect()
    }

    /// Everything with where it comes from; `backend` is what computed the maps.
    pub fn report(
        &self,
        weighing: &Weighing,
        focus: Focus,
        maps: &Maps,
        backend: &'static str,
    ) -> Report {
        let all = self.reference_places();
        let of = |map: &[f64]| all.iter().map(|at| map[*at]).collect::<Vec<f64>>();
        let tokens = Tokens {
            relevance: weighing.relevance.clone(),
            normalised: weighing.normalised.clone(),
            weights: weighing.weights.clone(),
            before: of(&maps.before),
            after: of(&maps.after),
        };
        let mut end = 0;
        let references = self.references.iter().map(|reference| {
            let own = end..end + reference.tokens();
            end = own.end;
            tokens.row(*reference, own)
        });
        let references: Vec<ReferenceRow> = references.collect();
        let others = self.k.shape()[0] - all.len();
        let rest = |total: f64| match self.options.others {
            Others::Unweighted if others > 0 => Some(1.0 - total),
            _ => None,
        };
        Report {
            format: "juror-dar/1",
            q: self.q.shape(),
            k: self.k.shape(),
            options: self.options.clone(),
            focus,
            backend,
            other_keys: others,
            others_before: rest(tokens.before.iter().sum()),
            others_after: rest(tokens.after.iter().sum()),
            against: tokens.against(),
            references,
            rows: weighing.rows.clone(),
            tokens,
        }
    }
}

/// What `juror dar` prints: the same in the page, to the byte.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarReport")
)]
pub struct Report {
    /// `juror-dar/1`.
    pub format: &'static str,
    /// Tokens, heads and numbers of Q.
    pub q: [usize; 3],
    /// Tokens, heads and numbers of K.
    pub k: [usize; 3],
    /// What was chosen.
    pub options: Dar,
    /// What `before` and `after` are the mean over.
    pub focus: Focus,
    /// What computed `before` and `after`; weights are the CPU's always.
    #[cfg_attr(feature = "typescript", ts(type = "'cpu' | 'gpu'"))]
    pub backend: &'static str,
    /// Keys outside of all references.
    pub other_keys: usize,
    /// Their share of attention, where they are in the softmax.
    pub others_before: Option<f64>,
    /// The same with w.
    pub others_after: Option<f64>,
    /// Tokens that went the other way.
    pub against: Against,
    /// Sums over each reference.
    pub references: Vec<ReferenceRow>,
    /// The rows of Q that relevance was taken from.
    pub rows: Vec<usize>,
    /// One number for each reference token.
    pub tokens: Tokens,
}

impl Report {
    /// As JSON, with a line's end.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// Tokens whose attention went against their weight, as negative logits and a common softmax make it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarAgainst")
)]
pub struct Against {
    /// Of w > 1 that have less attention than before.
    pub raised_but_lost: usize,
    /// Of w < 1 that have more.
    pub lowered_but_gained: usize,
}

/// A reference image in sums.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarReference")
)]
pub struct ReferenceRow {
    /// Its keys.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub reference: Reference,
    /// Σ r of its tokens.
    pub relevance: f64,
    /// Tokens of w > 1.
    pub raised: usize,
    /// Tokens of w < 1.
    pub lowered: usize,
    /// Share of attention with w = 1.
    pub before: f64,
    /// Share of attention with w.
    pub after: f64,
}

/// One number for each reference token, in the order of K.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarTokens")
)]
pub struct Tokens {
    /// r.
    pub relevance: Vec<f64>,
    /// r̂; `null` where all are equal.
    pub normalised: Vec<Option<f64>>,
    /// w.
    pub weights: Vec<f64>,
    /// Mean attention with w = 1.
    pub before: Vec<f64>,
    /// Mean attention with w.
    pub after: Vec<f64>,
}

impl Tokens {
    fn row(&self, reference: Reference, own: Range<usize>) -> ReferenceRow {
        let weights = &self.weights[own.clone()];
        ReferenceRow {
            reference,
            relevance: self.relevance[own.clone()].iter().sum(),
            raised: weights.iter().filter(|weight| **weight > 1.0).count(),
            lowered: weights.iter().filter(|weight| **weight < 1.0).count(),
            before: self.before[own.clone()].iter().sum(),
            after: self.after[own].iter().sum(),
        }
    }

    fn against(&self) -> Against {
        let mut against = Against::default();
        for (weight, (before, after)) in
            self.weights.iter().zip(self.before.iter().zip(&self.after))
        {
            against.raised_but_lost += usize::from(*weight > 1.0 && after < before);
            against.lowered_but_gained += usize::from(*weight < 1.0 && after > before);
        }
        against
    }
}

/// A product of two rows: four sums that are added in the end, the same order everywhere.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn weighted(logits: &[f64], weights: &[f64]) -> Vec<f64> {
    logits
        .iter()
        .zip(weights)
        .map(|(logit, weight)| logit * weight)
        .collect()
}

/// Exponentials over their sum; the greatest logit is taken off first, so that none overflows.
fn softmax(logits: &mut [f64]) {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = libm::exp(*logit - max);
        sum += *logit;
    }
    for logit in logits.iter_mut() {
        *logit /= sum;
    }
}

fn add(sums: &mut [f64], numbers: &[f64]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Layout;

    fn tensor(name: &str, shape: [usize; 3], number: impl Fn(usize) -> f64) -> Tensor {
        let array = Array {
            shape: shape.to_vec(),
            data: (0..shape.iter().product()).map(number).collect(),
            is_bytes: false,
        };
        Tensor::new(name, array, Layout::TokensHeads).unwrap()
    }

    fn wave(at: usize) -> f64 {
        ((at * 37 % 101) as f64 - 50.0) / 17.0
    }

    fn call(options: Dar) -> Call {
        let (q, k) = (tensor("Q", [9, 2, 4], wave), tensor("K", [8, 2, 4], wave));
        Call::new(q, k, Reference::list("2x2,5:1x2").unwrap(), options).unwrap()
    }

    #[test]
    fn relevance_sums_to_rows_times_heads_and_attention_to_one() {
        for others in [Others::LeftOut, Others::Unweighted] {
            let call = call(Dar {
                samples: 4,
                others,
                ..Dar::default()
            });
            let found = call.weigh();
            assert_eq!(found.rows, [0, 2, 5, 8]);
            assert!((found.relevance.iter().sum::<f64>() - 8.0).abs() < 1e-12);
            let maps = call.maps(&found.weights, Focus::default()).unwrap();
            for map in [&maps.before, &maps.after] {
                assert!((map.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
            assert_ne!(maps.before, maps.after);
            let tensor = call.attention(&found.weights, Side::After).unwrap();
            assert_eq!(tensor.shape, [9, 2, call.keys().len()]);
            let mean: f64 = tensor.data.iter().step_by(call.keys().len()).sum::<f64>() / 18.0;
            assert!(
                (mean - maps.after[0]).abs() < 1e-15,
                "the map is the tensor's mean"
            );
        }
    }

    #[test]
    fn without_gamma_nothing_changes_and_with_it_something_does() {
        for (gamma, is_same) in [(0.0, true), (0.15, false)] {
            let call = call(Dar {
                gamma,
                ..Dar::default()
            });
            let maps = call.maps(&call.weigh().weights, Focus::default()).unwrap();
            assert_eq!(maps.before == maps.after, is_same);
        }
    }

    #[test]
    fn equal_keys_are_left_alone_unless_the_option_says_lowest() {
        for (flat, weight) in [(Flat::Unchanged, 1.0), (Flat::Lowest, 0.85)] {
            let options = Dar {
                flat,
                ..Dar::default()
            };
            let (q, k) = (
                tensor("Q", [3, 1, 2], wave),
                tensor("K", [4, 1, 2], |_| 0.5),
            );
            let found = Call::new(q, k, Vec::new(), options).unwrap().weigh();
            assert_eq!(found.weights, [weight; 4]);
            assert_eq!(found.normalised[0].is_none(), flat == Flat::Unchanged);
        }
    }

    #[test]
    fn each_reference_by_itself_has_its_own_least_and_most_relevant_token() {
        let of = |extent| {
            let options = Dar {
                extent,
                ..Dar::default()
            };
            call(options).weigh().normalised
        };
        let own = of(Over::PerReference);
        for range in [0..4, 4..6] {
            assert!(own[range.clone()].contains(&Some(0.0)));
            assert!(own[range].contains(&Some(1.0)));
        }
        assert_eq!(
            of(Over::Joint).iter().filter(|r| **r == Some(0.0)).count(),
            1
        );
    }

    #[test]
    fn a_raised_token_with_a_negative_logit_loses_attention_and_is_counted() {
        // Both logits are negative, the first one less so.
        let (q, k) = (
            tensor("Q", [1, 1, 1], |_| -1.0),
            tensor("K", [2, 1, 1], |at| [1.0, 1.5][at]),
        );
        let call = Call::new(q, k, Vec::new(), Dar::default()).unwrap();
        let found = call.weigh();
        assert_eq!(found.weights, [1.15, 0.85]);
        let maps = call.maps(&found.weights, Focus::default()).unwrap();
        let report = call.report(&found, Focus::default(), &maps, "cpu");
        assert_eq!(
            report.against,
            Against {
                raised_but_lost: 1,
                lowered_but_gained: 1
            }
        );
    }

    #[test]
    fn grouped_heads_are_refused_unless_they_are_chosen() {
        let new = |heads| {
            let (q, k) = (tensor("Q", [3, 4, 2], wave), tensor("K", [5, 2, 2], wave));
            let options = Dar {
                heads,
                ..Dar::default()
            };
            Call::new(q, k, Vec::new(), options)
        };
        assert_eq!(new(Heads::Grouped).unwrap().head_of_k(3), 1);
        let said = new(Heads::Equal).unwrap_err().to_string();
        assert!(
            said.contains("K of 4 heads") && said.contains("[5, 2, 2]"),
            "{said}"
        );
    }

    #[test]
    fn settings_outside_of_their_range_are_named() {
        let said = |options: Dar| {
            let (q, k) = (tensor("Q", [3, 1, 2], wave), tensor("K", [5, 1, 2], wave));
            Call::new(q, k, Vec::new(), options)
                .unwrap_err()
                .to_string()
        };
        let usual = Dar::default;
        assert!(
            said(Dar {
                samples: 1,
                ..usual()
            })
            .contains("samples")
        );
        assert!(
            said(Dar {
                gamma: f64::NAN,
                ..usual()
            })
            .contains("gamma")
        );
        assert!(
            said(Dar {
                low: 0.8,
                ..usual()
            })
            .contains("low and high")
        );
        let beyond = Call::new(
            tensor("Q", [3, 1, 2], wave),
            tensor("K", [5, 1, 2], wave),
            Reference::list("2x3").unwrap(),
            usual(),
        );
        assert!(
            beyond
                .unwrap_err()
                .to_string()
                .contains("at least 6 tokens")
        );
        let focus = Focus {
            row: Some(9),
            head: None,
        };
        assert!(call(usual()).maps(&[1.0; 6], focus).is_err());
    }
}
