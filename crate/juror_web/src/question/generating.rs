//! Generators' jobs: what they would ask for, and what came of them.

use juror_session::Session;
use juror_session::generating::{
    GeneratePlan, GenerateScope, GeneratedFile, GeneratedFolder, GeneratedModel, generated_files,
    generated_folder, generated_models, plan_generate,
};

use super::{Budget, Error, questions};

questions! {
    /// What a generator's job would ask for.
    PlanGenerate { scope: GenerateScope } -> GeneratePlan;
    /// The models whose pictures the host keeps.
    GeneratedModels {} -> Vec<GeneratedModel>;
    /// Those pictures.
    GeneratedFiles {} -> Vec<GeneratedFile> [Host];
    /// A model's folder, for an export.
    GeneratedFolder { model: String } -> GeneratedFolder [Host];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::PlanGenerate { scope } => Answer::PlanGenerate(plan_generate(session, &scope)),
        Question::GeneratedModels {} => Answer::GeneratedModels(generated_models(session)),
        Question::GeneratedFiles {} => Answer::GeneratedFiles(generated_files(session)),
        Question::GeneratedFolder { model } => {
            Answer::GeneratedFolder(generated_folder(&session.linked(), &model)?)
        }
    })
}
