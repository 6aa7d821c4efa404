//! Panels: several judges together as one.
//!
//! The scores of a panel by the mean are the means of its judges' scores, as where a protocol averages judges itself.
//! By the median or the majority its judges' answers to each question become one, and the protocol scores the reply that these
//! amount to, with its caps, gates and roots. Like people's replies those of a panel are scored where it is chosen, and beside
//! no other judge.
//!
//! A panel answers a request in a run where all of its judges did, so that each of its numbers is by the same judges; of
//! people whoever rated the output answers, as everybody rates a part only.

use crate::study::LinkedSession;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::count;
use crate::error::Error;
use crate::groups::Group;
use crate::linked::Source;
use crate::said::{SaidReply, readable_replies};
use crate::sample::time_of_given;
use crate::state::{Panelling, Session};
use crate::tally::{RequestRun, Tallies, Tally};
use juror_judging::journal::{FORMAT, Record};
use juror_model::compact::{Index, Number};
use juror_model::judge::{PEOPLE, Panel, PanelRule};
use juror_model::linked::LinkedReply;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::reply::{Fault, Read, Readings, Verdict};
use juror_model::row::{PanelCounts, ScoreRow};
use juror_model::score::{Scores, Unit};
use juror_model::terms::{Atom, Difference};
use juror_statistics::small::arrange_numbers;

mod mean;
mod ties;

/// Answers that lie no further apart are the same.
const GRAIN: f64 = 1e-9;

/// What each voter said to a request, in the order of the voters; `None` for one without a reply that answers everything.
type Votes<'a> = Vec<Option<&'a [f64]>>;

/// The voters of a panel: those who all have to answer, and those of whom whoever rated does.
struct Voters {
    judges: Vec<String>,
    people: Vec<String>,
    /// The protocol's criteria by id.
    criteria: Vec<String>,
}

impl Voters {
    fn of(session: &Session, panel: &Panel) -> Self {
        let has_people = panel.judges.iter().any(|judge| judge == PEOPLE);
        let mut judges = panel.judges.clone();
        judges.retain(|judge| judge != PEOPLE);
        let mut people: Vec<String> = Vec::new();
        if has_people {
            let all = session.data.at_hand().people;
            people.extend(all.into_iter().filter(|name| name != PEOPLE));
            people.retain(|name| !judges.contains(name));
        }
        let criteria = session.loader.protocol.criteria().into_iter();
        Self {
            judges,
            people,
            criteria: criteria.map(|info| info.id).collect(),
        }
    }

    /// Whether the votes of all together make an answer.
    fn are_enough(&self, votes: &Votes<'_>) -> bool {
        let (judges, people) = votes.split_at(self.judges.len());
        let has_judges = judges.iter().all(Option::is_some);
        has_judges && (people.is_empty() || people.iter().any(Option::is_some))
    }
}

/// A reply that a panel's judges amount to.
struct Combined {
    record: Record,
    place: RequestRun,
    read: Read,
}

/// The answer of several to one question, and whether there was a tie.
///
/// Majority: the answer that most gave; of several that equally many gave, the middle one in order, of two in the middle the
/// lower one. Median: the middle answer; of two in the middle their mean where it is a step of the scale, else the lower one,
/// which is a tie. Answers that have names, such as yes and no, have no order: the median takes the majority there.
fn answer(rule: PanelRule, votes: &[f64], atom: &Atom) -> (f64, bool) {
    let mut sorted = votes.to_vec();
    arrange_numbers(&mut sorted);
    let lower_middle = |values: &[f64]| values[(values.len() - 1) / 2];
    let has_names = atom.steps.iter().any(|step| !step.name.is_empty());
    if rule == PanelRule::Median && !has_names {
        let (low, high) = (lower_middle(&sorted), sorted[sorted.len() / 2]);
        let middle = f64::midpoint(low, high);
        return match high - low {
            gap if gap < GRAIN => (low, false),
            _ if atom.takes(middle) => (middle, false),
            _ => (low, true),
        };
    }
    let groups: Vec<&[f64]> = sorted.chunk_by(|a, b| (a - b).abs() < GRAIN).collect();
    let most = groups.iter().map(|group| group.len()).max().unwrap_or(0);
    let first = groups.iter().filter(|group| group.len() == most);
    let first: Vec<f64> = first.filter_map(|group| group.first().copied()).collect();
    (lower_middle(&first), first.len() > 1)
}

/// The criterion that a question is of: of its name, or of the name before it, as `A` of `A_check_1`.
fn criterion_of(criteria: &[String], atom: &Atom) -> Option<String> {
    let is_of = |id: &&String| {
        let rest = atom.id.strip_prefix(id.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '_']))
    };
    criteria.iter().find(is_of).cloned()
}

impl Panelling {
    /// Panels of every rule.
    pub(crate) const FULL: Self = Self {
        seat: Session::bring_panel,
        score: Session::panel_scores,
        differences: Session::panel_differences,
        words,
        name_ties: Session::name_ties,
    };
}

impl Session {
    /// Scores of the panel that the options name.
    fn panel_scores(&self, options: &ScoreOptions) -> Scores {
        let name = options.judge.as_deref().unwrap_or_default();
        let mut scores = match Panel::named(name) {
            Some(panel) if panel.rule == PanelRule::Mean => self.mean_scores(options, name, &panel),
            _ => self.scores_alone(options),
        };
        self.count_panel(options, name, &mut scores);
        scores
    }

    /// What differs between paper and code for the panel that the options name.
    fn panel_differences(&self, options: &ScoreOptions) -> Vec<Difference> {
        let panel = options.judge.as_deref().and_then(Panel::named);
        match panel {
            Some(panel) if panel.rule == PanelRule::Mean => self.mean_differences(options, &panel),
            _ => self.differences_alone(options),
        }
    }

    /// Brings the replies of a panel among the others, where this names one and they are not there yet.
    fn bring_panel(&mut self, judge: &str) {
        let Some(panel) = Panel::named(judge) else {
            return;
        };
        let is_seated = (self.data.cache.linked.iter()).any(|it| it.panels.contains_key(judge));
        if is_seated {
            return;
        }
        let (combined, tallies) = self.combined(judge, &panel);
        // What was derived without these replies is made anew.
        self.data.cache.rescore();
        let Some(linked) = &mut self.data.cache.linked else {
            return;
        };
        linked.panels.insert(judge.to_owned(), tallies);
        let source = linked.source(Source::Rated);
        for Combined {
            record,
            place: (at, sample, turn, criterion, run),
            read,
        } in combined
        {
            let model = &mut linked.models[at];
            let known = model.judges.iter().position(|name| name == judge);
            let judge_at = known.unwrap_or_else(|| {
                model.judges.push(judge.to_owned());
                model.num_by_judge.push(0);
                model.judges.len() - 1
            });
            model.num_by_judge[judge_at] += 1;
            let (readings, verdict) = match read {
                Read::One(readings) => (readings, Index::NONE),
                Read::Several(verdict) => {
                    let verdicts = Arc::make_mut(&mut model.verdicts);
                    verdicts.push(verdict.clone());
                    let position = count(verdicts.len() - 1);
                    (verdict.readings(), Some(position).into())
                }
            };
            let domain = linked.benchmark.samples[sample as usize].domain.as_str();
            let domain = model.domains.iter().position(|known| known == domain);
            let domain = domain.and_then(|at| u16::try_from(at).ok()).unwrap_or(0);
            let position = count(linked.rated.len());
            linked.rated.push(record);
            Arc::make_mut(&mut model.given).push(LinkedReply {
                sample: Some(sample).into(),
                slot: linked.benchmark.turn_slot(sample, turn).into(),
                turn: Some(turn).into(),
                criterion,
                domain,
                judge: u16::try_from(judge_at).unwrap_or(u16::MAX),
                run,
                readings,
                verdict,
                origin: (source, position),
                line: 0,
            });
        }
    }

    /// The replies that a panel's judges amount to, and how far they answered together; of a mean only the second.
    fn combined(&self, name: &str, panel: &Panel) -> (Vec<Combined>, Tallies) {
        let voters = Voters::of(self, panel);
        let mut texts: BTreeMap<RequestRun, [Option<String>; 2]> = BTreeMap::new();
        let mut tallies = Tallies::default();
        let mut times: BTreeMap<RequestRun, String> = BTreeMap::new();
        for (which, profile) in [Profile::Paper, Profile::Released].into_iter().enumerate() {
            let all = voters.judges.iter().chain(&voters.people);
            let said = all.map(|voter| {
                let replies = readable_replies(self, profile, voter).into_iter();
                replies.map(|reply| (reply.place, reply)).collect()
            });
            let said: Vec<BTreeMap<RequestRun, SaidReply>> = said.collect();
            let places: BTreeSet<&RequestRun> = said.iter().flat_map(BTreeMap::keys).collect();
            for place in places {
                let votes: Vec<Option<&SaidReply>> = said.iter().map(|of| of.get(place)).collect();
                let (tally, text) = self.vote(panel.rule, &voters, *place, &votes);
                tallies[which].push(tally);
                if let Some(text) = text {
                    texts.entry(*place).or_default()[which] = Some(text);
                    let votes = votes.iter().flatten();
                    let time = votes.map(|vote| time_of_given(self, place.0, vote.given));
                    times
                        .entry(*place)
                        .or_insert(time.max().unwrap_or_default());
                }
            }
        }
        let reply = |(place, texts): (RequestRun, [Option<String>; 2])| {
            self.combined_reply(name, place, texts, times.remove(&place))
        };
        (texts.into_iter().filter_map(reply).collect(), tallies)
    }

    /// The answer of the voters to one request as the reply that gives it, where there is one.
    fn vote(
        &self,
        rule: PanelRule,
        voters: &Voters,
        place: RequestRun,
        votes: &[Option<&SaidReply>],
    ) -> (Tally, Option<String>) {
        let mut tally = Tally {
            place,
            has_all: false,
            answers: BTreeMap::new(),
        };
        if rule == PanelRule::Mean {
            tally.has_all = votes.iter().all(Option::is_some);
            return (tally, None);
        }
        let protocol = &self.loader.protocol;
        let world = self.world();
        let sample = &world.benchmark.samples[place.1 as usize];
        let request = &world.models[place.0].criteria[usize::from(place.3)];
        let atoms = protocol.atoms(sample, request, &self.loader.packs[self.loader.pack]);
        let votes = votes.iter().map(|vote| {
            let said = vote.and_then(|vote| vote.said.get(..atoms.len()))?;
            let is_whole = !said.is_empty() && said.iter().all(|value| !value.is_nan());
            is_whole.then_some(said)
        });
        let votes: Votes<'_> = votes.collect();
        tally.has_all = votes.iter().all(Option::is_some);
        if !voters.are_enough(&votes) {
            return (tally, None);
        }
        let mut values = Vec::with_capacity(atoms.len());
        for (at, atom) in atoms.iter().enumerate() {
            let of_all: Vec<f64> = votes.iter().flatten().map(|said| said[at]).collect();
            let (value, is_tie) = answer(rule, &of_all, atom);
            values.push(value);
            let counts = tally
                .answers
                .entry(criterion_of(&voters.criteria, atom))
                .or_default();
            counts.0 += 1;
            counts.1 += u32::from(is_tie);
        }
        let text = protocol.compose(sample, request, &values);
        (tally, Some(text))
    }

    /// A reply by what its judges amount to under each reading; of one under which they are not all readable, nothing.
    fn combined_reply(
        &self,
        name: &str,
        place: RequestRun,
        [paper, released]: [Option<String>; 2],
        time: Option<String>,
    ) -> Option<Combined> {
        let protocol = &self.loader.protocol;
        let world = self.world();
        let sample = &world.benchmark.samples[place.1 as usize];
        let model = &world.models[place.0];
        let request = &model.criteria[usize::from(place.3)];
        let text = paper.clone().or_else(|| released.clone())?;
        let read = |text: &Option<String>| {
            let text = text.as_ref();
            text.map(|text| protocol.read(Some(sample), request, text))
        };
        let is_one = paper == released;
        let paper = read(&paper);
        let released = if is_one {
            paper.clone()
        } else {
            read(&released)
        };
        let record = Record {
            format: FORMAT.to_owned(),
            protocol: protocol.id().to_owned(),
            model: model.submission.name.clone(),
            sample: sample.id.clone(),
            turn: place.2,
            criterion: request.clone(),
            judge: name.to_owned(),
            run: place.4,
            time: time.unwrap_or_default(),
            reply: text,
            ..Record::default()
        };
        Some(Combined {
            record,
            place,
            read: both(paper, released)?,
        })
    }

    /// Writes into a panel's rows how far its judges answered together.
    pub(crate) fn count_panel(&self, options: &ScoreOptions, name: &str, scores: &mut Scores) {
        let linked = self.data.cache.linked.as_ref();
        let Some(tallies) = linked.and_then(|linked| linked.panels.get(name)) else {
            return;
        };
        let tallies = &tallies[usize::from(options.profile == Profile::Released)];
        let world = self.world();
        let requests = self.loader.protocol.requests();
        let scopes = &scores.scopes;
        let groups: Vec<Group<'_>> = (scopes.iter())
            .flat_map(|info| info.keys.iter().map(|key| self.group(&info.scope, key)))
            .collect();
        let mut counts: BTreeMap<(usize, usize, &str), PanelCounts> = BTreeMap::new();
        let in_run = |run: u32| options.run.is_none_or(|chosen| chosen == run);
        for tally in tallies {
            let (model, sample, turn, criterion, run) = tally.place;
            if !in_run(run) {
                continue;
            }
            let unit = Unit {
                sample,
                turn,
                criterion,
                run,
                incident: None,
                counted: Number::NONE,
                given: Index::NONE,
            };
            let request = &world.models[model].criteria[usize::from(criterion)];
            let known = requests.iter().find(|known| known.id == *request);
            let criteria = known.map_or(std::slice::from_ref(request), |known| &known.criteria);
            for (at, _) in (groups.iter().enumerate()).filter(|(_, one)| one.has(&world, &unit)) {
                // A reply counts once in the total, also where the request names that among its criteria.
                let own = criteria.iter().map(String::as_str);
                let own = own.filter(|criterion| *criterion != "total");
                for criterion in own.chain(["total"]) {
                    let found = counts.entry((model, at, criterion)).or_default();
                    found.had_any += 1;
                    found.had_all += u32::from(tally.has_all);
                    for (of, (answers, ties)) in &tally.answers {
                        let is_meant = of.as_deref().is_none_or(|of| of == criterion);
                        if is_meant || criterion == "total" {
                            found.answers += answers;
                            found.ties += ties;
                        }
                    }
                }
            }
        }
        for row in scores.rows.iter_mut().filter(|row| row.judge == name) {
            let mut models = world.models.iter();
            let model = models.position(|model| model.submission.name == row.model);
            let group = groups.iter().position(|one| one.is(&row.scope, &row.key));
            let place = model.zip(group);
            let found =
                place.and_then(|(model, group)| counts.get(&(model, group, &*row.criterion)));
            row.panel = Some(found.copied().unwrap_or_default());
        }
    }
}

/// Whether there is this judge, or everybody of this panel.
///
/// # Errors
/// `unknown_judge`: no reply is by it, or by one of the panel; or a panel of one, unless it is of people together.
pub fn check_judge(session: &LinkedSession<'_>, judge: &str) -> Result<(), Error> {
    check_known_judge(session, judge)
}

/// The same, of a session that is tied together.
pub(super) fn check_known_judge(session: &Session, judge: &str) -> Result<(), Error> {
    let found = session.data.at_hand();
    let known = |name: &String| found.judges.contains(name) || found.people.contains(name);
    let Some(panel) = Panel::named(judge) else {
        let name = judge.to_owned();
        return if known(&name) {
            Ok(())
        } else {
            Err(Error::UnknownJudge(name))
        };
    };
    if let Some(absent) = panel.judges.iter().find(|name| !known(name)) {
        return Err(Error::UnknownJudge(absent.clone()));
    }
    if panel.judges.len() < 2 && !panel.judges.iter().any(|name| name == PEOPLE) {
        return Err(Error::SmallPanel(judge.to_owned()));
    }
    Ok(())
}

/// The name of a panel, by which it is scored.
///
/// # Errors
/// As [`check_judge`].
pub fn panel_name(session: &LinkedSession<'_>, panel: Panel) -> Result<String, Error> {
    let name = Panel::new(panel.rule, panel.judges).name();
    check_judge(session, &name)?;
    Ok(name)
}

/// What a panel does with its judges' answers, and how far they answered together behind a row.
fn words(row: &ScoreRow) -> Vec<String> {
    let found = Panel::named(&row.judge).zip(row.panel);
    found.map_or_else(Vec::new, |(panel, counts)| words_of(&panel, &counts))
}

fn words_of(panel: &Panel, counts: &PanelCounts) -> Vec<String> {
    let names = panel.judges.iter().map(|judge| match judge.as_str() {
        "" => "a judge that is not named".to_owned(),
        PEOPLE => "everybody who rated".to_owned(),
        judge => judge.to_owned(),
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let rule = match panel.rule {
        PanelRule::Mean => format!("The mean of the scores of {names}."),
        PanelRule::Median => format!(
            "Scored on the median of what {names} answered to each question; of two in the middle their mean where the scale has it, else the lower one, and of answers with names the majority."
        ),
        PanelRule::Majority => format!(
            "Scored on what most of {names} answered to each question; in a tie the middle one of the tied answers, of two the lower one."
        ),
    };
    let PanelCounts {
        had_all,
        had_any,
        answers,
        ties,
    } = counts;
    let mut words = vec![
        rule,
        format!("Requests that all of them answered: {had_all} of {had_any} that any of them did."),
    ];
    if panel.rule != PanelRule::Mean {
        words.push(format!("Ties: {ties} of {answers} answers."));
    }
    words
}

/// Both readings as one, where there is any.
fn both(paper: Option<Read>, released: Option<Read>) -> Option<Read> {
    let read = match (paper, released) {
        (None, None) => return None,
        (Some(Read::One(paper)), Some(Read::One(released))) => {
            Read::One(Readings::new(paper.paper(), released.released()))
        }
        (Some(Read::One(paper)), None) => {
            Read::One(Readings::new(paper.paper(), Err(Fault::Ignored)))
        }
        (None, Some(Read::One(released))) => {
            Read::One(Readings::new(Err(Fault::Ignored), released.released()))
        }
        (paper, released) => {
            let verdict = |read: Option<Read>| match read {
                Some(Read::Several(verdict)) => verdict,
                _ => Verdict::fault(Fault::Ignored),
            };
            Read::Several(Verdict {
                paper: verdict(paper).paper,
                released: verdict(released).released,
            })
        }
    };
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_model::terms::Step;

    fn atom(steps: &[(f64, &str)]) -> Atom {
        let step = |(value, name): &(f64, &str)| Step {
            value: *value,
            name: (*name).to_owned(),
        };
        Atom {
            id: "x".to_owned(),
            request: "judge".to_owned(),
            label: String::new(),
            question: String::new(),
            steps: steps.iter().map(step).collect(),
            is_hard: false,
        }
    }

    fn whole() -> Atom {
        atom(&(0..=10).map(|at| (f64::from(at), "")).collect::<Vec<_>>())
    }

    fn yes_no() -> Atom {
        atom(&[(0.0, "no"), (1.0, "yes")])
    }

    #[test]
    fn a_majority_is_what_most_gave_and_a_tie_takes_the_middle_of_the_tied() {
        let of = |votes: &[f64]| answer(PanelRule::Majority, votes, &whole());
        assert_eq!(of(&[9.0, 2.0, 9.0]), (9.0, false));
        // The mean would be 5, the median 2.
        assert_eq!(of(&[2.0, 1.0, 9.0, 9.0, 4.0]), (9.0, false));
        assert_eq!(of(&[8.0, 2.0]), (2.0, true));
        assert_eq!(of(&[9.0, 2.0, 7.0]), (7.0, true));
        assert_eq!(of(&[1.0, 1.0, 5.0, 9.0, 9.0]), (1.0, true));
        assert_eq!(of(&[4.0]), (4.0, false));
    }

    #[test]
    fn a_median_between_two_answers_is_a_step_or_the_lower_one() {
        let of = |votes: &[f64], atom: &Atom| answer(PanelRule::Median, votes, atom);
        assert_eq!(of(&[9.0, 2.0, 7.0], &whole()), (7.0, false));
        assert_eq!(of(&[8.0, 2.0], &whole()), (5.0, false));
        assert_eq!(of(&[8.0, 3.0], &whole()), (3.0, true));
        assert_eq!(of(&[3.0, 3.0, 3.0, 9.0], &whole()), (3.0, false));
    }

    #[test]
    fn answers_with_names_have_no_middle() {
        let seen = atom(&[(-1.0, "cannot be seen"), (0.0, "no match"), (1.0, "match")]);
        let of = |votes: &[f64], atom: &Atom| answer(PanelRule::Median, votes, atom);
        // Between "cannot be seen" and "match" there is no "no match".
        assert_eq!(of(&[-1.0, -1.0, 1.0, 1.0], &seen), (-1.0, true));
        assert_eq!(of(&[1.0, 0.0, 1.0], &yes_no()), (1.0, false));
        assert_eq!(of(&[1.0, 0.0], &yes_no()), (0.0, true));
    }
}
