//! Where the paper and the released code differ, and what each difference does to the numbers at hand.
//!
//! Source: the VIBE paper and the authors' evaluation code; each effect is the paper's score with one rule exchanged.

use super::rows::headline;
use super::rules::{Conditions, Root, Rounding, Span, VibeRules};
use super::{Metric, Task};
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile};
use juror_model::submission::OutputState;
use juror_model::terms::{Difference, Effect, Formula};

/// The formulas of a profile in one line each.
pub(super) fn formulas(profile: Profile) -> Vec<Formula> {
    let formula = |criterion: &str, text: &str, source: &str| Formula {
        criterion: criterion.to_owned(),
        text: text.to_owned(),
        source: source.to_owned(),
    };
    let code = "authors' metrics/registry and run_eval.py";
    let paper = "VIBE, section on evaluation";
    let of_metric = |metric: Metric| match (metric, profile) {
        (Metric::PoseConsistency, Profile::Paper) => "limbs that match / 4",
        (Metric::PoseConsistency, Profile::Released) => {
            "MATCH / (MATCH + MISMATCH), 0 if no limb can be judged"
        }
        (Metric::OrientationAlignment, Profile::Paper) => "(Yaw + Pitch + Roll) / 3",
        (Metric::OrientationAlignment, Profile::Released) => {
            "mean over the axes that need modification, 0 if none does"
        }
        (Metric::LightDirectionConsistency, Profile::Paper) => {
            "(DMC + PLC) / 2, PLC counts only if DMC = 1"
        }
        (Metric::WindContextualPreservation, Profile::Paper) => {
            "(W-IP + W-PP) / 2, W-PP counts only if W-IP = 1"
        }
        (Metric::Billiards, _) => "CP · (PC + CC) / 2",
        (Metric::VisualCoherence, _) => "mean of the sub-scores; 0 without asking if IA = 0",
        (metric, _) if metric.is_single() => "the score itself",
        _ => "mean of the sub-scores",
    };
    let mut formulas: Vec<Formula> = Metric::ALL
        .into_iter()
        .map(|metric| {
            let source = match profile {
                Profile::Paper => paper,
                Profile::Released => code,
            };
            formula(metric.id(), of_metric(metric), source)
        })
        .collect();
    formulas.push(match profile {
        Profile::Paper => formula(
            "total",
            "per item AD RM RP TR DI: (IA·CP·VC)^(1/3); PC: √(PC·(BII+CIC+CP)/3); RO: (OA·IC·VI)^(1/3); LC: √(LDC·CP); FS: √(WDC·W-CP); BI: CP·(PC+CC)/2. Task: mean over runs of the means over items, × 100. Level: mean of its tasks, none if one is missing. Overall: mean of the levels",
            "VIBE, equations (2) to (7); (3) as in the authors' code, because the paper's formula was not to be had",
        ),
        Profile::Released => formula(
            "total",
            "per item: round of the geometric mean of all metric scores in its file, 4 digits. Run: round of 100 · mean, 2 digits. Task: mean over runs, 2 digits, with the sample variance, 4 digits. Level and overall: unweighted means",
            code,
        ),
    });
    formulas
}

/// How a difference is rated.
#[derive(Clone, Copy)]
enum Rated {
    /// By exchanging a rule, where the verdicts give it something to do.
    Rule(fn(&mut VibeRules), fn(&Facts) -> bool),
    /// Not at all: it acts before there are verdicts.
    Note,
}

/// What there is in a model's verdicts and outputs for the rules to differ on.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent findings, each about one rule"
)]
struct Facts {
    has_other_scale: bool,
    has_axes: bool,
    has_unneeded_axis: bool,
    has_unjudgeable_limb: bool,
    has_failed_condition: bool,
    has_gap: bool,
    is_output_amiss: bool,
}

impl Facts {
    fn of(world: &World<'_>, model: &ModelData) -> Self {
        let is_amiss =
            |state: &OutputState| matches!(state, OutputState::Missing | OutputState::Unreadable);
        let mut facts = Self {
            is_output_amiss: model.outputs.iter().any(is_amiss),
            ..Self::default()
        };
        for given in model.given.iter() {
            let Some(verdict) = given.verdict.get().map(|at| &model.verdicts[at as usize]) else {
                continue;
            };
            let metric = Metric::named(&model.criteria[usize::from(given.criterion)]);
            facts.has_gap |= verdict.released.is_err() || metric.is_none();
            facts.has_other_scale |= verdict.paper.is_ok() != verdict.released.is_ok();
            let (Some(metric), Ok(atoms)) = (metric, &verdict.paper) else {
                continue;
            };
            match (metric, &**atoms) {
                (Metric::OrientationAlignment, [_, _, _, yaw, pitch, roll, _]) => {
                    facts.has_axes = true;
                    facts.has_unneeded_axis |= [yaw, pitch, roll].into_iter().any(|x| *x < 1.0);
                }
                (Metric::PoseConsistency, [limbs @ .., _]) => {
                    facts.has_unjudgeable_limb |= limbs.iter().any(|limb| limb.is_nan());
                }
                (
                    Metric::LightDirectionConsistency | Metric::WindContextualPreservation,
                    [condition, dependent, _],
                ) => {
                    facts.has_failed_condition |= *condition < 1.0 && *dependent > 0.0;
                }
                _ => {}
            }
        }
        let expected: usize = world
            .benchmark
            .samples
            .iter()
            .map(|sample| crate::vibe::tasks::metrics_of(sample).len())
            .sum();
        facts.has_gap |= model.given.len() < expected;
        facts
    }
}

struct Rule {
    id: &'static str,
    title: &'static str,
    paper: &'static str,
    released: &'static str,
    effect: Rated,
}

const RULES: [Rule; 12] = [
    Rule {
        id: "scales",
        title: "Which values are taken",
        paper: "DMC has three levels; the parts of IA, CP and W-CP are met or not (in Draft Instantiation the operator may be half met).",
        released: "Half of DMC is refused and asked again up to 51 times; halves of IA, CP and W-CP are taken; text, true and 0.9 are cast.",
        effect: Rated::Rule(
            |rules| rules.reader = Profile::Released,
            |facts| facts.has_other_scale,
        ),
    },
    Rule {
        id: "axes",
        title: "Orientation over three axes",
        paper: "OA is the mean over yaw, pitch and roll; the authors' own judge text says that the need of a change must not matter.",
        released: "Only axes that need modification count; if none does, OA is 0.",
        effect: Rated::Rule(
            |rules| rules.axes = Span::Given,
            |facts| facts.has_unneeded_axis,
        ),
    },
    Rule {
        id: "cube_root",
        title: "Equation (4)",
        paper: "Reorientation is the cube root of OA, IC and VI.",
        released: "The square root of OA and the mean of IC and VI, so that IC = 0 no longer makes an item 0.",
        effect: Rated::Rule(|rules| rules.root = Root::Two, |facts| facts.has_axes),
    },
    Rule {
        id: "limbs",
        title: "Limbs that cannot be judged",
        paper: "PC is the mean over four limbs.",
        released: "Limbs with N/A leave the denominator; if all are N/A, PC is 0.",
        effect: Rated::Rule(
            |rules| rules.limbs = Span::Given,
            |facts| facts.has_unjudgeable_limb,
        ),
    },
    Rule {
        id: "conditions",
        title: "Scores with a condition",
        paper: "PLC counts only if DMC = 1, and W-PP only if W-IP = 1.",
        released: "Only the judge text says so; what the judge gives is counted.",
        effect: Rated::Rule(
            |rules| rules.conditions = Conditions::AsGiven,
            |facts| facts.has_failed_condition,
        ),
    },
    Rule {
        id: "fields",
        title: "Items with a gap or a stray score",
        paper: "An item's score needs all metrics of its task.",
        released: "The geometric mean of whatever in the item's file looks like a metric.",
        effect: Rated::Rule(|rules| rules.fields = Span::Given, |facts| facts.has_gap),
    },
    Rule {
        id: "missing_output",
        title: "Outputs that are missing",
        paper: "The paper does not say; Juror's default counts 0.",
        released: "Items that failed are left out; a missing file is judged as an empty picture.",
        effect: Rated::Rule(
            |rules| rules.policy = Policy::Upstream,
            |facts| facts.is_output_amiss,
        ),
    },
    Rule {
        id: "rounding",
        title: "Rounding on the way",
        paper: "Three runs are averaged.",
        released: "Metrics and items are rounded to 4 digits, runs and means to 2.",
        effect: Rated::Rule(|rules| rules.rounding = Rounding::Files, |_| true),
    },
    Rule {
        id: "pose_formula",
        title: "Equation (3)",
        paper: "PC, BII, CIC and CP as criteria of their own; the formula itself was not to be had, so the code's stands in.",
        released: "The square root of PC and the mean of BII, CIC and CP.",
        effect: Rated::Note,
    },
    Rule {
        id: "gating",
        title: "Visual coherence after a failed edit",
        paper: "IA = 0 makes VC 0.",
        released: "The same, as long as IA is asked before VC; its sub-scores are then not recorded.",
        effect: Rated::Note,
    },
    Rule {
        id: "judge_input",
        title: "What the judge sees",
        paper: "Source, instruction, text and output.",
        released: "A choice for each metric; the pose metrics get no text, billiards gets the golden answer and no source.",
        effect: Rated::Note,
    },
    Rule {
        id: "as_released",
        title: "As the code was released",
        paper: "Ten tasks are evaluated.",
        released: "Flow_Simulation is unknown to the configuration and get_deployment_name is missing, so the evaluation needs patches; results in the form of the README have no status and would all be passed over.",
        effect: Rated::Note,
    },
];

/// The differences with their effects on all models.
pub(super) fn differences(world: &World<'_>) -> Vec<Difference> {
    let paper = |rules: Option<fn(&mut VibeRules)>, model: &ModelData| {
        let mut set = VibeRules::new(Profile::Paper, Policy::Zero);
        if let Some(change) = rules {
            change(&mut set);
        }
        headline(world, model, set)
    };
    let bases: Vec<(Option<f64>, Facts)> = world
        .models
        .iter()
        .map(|model| (paper(None, model), Facts::of(world, model)))
        .collect();
    let tasks = crate::vibe::tasks::tasks_of(world.benchmark);
    let is_complete = Task::ALL
        .into_iter()
        .filter(|task| task.level() != super::Level::Multi)
        .all(|task| tasks.contains(&task));
    let differences = RULES.iter().map(|rule| Difference {
        id: rule.id.to_owned(),
        title: rule.title.to_owned(),
        paper: rule.paper.to_owned(),
        released: rule.released.to_owned(),
        has_effect: matches!(rule.effect, Rated::Rule(..)),
        effects: match rule.effect {
            Rated::Note => Vec::new(),
            Rated::Rule(change, applies) => world
                .models
                .iter()
                .zip(&bases)
                .map(|(model, (base, facts))| {
                    let applies = applies(facts);
                    let with_rule = if applies {
                        paper(Some(change), model)
                    } else {
                        *base
                    };
                    Effect {
                        model: model.submission.name.clone(),
                        paper: *base,
                        with_rule,
                        note: note(applies, is_complete, *base, with_rule),
                    }
                })
                .collect(),
        },
    });
    differences.collect()
}

fn note(applies: bool, is_complete: bool, base: Option<f64>, with_rule: Option<f64>) -> String {
    let about = if is_complete {
        "the overall score"
    } else {
        "the overall score, or the mean of the tasks at hand where no level is complete"
    };
    match (applies, base.zip(with_rule)) {
        (false, _) => "Nothing in these verdicts that the rule acts on.".to_owned(),
        (true, None) => "There is no number to compare.".to_owned(),
        (true, Some((a, b))) if (a - b).abs() < 1e-12 => format!("No change of {about}."),
        (true, Some(_)) => format!("Change of {about}."),
    }
}
