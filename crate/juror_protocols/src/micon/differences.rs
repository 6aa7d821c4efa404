//! Where the paper and the released code differ, and what each difference does to the numbers at hand.
//!
//! Source: the MICON-Bench paper and the authors' evaluation code; each effect is the paper's score with one rule exchanged.

use super::rows::{Facts, Leniency, Mean, MiconRules, ModelResults, Rounding, Stops};
use super::{CANDIDATE, DIMENSIONS};
use crate::resolve;
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile};
use juror_model::terms::{Difference, Effect, Formula};

/// The formulas of a profile in one line each.
pub fn formulas(profile: Profile) -> Vec<Formula> {
    let formula = |criterion: &str, text: &str, source: &str| Formula {
        criterion: criterion.to_owned(),
        text: text.to_owned(),
        source: source.to_owned(),
    };
    let (dimension, candidate, total, source) = match profile {
        Profile::Paper => (
            "passed checkpoints / checkpoints of the dimension; at most 0.4 if its hard checkpoint failed",
            "the judge's score from 0 to 10",
            "100 · mean of the case's dimensions; stories: 40 · that mean + 6 · candidate; then the mean over cases",
            "MICON-Bench, appendix on the evaluation",
        ),
        Profile::Released => (
            "sum of the pass values / checkpoints of the dimension, absent ones 0; at most 0.4 if its hard checkpoint is 0",
            "the judge's score cut to 0 … 10; 0 where none can be read",
            "round(100 · mean of the case's dimensions, 2); stories: round(40 · that mean + 6 · candidate, 2), without a candidate score as the others; then the mean over judged cases",
            "authors' aggregate_scores.py and candidate_evaluator.py",
        ),
    };
    let mut formulas: Vec<Formula> = DIMENSIONS
        .iter()
        .map(|known| formula(&known.letter.to_string(), dimension, source))
        .collect();
    formulas.push(formula(CANDIDATE, candidate, source));
    formulas.push(formula("total", total, source));
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
    /// By exchanging a rule, where the replies give it something to do.
    Replies(fn(&mut MiconRules), fn(&Facts) -> bool),
    /// By exchanging a rule of the arithmetic.
    Arithmetic(fn(&mut MiconRules)),
    /// By weighting the tasks with the published benchmark's case counts.
    Weights,
    /// Not at all: it acts before there are replies.
    Note,
}

const RULES: [Rule; 19] = [
    Rule {
        id: "checkpoint_mean",
        title: "Mean of dimensions or of checkpoints",
        paper: "The appendix averages the dimensions' means, which is taken here; the main text averages all checkpoints at once, without caps. The effect is that of the main text.",
        released: "The mean of the dimensions' means.",
        effect: Rated::Arithmetic(|rules| rules.mean = Mean::Checkpoints),
    },
    Rule {
        id: "missing_output",
        title: "Missing output",
        paper: "A picture that the model did not give counts 0.",
        released: "The case is skipped and the mean is over the others.",
        effect: Rated::Replies(
            |rules| rules.outputs = Policy::Upstream,
            |facts| facts.is_output_amiss,
        ),
    },
    Rule {
        id: "incomplete_judgement",
        title: "Incomplete judgements and loose JSON",
        paper: "Every checkpoint of the task must be answered, in one JSON object; anything else is an incident.",
        released: "Any JSON that can be found is taken; a checkpoint that is not answered has failed, a hard one with its cap.",
        effect: Rated::Replies(
            |rules| rules.partial = Leniency::Counted,
            |facts| facts.is_lenient,
        ),
    },
    Rule {
        id: "off_scale",
        title: "Pass values other than 0 and 1",
        paper: "An incident.",
        released: "Any number counts as it is: 0.5 half, 2 double, and neither is a failure of a hard checkpoint.",
        effect: Rated::Replies(
            |rules| rules.off_scale = Leniency::Counted,
            |facts| facts.is_lenient,
        ),
    },
    Rule {
        id: "own_totals",
        title: "Judgements without checkpoints",
        paper: "An incident.",
        released: "The judge's own total and scores are kept; without a total the case counts 0.",
        effect: Rated::Replies(
            |rules| rules.own_totals = Leniency::Counted,
            |facts| facts.is_lenient,
        ),
    },
    Rule {
        id: "failed_candidate",
        title: "Candidate replies that cannot be read",
        paper: "An incident; the story has no total.",
        released: "A number is looked for in the text, cut to 0 … 10; without one, or after a failed call, the story has a candidate score of 0, without a judge 5.",
        effect: Rated::Replies(
            |rules| rules.candidates = Leniency::Counted,
            |facts| facts.is_candidate_lenient,
        ),
    },
    Rule {
        id: "plain_stories",
        title: "Stories without a candidate score",
        paper: "No total: the formula needs both parts.",
        released: "They count by their checkpoints alone; where the answer sets have no entry for the case, with a candidate score of 0.",
        effect: Rated::Arithmetic(|rules| rules.plain_stories = Leniency::Counted),
    },
    Rule {
        id: "stopping_judgement",
        title: "Flags or own scores of the wrong type",
        paper: "Flags do not matter; scores of the judge's own are an incident.",
        released: "The report writer stops and there is no result for the model.",
        effect: Rated::Replies(
            |rules| rules.stops = Stops::NoResult,
            |facts| facts.is_stopping,
        ),
    },
    Rule {
        id: "rounding",
        title: "Rounding",
        paper: "Full precision; rounded on display.",
        released: "Each case's total is rounded to two digits.",
        effect: Rated::Arithmetic(|rules| rules.rounding = Rounding::PerCase),
    },
    Rule {
        id: "task_weights",
        title: "Weights of the tasks",
        paper: "The mean over the cases at hand. The paper's tables weigh the tasks' means by the complete benchmark's case counts, Table 9 even for a sample with equal counts. The effect is that of those weights.",
        released: "The mean over all judged cases.",
        effect: Rated::Weights,
    },
    Rule {
        id: "hard_checkpoints",
        title: "How many checkpoints are hard",
        paper: "One per dimension. The ids of the code are taken here, as no list is printed.",
        released: "Two to four per task; in Component the hard one of B is the second. Comments in the code describe some of them otherwise; the ids count.",
        effect: Rated::Note,
    },
    Rule {
        id: "generic_checkpoints",
        title: "Checkpoints per case or per task",
        paper: "The judge's questions are generated for each case; Table 9 compares both ways.",
        released: "The same questions for all cases of a task.",
        effect: Rated::Note,
    },
    Rule {
        id: "number_of_checkpoints",
        title: "Checkpoints of Object",
        paper: "Table 14 lists 12 (two each for C and D).",
        released: "15 (three for C, four for D), which is taken here.",
        effect: Rated::Note,
    },
    Rule {
        id: "cap",
        title: "What the judge is told about the cap",
        paper: "0.4 of a dimension.",
        released: "0.4 of a dimension, but the prompt speaks of two points of an older five-point scale.",
        effect: Rated::Note,
    },
    Rule {
        id: "story_judge",
        title: "Who judges the stories' answers",
        paper: "The judge of the table.",
        released: "The judge that the configuration names for stories, asked again at every aggregation, so a table may mix two judges.",
        effect: Rated::Note,
    },
    Rule {
        id: "story_weights",
        title: "Weights of a story's parts",
        paper: "40 % checkpoints, 60 % candidate score.",
        released: "The same; the code's weight parameters are not used.",
        effect: Rated::Note,
    },
    Rule {
        id: "dimensions",
        title: "Seven dimensions",
        paper: "A to G.",
        released: "No task uses F, and only stories use E. The report's table writes 0 for absent ones and does not average them.",
        effect: Rated::Note,
    },
    Rule {
        id: "missing_references",
        title: "References that are not there",
        paper: "Nothing is said.",
        released: "Silently left out of the request; for stories' answers only RA, RB and RC are shown.",
        effect: Rated::Note,
    },
    Rule {
        id: "unknown_cases",
        title: "Judgements of cases outside the benchmark",
        paper: "Not counted.",
        released: "The code counts whatever lies in the judgement folder. Juror lists such judgements and counts them in neither profile.",
        effect: Rated::Note,
    },
];

/// Every difference with its effect on each model's overall total (the first judge's).
pub fn differences(world: &World<'_>) -> Vec<Difference> {
    let base = MiconRules::new(Profile::Paper, Policy::Zero);
    let standing = |model: &ModelData, rules: MiconRules| {
        let judge = resolve::judges(model)[0];
        ModelResults::new(world, model, judge, Profile::Paper, rules)
    };
    let bases: Vec<(ModelResults, Facts)> = world
        .models
        .iter()
        .map(|model| (standing(model, base), Facts::of(model)))
        .collect();
    let effect = |rule: &Rule, (model, (known, facts)): (&ModelData, &(ModelResults, Facts))| {
        let paper = known.overall().ok().flatten();
        let exchanged = |exchange: fn(&mut MiconRules)| {
            let mut rules = base;
            exchange(&mut rules);
            match standing(model, rules).overall() {
                Ok(overall) => (overall, String::new()),
                Err(stopped) => (None, stopped),
            }
        };
        let (with_rule, note) = match rule.effect {
            Rated::Replies(_, has_ground) if !has_ground(facts) => (paper, String::new()),
            Rated::Replies(exchange, _) | Rated::Arithmetic(exchange) => exchanged(exchange),
            Rated::Weights => (known.case_weighted(world), String::new()),
            Rated::Note => (None, String::new()),
        };
        Effect {
            model: model.submission.name.clone(),
            paper,
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
            has_effect: !matches!(rule.effect, Rated::Note),
            effects: world
                .models
                .iter()
                .zip(&bases)
                .map(|pair| effect(rule, pair))
                .collect(),
        })
        .collect()
}
