//! Where the paper and the released code differ, and what each difference does to the numbers at hand.
//!
//! Source: the WEAVE paper beside the authors' evaluation code; each effect is the paper's score with one rule exchanged.

use super::CRITERIA;
use super::score::{
    Failures, Groups, Outputs, PartialTotal, Repeats, Rounding, Rules, Scale, Stops, Strangers,
    Totals, totals,
};
use crate::protocol::{ModelData, World};
use crate::view::{Difference, Effect, Formula, Policy, Profile};

/// The formulas of a profile in one line each.
pub fn formulas(profile: Profile) -> Vec<Formula> {
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
            "round of the same weighted sum of rounded means; the plain mean where one of KP, VC, IQ is absent",
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
    exchange: Option<fn(&mut Rules)>,
}

const RULES: [Rule; 12] = [
    Rule {
        id: "missing_output",
        title: "Missing output",
        paper: "A picture or answer that the model did not give counts 0.",
        released: "The picture is left out of the request and the judge rates what remains; for an answer the judge sees the word None.",
        exchange: Some(|rules| rules.outputs = Outputs::AsJudged),
    },
    Rule {
        id: "range_check",
        title: "Scores outside the scale",
        paper: "Whole numbers from 0 to 10, accuracy 0, 5 or 10; anything else is an incident.",
        released: "Any number is added as it is.",
        exchange: Some(|rules| rules.scale = Scale::AsStored),
    },
    Rule {
        id: "text_score",
        title: "A score that is not a number",
        paper: "An incident of this one criterion.",
        released: "The summary script stops and writes no result for the model.",
        exchange: Some(|rules| rules.stops = Stops::NoResult),
    },
    Rule {
        id: "unreadable_reply",
        title: "A reply that cannot be read",
        paper: "An incident of this one criterion.",
        released: "The whole dialogue is dropped with all its turns until the judging is run again.",
        exchange: Some(|rules| rules.failures = Failures::Dialogue),
    },
    Rule {
        id: "repeated_lines",
        title: "A dialogue judged twice in the file",
        paper: "Each unit counts once; the first readable reply stands.",
        released: "Every line counts, so a repeated dialogue weighs double.",
        exchange: Some(|rules| rules.repeats = Repeats::Each),
    },
    Rule {
        id: "partial_total",
        title: "Total without one of KP, VC, IQ",
        paper: "Not defined by the equations: no number.",
        released: "The plain mean of the criteria that are there.",
        exchange: Some(|rules| rules.partial_total = PartialTotal::PlainMean),
    },
    Rule {
        id: "strangers",
        title: "Lines about unknown dialogues; the line's own domain",
        paper: "Only dialogues and turns of the benchmark count, under the benchmark's domain.",
        released: "Every line counts under the domain that it names itself.",
        exchange: Some(|rules| rules.strangers = Strangers::Counted),
    },
    Rule {
        id: "rounding",
        title: "Rounding",
        paper: "Full precision; rounded on display.",
        released: "Criterion means are rounded to three digits, weighted, and rounded again.",
        exchange: Some(|rules| rules.rounding = Rounding::Twice),
    },
    Rule {
        id: "pooling",
        title: "Avg is not the mean of the categories",
        paper: "The tables' Avg pools all turns, then weights.",
        released: "The same.",
        exchange: None,
    },
    Rule {
        id: "complete_context",
        title: "Complete context shows the target",
        paper: "Pictures 1 to the highest one mentioned.",
        released: "The loader counts from 0, so the dialogue's last picture comes first; a turn without a mention stops it.",
        exchange: None,
    },
    Rule {
        id: "partial_context",
        title: "Failed pictures are replaced by the target",
        paper: "Partial context gives the model its own earlier pictures.",
        released: "Where it made none, the data set's picture, which is the target, stands in.",
        exchange: None,
    },
    Rule {
        id: "judge",
        title: "Which judge",
        paper: "The appendix names GPT-4o, the reliability section and Figure 6 GPT-4.1.",
        released: "A setting; the example is gpt-4o-2024-08-06. The reply file does not record it.",
        exchange: None,
    },
];

/// Every difference with its effect on each model's overall total (the first judge's).
pub fn differences(world: &World<'_>) -> Vec<Difference> {
    let groups = Groups::new(world);
    let base = Rules::new(Profile::Paper, Policy::Zero);
    let papers: Vec<Result<Totals, String>> = world
        .models
        .iter()
        .map(|model| totals(world, &groups, model, base))
        .collect();
    RULES
        .iter()
        .map(|rule| Difference {
            id: rule.id.to_owned(),
            title: rule.title.to_owned(),
            paper: rule.paper.to_owned(),
            released: rule.released.to_owned(),
            has_effect: rule.exchange.is_some(),
            effects: world
                .models
                .iter()
                .zip(&papers)
                .map(|(model, paper)| {
                    effect(world, &groups, model, base, paper.as_ref().ok(), rule)
                })
                .collect(),
        })
        .collect()
}

fn effect(
    world: &World<'_>,
    groups: &Groups,
    model: &ModelData,
    base: Rules,
    paper: Option<&Totals>,
    rule: &Rule,
) -> Effect {
    let mut effect = Effect {
        model: model.submission.name.clone(),
        paper: paper.and_then(|totals| totals.overall),
        with_rule: None,
        note: String::new(),
    };
    let Some(exchange) = rule.exchange else {
        let categories = paper
            .map(|totals| totals.categories.as_slice())
            .unwrap_or_default();
        if rule.id == "pooling" && !categories.is_empty() {
            let mean = categories.iter().sum::<f64>() / categories.len() as f64;
            effect.note = format!("the mean of the category totals would be {mean:.3}");
        }
        return effect;
    };
    let mut rules = base;
    exchange(&mut rules);
    match totals(world, groups, model, rules) {
        Ok(totals) => effect.with_rule = totals.overall,
        Err(stopped) => effect.note = stopped,
    }
    effect
}
