//! A project of whatever kind, from its file.

use serde::Serialize;

use crate::project::kind_of;
use crate::{
    Decision, Error, Kind, Making, OutFile, Progress, PromptPart, Reply, Request, micon, realworld,
    refblend,
};

/// What a project begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeBegins")
)]
#[serde(rename_all = "snake_case")]
pub enum Begins {
    /// A folder of pictures with their references.
    Originals,
    /// Numbers of cases that are drawn.
    Counts,
    /// A list of requests, beside their pictures.
    Posts,
}

/// What there is to know of a kind before a project of it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeKind")
)]
pub struct KindAbout {
    /// As project files have it.
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub id: Kind,
    /// What is made, and for which benchmark.
    pub title: &'static str,
    /// What it begins with.
    pub begins: Begins,
}

impl KindAbout {
    /// Every kind that there is.
    pub const ALL: [Self; 3] = [
        Self {
            id: Kind::Refblend,
            title: "Samples for MultiRef-Bench",
            begins: Begins::Originals,
        },
        Self {
            id: Kind::Micon,
            title: "Cases for MICON-Bench",
            begins: Begins::Counts,
        },
        Self {
            id: Kind::Realworld,
            title: "Requests from the real world, for MultiRef-Bench",
            begins: Begins::Posts,
        },
    ];
}

/// A project of one of the kinds.
pub enum AnyProject {
    /// See [`Kind::Refblend`].
    Refblend(Box<refblend::Project>),
    /// See [`Kind::Micon`].
    Micon(Box<micon::Project>),
    /// See [`Kind::Realworld`].
    Realworld(Box<realworld::Project>),
}

impl AnyProject {
    /// Reads a project file.
    ///
    /// # Errors
    /// It is no project file, or of another version.
    pub fn read(text: &str) -> Result<Self, Error> {
        Ok(match kind_of(text)? {
            kind @ Kind::Refblend => Self::Refblend(Box::new(refblend::Project::read(text, kind)?)),
            kind @ Kind::Realworld => {
                Self::Realworld(Box::new(realworld::Project::read(text, kind)?))
            }
            // Only the command line makes these, so the page does not carry their code.
            Kind::WeaveEdits => return Err(of_command("verifies WEAVE's edits", "verify-edits")),
            Kind::WeaveTurns => {
                return Err(of_command("extends WEAVE's dialogues", "extend-dialogues"));
            }
            Kind::WeaveDialogues => return Err(of_command("makes WEAVE's dialogues", "dialogues")),
            kind @ Kind::Micon => Self::Micon(Box::new(micon::Project::read(text, kind)?)),
        })
    }

    /// What it makes.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Refblend(_) => Kind::Refblend,
            Self::Micon(_) => Kind::Micon,
            Self::Realworld(_) => Kind::Realworld,
        }
    }

    fn inner(&self) -> &dyn Making {
        match self {
            Self::Refblend(project) => project.as_ref(),
            Self::Micon(project) => project.as_ref(),
            Self::Realworld(project) => project.as_ref(),
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Making {
        match self {
            Self::Refblend(project) => project.as_mut(),
            Self::Micon(project) => project.as_mut(),
            Self::Realworld(project) => project.as_mut(),
        }
    }
}

impl Making for AnyProject {
    fn due(&self) -> Vec<Request> {
        self.inner().due()
    }

    fn progress(&self) -> Progress {
        self.inner().progress()
    }

    fn things(&self) -> Vec<String> {
        self.inner().things()
    }

    fn look(&self, thing: &str) -> Vec<PromptPart> {
        self.inner().look(thing)
    }

    fn decided(&self, thing: &str) -> Option<&Decision> {
        self.inner().decided(thing)
    }

    fn files(&self) -> Result<Vec<OutFile>, Error> {
        self.inner().files()
    }

    fn places(&self) -> Vec<String> {
        self.inner().places()
    }

    fn add_reply(&mut self, reply: Reply) {
        self.inner_mut().add_reply(reply);
    }

    fn add_decision(&mut self, decision: Decision) {
        self.inner_mut().add_decision(decision);
    }

    fn text(&self) -> String {
        self.inner().text()
    }
}

/// Why a project of a kind that only a command carries on cannot be read here.
fn of_command(makes: &str, command: &str) -> Error {
    Error::Project(format!(
        "This project {makes}; carry it on with juror make {command}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Verdict, Wanted};

    #[test]
    fn whoever_decides_sees_what_is_there_and_nothing_before() {
        let settings = micon::Settings {
            counts: vec!["object:2=1".parse().expect("a count")],
            ..micon::Settings::default()
        };
        let begun = micon::begin(3, settings).expect("one case");
        let mut project = AnyProject::read(&begun.text()).expect("its own file");
        assert_eq!(project.kind(), Kind::Micon);
        let seen = |project: &AnyProject| -> Vec<String> {
            let things = project.things().into_iter();
            things
                .filter(|thing| !project.look(thing).is_empty())
                .collect()
        };
        assert_eq!(seen(&project), Vec::<String>::new());
        let due = project.due();
        let Wanted::Picture { path } = &due[0].wanted else {
            panic!("a picture is due: {due:?}");
        };
        project.add_reply(Reply {
            request: due[0].sha256(),
            by: "Ada".to_owned(),
            picture: "ab".to_owned(),
            ..Reply::default()
        });
        assert_eq!(seen(&project), [due[0].thing.clone()]);
        let picture = PromptPart::Picture {
            path: path.clone(),
            sha256: "ab".to_owned(),
        };
        let look = project.look(&due[0].thing);
        assert_eq!(look, [PromptPart::text(due[0].prompt()), picture.clone()]);
        assert_eq!(project.look("object_composition/case_0009/RA"), []);
        let decision = Decision {
            thing: due[0].thing.clone(),
            verdict: Verdict::Accept,
            reason: String::new(),
            by: "Ada".to_owned(),
            time: String::new(),
        };
        project.decide(vec![decision.clone()]).expect("known");
        assert_eq!(project.decided(&due[0].thing), Some(&decision));
        // A case shows what is accepted of it.
        let (case, _) = due[0]
            .thing
            .rsplit_once('/')
            .expect("a reference of a case");
        assert_eq!(project.look(case).last(), Some(&picture));
    }
}
