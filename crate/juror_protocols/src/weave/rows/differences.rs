//! Where the paper and the released code differ, and what each difference does to the numbers at hand.
//!
//! Source: the WEAVE paper and the authors' evaluation code; each effect is the paper's score with one rule exchanged.

use super::groups::Groups;
use super::results::ModelResults;
use crate::weave::CRITERIA;
use crate::weave::score::{
    Failures, PartialTotal, Repeats, Rounding, Scale, Stops, UnknownSamples, WeaveRules,
};
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile};
use juror_model::reply::Fault;
use juror_model::submission::OutputState;
use juror_model::terms::{Difference, Effect, Formula};

/// The formulas of a profile in one line each.
pub(super) fn formulas(profile: Profile) -> Vec<Formula> {
    let formula = |criterion: &str, text: &str, source: &str| Formula {
        criterion: criterion.to_owned(),
        text: text.to_owned(),
        source: source.to_owned(),
    };
    let (mean, mean_source) = match profile {
        Profile::Paper => (
            "sum of the turns' scores / number of turns / 10",
            "WEAVE, section on evaluation; pooled over turns",
        ),
        Profile::Released => (
            "round(sum of all scores / their number / 10, 3)",
            "authors' summary script",
        ),
    };
    let mut formulas: Vec<Formula> = CRITERIA
        .iter()
        .map(|criterion| formula(criterion, mean, mean_source))
        .collect();
    formulas.push(match profile {
        Profile::Paper => formula(
            "total",
            "pictures: 0.5·KP + 0.2·VC + 0.3·IQ; pictures and texts: 0.4·KP + 0.1·VC + 0.2·IQ + 0.3·ACC; texts: ACC",
            "WEAVE, equations (1) and (2)",
        ),
        Profile::Released => formula(
            "total",
            "pictures: 0.5·KP + 0.2·VC + 0.3·IQ; pictures and texts: 0.4·KP + 0.1·VC + 0.2·IQ + 0.3·ACC; otherwise the plain mean of what is there; of rounded means, then rounded to 3 digits",
            "authors' summary script",
        ),
    });
    formulas
}

/// A difference with the one rule that it exchanges.
struct Rule {
    id: &'static str,
    title: &'static str,
    paper: &'static str,
    released: &'static str,
    effect: Rated,
}

/// How a difference is rated.
#[derive(Clone, Copy)]
enum Rated {
    /// By exchanging a rule that changes what is let in: only where the replies give it something to do.
    Replies(fn(&mut WeaveRules), fn(&Facts) -> bool),
    /// By exchanging a rule of the arithmetic at the end.
    Arithmetic(fn(&mut WeaveRules)),
    /// By a remark on what else the number is often taken for.
    Pooling,
    /// Not at all: it acts before there are replies.
    Note,
}

/// What there is in a model's replies and outputs for the rules to differ on.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent findings, each about one rule"
)]
struct Facts {
    is_output_amiss: bool,
    is_off_scale: bool,
    is_stopping: bool,
    is_unreadable: bool,
    is_repeated: bool,
    is_strange: bool,
}

impl Facts {
    fn of(world: &World<'_>, model: &ModelData) -> Self {
        let is_amiss =
            |state: &OutputState| matches!(state, OutputState::Missing | OutputState::Unreadable);
        let mut facts = Self {
            is_output_amiss: model.outputs.iter().any(is_amiss),
            ..Self::default()
        };
        let mut is_seen = vec![false; world.benchmark.num_turns() * CRITERIA.len()];
        for given in model.given.iter() {
            let readings = given.readings;
            facts.is_off_scale |=
                readings.released().is_ok() && readings.released() != readings.paper();
            facts.is_stopping |= readings.released() == Err(Fault::Stops);
            facts.is_unreadable |= matches!(
                readings.released(),
                Err(Fault::Unparsable | Fault::FailedCall)
            );
            let criterion = usize::from(given.criterion);
            let (Some(slot), Some(sample), true) = (
                given.slot.get(),
                given.sample.get(),
                criterion < CRITERIA.len(),
            ) else {
                facts.is_strange = true;
                continue;
            };
            let said = &model.domains[usize::from(given.domain)];
            facts.is_strange |= *said != world.benchmark.samples[sample as usize].domain;
            let is_seen = &mut is_seen[slot as usize * CRITERIA.len() + criterion];
            facts.is_repeated |= std::mem::replace(is_seen, true);
        }
        facts
    }
}

const RULES: [Rule; 12] = [
    Rule {
        id: "missing_output",
        title: "Missing output",
        paper: "A picture or answer that the model did not give counts 0.",
        released: "The picture is left out of the request and the judge rates what remains; for an answer the judge sees the word None.",
        effect: Rated::Replies(
            |rules| rules.outputs = Policy::Upstream,
            |facts| facts.is_output_amiss,
        ),
    },
    Rule {
        id: "range_check",
        title: "Scores outside the scale",
        paper: "Whole numbers from 0 to 10, accuracy 0, 5 or 10; anything else is an incident.",
        released: "Any number is added as it is.",
        effect: Rated::Replies(
            |rules| rules.scale = Scale::AsStored,
            |facts| facts.is_off_scale,
        ),
    },
    Rule {
        id: "text_score",
        title: "A score that is not a number",
        paper: "An incident of this one criterion.",
        released: "The summary script stops and writes no result for the model.",
        effect: Rated::Replies(
            |rules| rules.stops = Stops::NoResult,
            |facts| facts.is_stopping,
        ),
    },
    Rule {
        id: "unreadable_reply",
        title: "A reply that cannot be read",
        paper: "An incident of this one criterion.",
        released: "The whole dialogue is dropped with all its turns until the judging is run again.",
        effect: Rated::Replies(
            |rules| rules.failures = Failures::Dialogue,
            |facts| facts.is_unreadable,
        ),
    },
    Rule {
        id: "repeated_lines",
        title: "A dialogue judged twice in the file",
        paper: "Each unit counts once; the first readable reply stands.",
        released: "Every line counts, so a repeated dialogue weighs double.",
        effect: Rated::Replies(
            |rules| rules.repeats = Repeats::Each,
            |facts| facts.is_repeated,
        ),
    },
    Rule {
        id: "partial_total",
        title: "Total without one of KP, VC, IQ",
        paper: "Not defined by the equations: no number.",
        released: "The plain mean of the criteria that are there.",
        effect: Rated::Arithmetic(|rules| rules.partial_total = PartialTotal::PlainMean),
    },
    Rule {
        id: "strangers",
        title: "Lines about unknown dialogues; the line's own domain",
        paper: "Only dialogues and turns of the benchmark count, under the benchmark's domain.",
        released: "Every line counts under the domain that it names itself.",
        effect: Rated::Replies(
            |rules| rules.unknown_samples = UnknownSamples::Counted,
            |facts| facts.is_strange,
        ),
    },
    Rule {
        id: "rounding",
        title: "Rounding",
        paper: "Full precision; rounded on display.",
        released: "Criterion means are rounded to three digits, weighted, and rounded again.",
        effect: Rated::Arithmetic(|rules| rules.rounding = Rounding::Twice),
    },
    Rule {
        id: "pooling",
        title: "Avg is not the mean of the categories",
        paper: "The tables' Avg pools all turns, then weights.",
        released: "The same.",
        effect: Rated::Pooling,
    },
    Rule {
        id: "complete_context",
        title: "Complete context shows the target",
        paper: "Pictures 1 to the highest one mentioned.",
        released: "The loader counts from 0, so the dialogue's last picture comes first; a turn without a mention stops it.",
        effect: Rated::Note,
    },
    Rule {
        id: "partial_context",
        title: "Failed pictures are replaced by the target",
        paper: "Partial context gives the model its own earlier pictures.",
        released: "Where it made none, the data set's picture, which is the target, stands in.",
        effect: Rated::Note,
    },
    Rule {
        id: "judge",
        title: "Which judge",
        paper: "The appendix names GPT-4o, the reliability section and Figure 6 GPT-4.1.",
        released: "A setting; the example is gpt-4o-2024-08-06. The reply file does not record it.",
        effect: Rated::Note,
    },
];

/// Every difference with its effect on each model's overall total (the first judge's).
pub(super) fn differences(world: &World<'_>) -> Vec<Difference> {
    let groups = Groups::new(world);
    let base = WeaveRules::new(Profile::Paper, Policy::Zero);
    let bases: Vec<Base> = world
        .models
        .iter()
        .map(|model| {
            let standing = ModelResults::new(world, &groups, model, base);
            Base {
                overall: standing.overall(base).ok().flatten(),
                standing,
                facts: Facts::of(world, model),
            }
        })
        .collect();
    let effect = |rule: &Rule, (model, paper): (&ModelData, &Base)| {
        let (with_rule, note) = paper.with_rule(world, &groups, model, base, rule.effect);
        Effect {
            model: model.submission.name.clone(),
            paper: paper.overall,
            with_rule,
            note,
        }
    };
    RULES
        .iter()
        .map(|rule| Difference {
            id: rule.id.to_owned(),
            title: rule.title.to_owned(),
            paper: rule.paper.to_owned(),
            released: rule.released.to_owned(),
            has_effect: matches!(rule.effect, Rated::Replies(..) | Rated::Arithmetic(_)),
            effects: world
                .models
                .iter()
                .zip(&bases)
                .map(|pair| effect(rule, pair))
                .collect(),
        })
        .collect()
}

/// A model under the paper's rules.
struct Base {
    standing: ModelResults,
    overall: Option<f64>,
    facts: Facts,
}

impl Base {
    /// The overall total with one rule exchanged, and a remark.
    fn with_rule(
        &self,
        world: &World<'_>,
        groups: &Groups,
        model: &ModelData,
        base: WeaveRules,
        effect: Rated,
    ) -> (Option<f64>, String) {
        let mut rules = base;
        match effect {
            Rated::Replies(_, has_ground) if !has_ground(&self.facts) => {
                (self.overall, String::new())
            }
            Rated::Replies(exchange, _) => {
                exchange(&mut rules);
                match ModelResults::new(world, groups, model, rules).overall(rules) {
                    Ok(overall) => (overall, String::new()),
                    Err(stopped) => (None, stopped),
                }
            }
            Rated::Arithmetic(exchange) => {
                exchange(&mut rules);
                (self.standing.overall(rules).ok().flatten(), String::new())
            }
            Rated::Pooling => {
                let categories = self.standing.categories(base);
                if categories.is_empty() {
                    return (None, String::new());
                }
                let mean = categories.iter().sum::<f64>() / categories.len() as f64;
                (
                    None,
                    format!("the mean of the category totals would be {mean:.3}"),
                )
            }
            Rated::Note => (None, String::new()),
        }
    }
}
