//! Measured values: what can be measured, what was, and what files made elsewhere say.

use juror_core::journal;
use juror_core::measure::Measure;
use juror_core::session::Session;
use juror_core::session::conditions::{ConditionPlan, ConditionValue};
use juror_core::session::measures::{MeasureImport, MeasureOffer, MeasurePlan, MeasureQuery};

use super::{Budget, Bytes, Done, Error, questions};

questions! {
    /// What can be measured.
    MeasureOffer {} -> MeasureOffer;
    /// What measuring this would take.
    MeasurePlan { query: MeasureQuery } -> MeasurePlan [Read];
    /// What files made elsewhere can complete.
    ConditionPlan {} -> ConditionPlan [Read];
    /// Values of such files as a journal, each reply at this time.
    ConditionJournal { values: Vec<ConditionValue>, time: String } -> String [Read];
    /// Takes a file of measured values in: how many, and what could not be read.
    ImportMeasures { text: String } -> MeasureImport [Changes];
    /// Forgets what was measured in this session.
    DropMeasures {} -> Done [Changes];
    /// Every measured value, one per line.
    Measures {} -> Bytes [Read];
    /// Takes measured values in.
    AddMeasures { records: Vec<Measure> } -> Done [Host];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::MeasureOffer {} => Answer::MeasureOffer(session.measure_offer()),
        Question::MeasurePlan { query } => {
            Answer::MeasurePlan(session.measure_plan(&query).map_err(Error::Measures)?)
        }
        Question::ConditionPlan {} => Answer::ConditionPlan(session.condition_plan()),
        Question::ConditionJournal { values, time } => {
            Answer::ConditionJournal(journal::write(&session.condition_records(&values, &time)))
        }
        Question::ImportMeasures { text } => {
            Answer::ImportMeasures(session.import_measures(&text).map_err(Error::Measures)?)
        }
        Question::DropMeasures {} => {
            session.drop_measures();
            Answer::DropMeasures(Done)
        }
        Question::Measures {} => Answer::Measures(session.measures().into()),
        Question::AddMeasures { records } => {
            session.add_measures(records);
            Answer::AddMeasures(Done)
        }
    })
}
