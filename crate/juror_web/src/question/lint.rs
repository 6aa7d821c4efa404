//! The check before judging.

use juror_session::Session;
use juror_session::lint::rename_script;
use juror_session::view::lint::{LintFeatures, LintReport};

use super::{Budget, Error, questions};

questions! {
    /// What is to be found fault with before anything is judged.
    LintReport {} -> LintReport;
    /// The pictures whose features networks bring.
    FeatureNeeds {} -> Vec<u32> [Read];
    /// What is to be found fault with, and what networks hardly tell apart.
    LintAlike { features: Vec<LintFeatures> } -> LintReport;
    /// The suggested renames as shell commands.
    RenameScript {} -> String [Read];
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "every topic is handed its question"
)]
pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::LintReport {} => {
            Answer::LintReport(juror_session::lint_report(&session.linked())?)
        }
        Question::FeatureNeeds {} => {
            Answer::FeatureNeeds(juror_session::feature_needs(&session.linked()))
        }
        Question::LintAlike { features } => Answer::LintAlike(juror_session::lint_report_with(
            &session.linked(),
            &features,
        )?),
        Question::RenameScript {} => Answer::RenameScript(renames(session)?),
    })
}

fn renames(session: &mut Session) -> Result<String, Error> {
    let found = juror_session::lint(&session.linked())?;
    let renames = found.iter().filter_map(|finding| {
        Some((
            finding.rename_from.as_deref()?,
            finding.rename_to.as_deref()?,
        ))
    });
    Ok(rename_script(renames))
}
