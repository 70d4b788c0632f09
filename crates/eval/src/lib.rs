//! How well tools are found: a list of tools is searched for questions whose right tools are known,
//! and what comes back is measured.
//!
//! [`Run`] is the principal type: the answers to one set of questions. A [`Report`] is made from
//! one, a [`Comparison`] from two, and a [`Gate`] says what a report must reach. A [`Lint`] needs no
//! questions: it puts the tools' own first sentences. Deterministic; no network, no clock.

mod compare;
mod distractors;
mod figure;
mod gate;
mod interval;
mod labels;
mod lint;
mod measure;
mod names;
mod report;
mod run;
mod set;

pub use compare::{Change, Changed, Comparison, NothingInCommon, Outcome, Searched};
pub use distractors::{DistractorError, add_distractors};
pub use figure::{Better, Figure};
pub use gate::{Gate, InvalidGate, UnknownGroup, Unmet};
pub use interval::Estimate;
pub use labels::{InvalidLabel, Label, Labels};
pub use lint::{Finding, Lint, Problem};
pub use report::{Group, Report, Summary};
pub use run::{Answer, Configuration, DEPTH, Hit, Run, RunError, index};
pub use set::{LineProblem, Question, SetError, Wanted, read_questions};
