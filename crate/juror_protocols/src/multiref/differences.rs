//! Where the paper and the released code differ, and what each difference does to the numbers at hand.
//!
//! Source: the MultiRef paper and the authors' evaluation code; each effect is the paper's average with one rule exchanged.

use super::rows::{Groups, ModelResults, MultiRefRules, judges};
use super::{CONDITIONS, JUDGED};
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
    let mut formulas: Vec<Formula> = JUDGED
        .iter()
        .map(|id| {
            formula(
                id,
                "judge's 1 to 5 divided by 5; synthetic: mean over samples; real-world: unweighted mean of the five category means; over both halves there is no number",
                "MultiRef, Tables 4 and 11; the released code has no judge",
            )
        })
        .collect();
    for condition in CONDITIONS {
        let text = match (condition.id, profile) {
            ("caption", Profile::Paper) => {
                "mean over the samples with a caption of min(1, 2.5·cosine); the code writes 100·cosine"
            }
            ("caption", Profile::Released) => {
                "mean over the samples with a caption of the code's number divided by 100"
            }
            _ => "mean over the samples that have this reference",
        };
        let source = format!("MultiRef, Table 4; {}", condition.metric);
        formulas.push(formula(condition.id, text, &source));
    }
    formulas.push(formula(
        "fid",
        "mean over samples of (mean Inception feature)²; no Fréchet distance, in no average",
        "authors' traditional_metrics.py",
    ));
    formulas.push(formula(
        "aesthetics",
        "mean over samples of the predictor's number divided by 10; in no average",
        "authors' traditional_metrics.py; MultiRef, Table 4",
    ));
    formulas.push(formula(
        "total",
        "mean over the conditions' columns that the benchmark has (ten in full), 1 − x for depth, canny and sketch; no number while a column has none",
        "MultiRef, Table 4, AVG; the released code has no average",
    ));
    formulas
}

/// How a difference is rated.
#[derive(Clone, Copy)]
enum Rated {
    /// By exchanging a rule.
    Rule(fn(&mut MultiRefRules)),
    /// By a remark on the mean over samples.
    PerSample,
    /// Not at all: it acts before there are numbers.
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
        "missing_output",
        "Missing output",
        "A picture that the model did not make counts the worst score of each condition.",
        "The entry gets an error and no numbers, so every mean is over fewer samples.",
        Rated::Rule(|rules| rules.outputs = Policy::Upstream),
    ),
    (
        "caption",
        "Scale of the caption score",
        "Printed as 0.38 to 0.61 without saying how; taken as min(1, 2.5·cosine).",
        "100·cosine, and of a picture that is nearly black because it is scaled by 1/255 twice; taken as cosine.",
        Rated::Rule(|rules| rules.captions = Profile::Released),
    ),
    (
        "range_check",
        "Impossible numbers",
        "An incident.",
        "Counted as they are.",
        Rated::Rule(|rules| rules.reading = Profile::Released),
    ),
    (
        "fidelity",
        "Average over references",
        "The text speaks of an average over all references involved; the printed AVG is the mean of the columns.",
        "No average is computed.",
        Rated::PerSample,
    ),
    (
        "judge",
        "Judged scores",
        "GPT-4o-mini rates image quality, instruction following and source fidelity.",
        "No judge and no prompt are released, so Juror's own wording asks for the three.",
        Rated::Note,
    ),
    (
        "fid",
        "FID",
        "Printed as FID.",
        "The square of the mean Inception feature of one picture: no reference is involved, and it says nothing about quality.",
        Rated::Note,
    ),
    (
        "pose",
        "Pose mAP",
        "Mean average precision.",
        "Precision times recall of painted skeleton pixels, which gives very small numbers: the golden answer has 0.149.",
        Rated::Note,
    ),
    (
        "bbox",
        "Bounding box",
        "Overlap with the reference box.",
        "The reference box is read from its picture by an adaptive threshold and comes out as nearly the whole picture: the golden answer has 0.410.",
        Rated::Note,
    ),
    (
        "semantic_map",
        "Semantic map",
        "Overlap of regions.",
        "The reference is read in grey, regions below 300 pixels go, and unmatched regions cost nothing.",
        Rated::Note,
    ),
    (
        "first_of_list",
        "Several subjects or styles",
        "The reference that the instruction names.",
        "Always the first one of the list.",
        Rated::Note,
    ),
    (
        "missing_reference",
        "Missing reference file",
        "Every listed condition counts.",
        "A condition whose file is missing is silently left out and tried again at every run; mask_path as a list loses the whole entry.",
        Rated::Note,
    ),
];

/// Every difference with its effect on each model's average.
pub(super) fn differences(world: &World<'_>) -> Vec<Difference> {
    let groups = Groups::new(world);
    let base = MultiRefRules::new(Profile::Paper, Policy::Zero);
    let bases: Vec<(Option<f64>, Option<f64>)> = world
        .models
        .iter()
        .map(|model| overall(world, &groups, model, base))
        .collect();
    let effect =
        |rated: Rated, model: &ModelData, (paper, per_sample): (Option<f64>, Option<f64>)| {
            let (with_rule, note) = match rated {
                Rated::Rule(exchange) => {
                    let mut rules = base;
                    exchange(&mut rules);
                    (overall(world, &groups, model, rules).0, String::new())
                }
                Rated::PerSample => {
                    let note =
                        per_sample.map(|mean| format!("the mean over samples would be {mean:.3}"));
                    (None, note.unwrap_or_default())
                }
                Rated::Note => (None, String::new()),
            };
            Effect {
                model: model.submission.name.clone(),
                paper,
                with_rule,
                note,
            }
        };
    ROWS.iter()
        .map(|(id, title, paper, released, rated)| Difference {
            id: (*id).to_owned(),
            title: (*title).to_owned(),
            paper: (*paper).to_owned(),
            released: (*released).to_owned(),
            has_effect: matches!(rated, Rated::Rule(_)),
            effects: world
                .models
                .iter()
                .zip(&bases)
                .map(|(model, base)| effect(*rated, model, *base))
                .collect(),
        })
        .collect()
}

/// The average of the first judge that has one: the evaluator's.
fn overall(
    world: &World<'_>,
    groups: &Groups,
    model: &ModelData,
    rules: MultiRefRules,
) -> (Option<f64>, Option<f64>) {
    judges(model)
        .into_iter()
        .map(|judge| ModelResults::new(world, model, judge, rules).overall(groups))
        .find(|(average, _)| average.is_some())
        .unwrap_or_default()
}
