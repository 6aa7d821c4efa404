//! The check before judging.

use juror_session::Session;
use juror_session::lint::rename_script;
use juror_session::view::lint::{LintFeatures, LintReport};

use super::{Budget, Error, questions};

questions! {
    /// What is to be found fault with before anything is judged, and what networks with these features hardly tell apart.
    LintReport { features: Vec<LintFeatures> } -> LintReport;
    /// The suggested renames as shell commands.
    RenameScript {} -> String [Read];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::LintReport { features } => Answer::LintReport(juror_session::lint_report_with(
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
