//! Where the paper and the released code differ, and what each difference does to the numbers at hand.
//!
//! Source: the MultiBanana paper and the authors' `judge.py`; each effect is the paper's score with one rule exchanged.

use super::CRITERIA;
use super::rows::{Groups, Leniency, ModelResults, MultiBananaRules, paper_judges};
use super::score::mean;
use crate::resolve;
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile};
use juror_model::terms::{Difference, Effect, Formula};

/// The formulas of a profile in one line each.
pub(super) fn formulas(profile: Profile) -> Vec<Formula> {
    let formula = |criterion: &str, text: &str, source: &str| Formula {
        criterion: criterion.to_owned(),
        text: text.to_owned(),
        source: source.to_owned(),
    };
    let (task, total, task_source) = match profile {
        Profile::Paper => (
            "task: mean over its sets; wider groups: unweighted mean over task types; difficulty: mean over sets",
            "(3·IA + 3·RC + BSM + PR + VQ) / 9 per set; gemini + gpt: mean of the two judges",
            "MultiBanana, section on evaluation and Tables 3, 12 to 14",
        ),
        Profile::Released => (
            "task: round(sum over the parsed files / their number, 3); wider groups, which the code does not have: unweighted mean over task types",
            "(IA + RC + BSM + PR + VQ) / 5 of the task's means, rounded to 3 digits; gemini + gpt, which the code does not have: mean of the two judges",
            "authors' judge.py, extract_results",
        ),
    };
    let mut formulas: Vec<Formula> = CRITERIA
        .iter()
        .map(|criterion| formula(criterion, task, task_source))
        .collect();
    formulas.push(formula("total", total, task_source));
    formulas
}

/// How a difference is rated.
#[derive(Clone, Copy)]
enum Rated {
    /// By exchanging a rule.
    Rule(fn(&mut MultiBananaRules)),
    /// By taking one judge instead of two.
    OneJudge,
    /// By a remark on the mean over sets.
    OverSets,
    /// Not at all: it acts before there are replies.
    Note,
}

/// Id, title, paper, released, effect.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Rated,
);

const ROWS: [Row; 11] = [
    (
        "weights",
        "Weights of the total",
        "Instruction alignment and reference consistency weigh three times as much as the others: (3·IA + 3·RC + BSM + PR + VQ) / 9.",
        "The plain mean of the five criteria, which is higher for models that keep quality and ignore the references.",
        Rated::Rule(|rules| rules.weights = Profile::Released),
    ),
    (
        "judges",
        "Two judges or one",
        "The reported score is the mean of the GPT-5 and the Gemini total.",
        "One result file per judge; they are never combined.",
        Rated::OneJudge,
    ),
    (
        "missing_output",
        "Missing output",
        "A picture that the model did not make scores 1, the lowest.",
        "A set without a picture is not found, so it is not judged and the mean is over fewer sets.",
        Rated::Rule(|rules| rules.outputs = Policy::Upstream),
    ),
    (
        "range_check",
        "Scores outside 1 to 10",
        "An incident; the set has no score.",
        "Any whole number counts, 0 and 100 included.",
        Rated::Rule(|rules| rules.off_scale = Leniency::Counted),
    ),
    (
        "reader",
        "What is read as a score",
        "A whole number on a line of its own behind its label.",
        "The first number behind the label anywhere: one in the reasoning overrides the final block, and 8.5 reads as 8.",
        Rated::Rule(|rules| rules.off_grammar = Leniency::Counted),
    ),
    (
        "strangers",
        "Judge files about unknown sets",
        "Only sets of the benchmark count.",
        "Every judge file counts in the task that its folder is named after.",
        Rated::Rule(|rules| rules.unknown_samples = Leniency::Counted),
    ),
    (
        "macro",
        "Mean over task types",
        "The tables' columns are unweighted means over task types.",
        "No mean over tasks is computed.",
        Rated::OverSets,
    ),
    (
        "reference_0",
        "The first reference",
        "The judge sees all references.",
        "judge.py counts from 1, so Gemini and GPT never see reference 0 and single-reference sets cannot be judged; qwenvl_judge.py counts from 0.",
        Rated::Note,
    ),
    (
        "failed_calls",
        "Failed calls",
        "To be judged again.",
        "The error text is saved as the reply; it parses to nothing and keeps the set from being judged again until the file is deleted.",
        Rated::Note,
    ),
    (
        "repeats",
        "Repeated judging",
        "Self-consistency is measured over three judge seeds.",
        "One call per set and judge, without a seed.",
        Rated::Note,
    ),
    (
        "sets",
        "Number of sets",
        "3,769 sets, 907 of them with two references.",
        "The release was found to hold 717 sets with two references, so counts are taken from the files.",
        Rated::Note,
    ),
];

/// Every difference with its effect on each model's overall total.
pub(super) fn differences(world: &World<'_>) -> Vec<Difference> {
    let groups = Groups::new(world);
    let base = MultiBananaRules::new(Profile::Paper, Policy::Zero);
    let bases: Vec<Overall> = world
        .models
        .iter()
        .map(|model| overall(world, &groups, model, base))
        .collect();
    ROWS.iter()
        .map(|(id, title, paper, released, rated)| Difference {
            id: (*id).to_owned(),
            title: (*title).to_owned(),
            paper: (*paper).to_owned(),
            released: (*released).to_owned(),
            has_effect: matches!(rated, Rated::Rule(_) | Rated::OneJudge),
            effects: world
                .models
                .iter()
                .zip(&bases)
                .map(|(model, of_base)| effect(world, &groups, model, of_base, *rated))
                .collect(),
        })
        .collect()
}

/// A model's overall total under some rules.
struct Overall {
    /// The two judges' mean where both are there, else the first judge's.
    total: Option<f64>,
    over_sets: Option<f64>,
    /// Each judge's own.
    alone: Vec<(String, Option<f64>)>,
}

fn overall(
    world: &World<'_>,
    groups: &Groups,
    model: &ModelData,
    rules: MultiBananaRules,
) -> Overall {
    let standings: Vec<ModelResults> = resolve::judges(model)
        .into_iter()
        .map(|judge| ModelResults::new(world, groups, model, judge, rules))
        .collect();
    let found: Vec<(Option<f64>, Option<f64>)> = standings
        .iter()
        .map(|standing| standing.overall(groups))
        .collect();
    let judges: Vec<&str> = standings.iter().map(ModelResults::judge).collect();
    let counted = match paper_judges(&judges) {
        Some(both) => both.to_vec(),
        None => vec![0],
    };
    let together = |each: &dyn Fn(usize) -> Option<f64>| {
        let values: Option<Vec<f64>> = counted.iter().map(|at| each(*at)).collect();
        mean(&values?)
    };
    Overall {
        total: together(&|at| found.get(at)?.0),
        over_sets: together(&|at| found.get(at)?.1),
        alone: standings
            .iter()
            .zip(&found)
            .map(|(standing, (total, _))| (standing.judge().to_owned(), *total))
            .collect(),
    }
}

fn effect(
    world: &World<'_>,
    groups: &Groups,
    model: &ModelData,
    base: &Overall,
    rated: Rated,
) -> Effect {
    let (with_rule, note) = match rated {
        Rated::Rule(exchange) => {
            let mut rules = MultiBananaRules::new(Profile::Paper, Policy::Zero);
            exchange(&mut rules);
            (overall(world, groups, model, rules).total, String::new())
        }
        Rated::OneJudge if base.alone.len() > 1 => {
            let alone: Vec<String> = base
                .alone
                .iter()
                .filter_map(|(judge, total)| Some(format!("{judge} alone {:.3}", (*total)?)))
                .collect();
            let first = base.alone.first().and_then(|(_, total)| *total);
            (first, alone.join(", "))
        }
        Rated::OneJudge => (base.total, String::new()),
        Rated::OverSets => {
            let note = base
                .over_sets
                .map(|mean| format!("the mean over sets would be {mean:.3}"));
            (None, note.unwrap_or_default())
        }
        Rated::Note => (None, String::new()),
    };
    Effect {
        model: model.submission.name.clone(),
        paper: base.total,
        with_rule,
        note,
    }
}
