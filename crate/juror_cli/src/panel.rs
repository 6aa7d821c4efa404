//! Several judges together, as an option of commands that score.

use anyhow::{Context as _, bail};
use juror_model::judge::{Panel, PanelRule};

use crate::host::Host;

/// Which panel is scored, if any.
#[derive(Debug, clap::Args)]
pub(crate) struct PanelArgs {
    /// Scores several judges together as one: RULE is mean, median or majority, and the judges follow; every judge at hand
    /// if none is named. Median and majority put together each criterion or checkpoint and score that. People are
    /// `people:NAME`; `people` is everybody who rated, each with a voice.
    #[arg(long, num_args = 1.., value_names = ["RULE", "JUDGE"])]
    panel: Option<Vec<String>>,
}

impl PanelArgs {
    /// The panel's name, or else the name by which the replies of the judge stand that was asked for.
    pub(crate) fn judge(
        &self,
        host: &mut Host,
        judge: Option<&str>,
    ) -> anyhow::Result<Option<String>> {
        if let Some(name) = self.name(host)? {
            return Ok(Some(name));
        }
        Ok(judge.map(|name| juror_session::standing_judge(&host.session.linked(), name)))
    }

    /// The panel's name; `None` where none is wanted.
    pub(crate) fn name(&self, host: &mut Host) -> anyhow::Result<Option<String>> {
        let Some([rule, judges @ ..]) = self.panel.as_deref() else {
            return Ok(None);
        };
        let ids = PanelRule::ALL.map(PanelRule::id);
        let found = PanelRule::ALL.into_iter().find(|one| one.id() == rule);
        let rule = found.with_context(|| {
            format!(
                "--panel takes a rule first, one of {}, found {rule:?}",
                ids.join(", ")
            )
        })?;
        let judges = if judges.is_empty() {
            juror_session::judges_and_runs(&host.session.linked()).judges
        } else {
            judges.to_vec()
        };
        let panel = Panel::new(rule, judges);
        if panel.judges.is_empty() {
            bail!("there is no judge to make a panel of; see juror inspect");
        }
        Ok(Some(panel.name()))
    }
}
