//! Measured values: what can be measured, what was, and what files made elsewhere say.

use juror_judging::journal;
use juror_session::Session;
use juror_session::conditions::{ConditionPlan, ConditionValue, NetworkValue};
use juror_session::measure::Measure;
use juror_session::measures::{MeasureImport, MeasureOffer, MeasurePlan, MeasureQuery};

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
    /// Values of networks as a journal, each reply at this time.
    NetworkJournal { values: Vec<NetworkValue>, time: String } -> String [Read];
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
        Question::MeasureOffer {} => {
            Answer::MeasureOffer(juror_session::measure_offer(&session.linked()))
        }
        Question::MeasurePlan { query } => Answer::MeasurePlan(
            juror_session::measure_plan(&session.linked(), &query)
                .map_err(|refused| Error::Measures(refused.to_string()))?,
        ),
        Question::ConditionPlan {} => {
            Answer::ConditionPlan(juror_session::condition_plan(&session.linked()))
        }
        Question::ConditionJournal { values, time } => Answer::ConditionJournal(journal::write(
            &juror_session::condition_records(session, &values, &time),
        )),
        Question::NetworkJournal { values, time } => Answer::NetworkJournal(journal::write(
            &juror_session::network_records(session, &values, &time),
        )),
        Question::ImportMeasures { text } => Answer::ImportMeasures(
            juror_session::import_measures(session, &text)
                .map_err(|refused| Error::Measures(refused.to_string()))?,
        ),
        Question::DropMeasures {} => {
            juror_session::drop_measures(session);
            Answer::DropMeasures(Done)
        }
        Question::Measures {} => {
            Answer::Measures(juror_session::measures(&session.linked()).into())
        }
        Question::AddMeasures { records } => {
            juror_session::add_measures(session, records);
            Answer::AddMeasures(Done)
        }
    })
}
