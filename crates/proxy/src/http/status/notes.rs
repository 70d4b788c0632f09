//! What was wrong in the lists of tools, counted.

use std::collections::BTreeMap;

use catalog::CatalogNotes;
use serde::Serialize;
use wire::{ToolRepair, ToolSkip};

/// What was skipped, repaired or doubtful in all catalogs held.
#[derive(Serialize)]
pub(super) struct Notes {
    skipped: BTreeMap<&'static str, usize>,
    repaired: BTreeMap<&'static str, usize>,
    app_only: usize,
    conflicting_names: usize,
    contradictory_hints: usize,
    invalid_param_headers: usize,
    hidden_characters: usize,
    unmatched_write_patterns: usize,
    cut_short: Option<&'static str>,
}

impl From<CatalogNotes> for Notes {
    fn from(notes: CatalogNotes) -> Self {
        // By name, so that none is forgotten.
        let CatalogNotes {
            skipped,
            repaired,
            app_only,
            conflicting_names,
            contradictory_hints,
            invalid_param_headers,
            hidden_characters,
            unmatched_write_patterns,
            cut_short,
        } = notes;
        Self {
            skipped: skipped
                .into_iter()
                .map(|(why, count)| (skip(why), count))
                .collect(),
            repaired: repaired
                .into_iter()
                .map(|(why, count)| (repair(why), count))
                .collect(),
            app_only,
            conflicting_names,
            contradictory_hints,
            invalid_param_headers,
            hidden_characters,
            unmatched_write_patterns,
            cut_short,
        }
    }
}

const fn skip(reason: ToolSkip) -> &'static str {
    match reason {
        ToolSkip::NotAnObject => "not_an_object",
        ToolSkip::NoName => "no_name",
    }
}

pub(super) const fn repair(reason: ToolRepair) -> &'static str {
    match reason {
        ToolRepair::InputSchemaMissing => "input_schema_missing",
        ToolRepair::DescriptionNotText => "description_not_text",
        ToolRepair::TitleNotText => "title_not_text",
        ToolRepair::AnnotationsNotAnObject => "annotations_not_an_object",
        ToolRepair::OutputSchemaNotAnObject => "output_schema_not_an_object",
        ToolRepair::HintNotBoolean => "hint_not_boolean",
        ToolRepair::HintContradicted => "hint_contradicted",
    }
}
