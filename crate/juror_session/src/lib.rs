#![doc = include_str!("../README.md")]

use count::count;
use juror_protocols::contract::Protocol;
use loader::Readers;
use state::{Findings, Measuring, Panelling, Tolerating};

mod agents;
mod agreement;
mod alike;
mod archives;
mod asked_under;
mod atoms;
mod choices;
mod chosen;
pub mod coefficients;
pub mod compare;
pub mod conditions;
mod costs;
mod count;
mod data;
pub mod declaring;
pub mod error;
mod experiments;
mod filter;
mod fingerprint;
#[cfg(feature = "generating")]
pub mod generating;
mod grouped;
pub mod groups;
mod health;
mod heard;
mod highlights;
mod idle;
pub mod input_folder;
mod judging;
mod kinds;
pub mod label_file;
mod labelled;
mod labels;
mod link;
mod linked;
pub mod lint;
mod list;
mod list_inputs;
mod loader;
pub mod measure;
mod measured;
pub mod measures;
mod naming;
mod notices;
mod overview;
mod pack;
mod pack_check;
mod packs_apart;
mod panels;
mod people;
mod picture;
pub mod plots;
mod printed;
mod printed_ranking;
mod rankings;
mod rating;
pub mod rating_file;
pub mod recording;
mod report;
mod request;
mod said;
mod sample;
mod sheet;
mod sides;
mod slices;
mod standing;
mod state;
mod statistics;
mod study;
pub mod subset;
mod tables;
mod tally;
mod tolerance;
mod uneven_runs;
mod values;
pub mod view;

pub use agents::{
    add_trajectories, add_unknown_trajectories, agent_body, agent_call, agent_export, agent_files,
    agent_sets, agent_strips, plan_agents, plan_agents_part, trajectories,
};
pub use agreement::{agreement, agreement_pair, ratings_template};
pub use alike::feature_needs;
pub use asked_under::{judge_in_use, standing_judge, unused_prompts};
pub use atoms::{answers, atom_agreement, atoms_csv};
pub use choices::{Choices, choices};
pub use chosen::judges_and_runs;
pub use compare::standings::standings;
pub use compare::{compare, group_means, paired_samples};
pub use conditions::{condition_plan, condition_records, network_records};
pub use costs::costs;
pub use declaring::{benchmark_choices, choose_benchmark, lack};
pub use experiments::experiments;
pub use grouped::grouped;
pub use groups::row_units;
pub use health::{check_needs, check_replies, judge_health, plan_anchors};
pub use highlights::highlights;
pub use idle::idle_replies;
pub use judging::{
    add_records, add_unknown_records, benchmark_id, is_computed, job_body, judge_called, plan_job,
    plan_part, record_head,
};
pub use juror_reading::names::compose_by;
pub use kinds::{kinds, set_kind};
pub use labels::{
    failure_labels, label_change, label_counts, label_sheet, labels_csv, read_labels, use_labels,
};
pub use lint::{
    lint, lint_needs, lint_report, lint_report_with, lint_with, print_needs, provide_print,
};
pub use list::{complete_filter, facets, facets_in_parts, group_filter, samples, samples_in_parts};
pub use loader::{Lack, may_be_journal};
pub use measures::{
    add_measures, drop_measures, import_measures, measure_offer, measure_plan, measures,
    measures_to_check,
};
pub use naming::{judge_names, name_judges, unname_judges, unstated_judges};
pub use notices::notices;
pub use overview::{overview, problems, score_rows, unknown_files};
pub use pack::{add_pack, add_pack_as_stated, add_pack_journal, pack_items, pack_texts};
pub use pack_check::verify_pack;
pub use panels::{check_judge, panel_name};
pub use picture::{Probe, Probed, Undecodable};
pub use plots::{behind, plot, row_intervals};
pub use rankings::rankings;
pub use rating::{rate_item, rate_plan, ratings_csv, read_ratings, use_ratings};
pub use report::report;
pub use request::{
    factors, generator_input, parse, paste, provide_picture, read_replies, remove_pasted, request,
    sheet_heading,
};
pub use sample::sample;
pub use standing::{problems_of_standing, unopened};
pub use state::Session;
pub use statistics::statistics;
pub use study::{LinkedSession, Study};
pub use subset::subset_scopes;
pub use tables::tables;
pub use tolerance::{set_reading, tolerance};

#[cfg(feature = "generating")]
pub use generating::{GeneratorCall, OutputList, generator_call, output_lists, shows_own_outputs};

impl Session {
    /// A session without files that knows every built-in protocol.
    pub fn new(probe: Probe) -> Self {
        Self::with_protocols(probe, juror_protocols::registry::ALL)
    }

    /// A session without files that knows these protocols only; a program that names few of them links no more.
    ///
    /// # Panics
    /// There is none among them.
    pub fn with_protocols(probe: Probe, protocols: &'static [&'static dyn Protocol]) -> Self {
        let mut session = Self::for_first_questions(probe, protocols);
        session.measuring = Measuring::FULL;
        session.panelling = Panelling::FULL;
        session.loader.readers = Readers::ALL;
        session.loader.look_through = filter::look_through;
        session.link_people = link::link_people;
        session.tolerating = Tolerating::FULL;
        session.findings = Findings::FULL;
        session
    }
}
