//! What the operator says of tools beside the upstream: pins, templates, and which tools are writes.
//!
//! Flags stay as they are for as long as the process lives; the file of `--templates` adds to them
//! and may be read again.

mod file;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use catalog::{NamedTools, ToolPattern, WriteTools};

pub use file::InvalidTemplates;

/// What the operator says of tools, as it stands now.
#[derive(Debug)]
pub(crate) struct Curation {
    given: CurationSettings,
    current: RwLock<Arc<Curated>>,
    /// When and why the file could last not be used.
    last_error: Mutex<Option<(SystemTime, String)>>,
    clashes: Mutex<HashSet<String>>,
}

/// `--pin`, `--write-tools` and `--templates`.
#[derive(Debug, Clone)]
pub(crate) struct CurationSettings {
    /// `--pin`.
    pub(crate) pins: Vec<ToolPattern>,
    /// `--write-tools`.
    pub(crate) write_tools: Vec<ToolPattern>,
    /// `--templates`.
    pub(crate) file: Option<PathBuf>,
}

/// One reading of what the operator says.
#[derive(Debug)]
pub(crate) struct Curated {
    /// By name, in the order of the names.
    pub(crate) templates: Vec<Template>,
    /// Every tool that is named.
    pub(crate) named: NamedTools,
    /// When it was read.
    pub(crate) read_at: SystemTime,
}

/// A workflow's tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    /// What it is asked for by.
    pub(crate) name: String,
    /// Its name for people.
    pub(crate) title: Option<String>,
    /// What it is for, and how it goes.
    pub(crate) description: Option<String>,
    /// Its tools; at least one name or pattern.
    pub(crate) tools: Vec<ToolPattern>,
}

impl Curation {
    /// Reads the file, if there is one. Nothing in it is nothing said, for now.
    pub(crate) fn read(given: CurationSettings) -> Result<Self, InvalidTemplates> {
        let curated = match Curated::read(&given) {
            Err(InvalidTemplates::Empty(_)) => Curated::of(&given, file::Contents::default()),
            read => read?,
        };
        Ok(Self {
            given,
            current: RwLock::new(Arc::new(curated)),
            last_error: Mutex::default(),
            clashes: Mutex::default(),
        })
    }

    /// What holds now.
    pub(crate) fn now(&self) -> Arc<Curated> {
        let current = self.current.read();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether there is a file to read again.
    pub(crate) fn has_file(&self) -> bool {
        self.given.file.is_some()
    }

    /// Reads the file again. One that can't be used changes nothing but [`Curation::last_error`].
    pub(crate) fn reload(&self) -> Result<Arc<Curated>, InvalidTemplates> {
        let read = Curated::read(&self.given);
        let mut last_error = self
            .last_error
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(curated) => {
                let curated = Arc::new(curated);
                let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
                *current = Arc::clone(&curated);
                *last_error = None;
                Ok(curated)
            }
            Err(error) => {
                *last_error = Some((SystemTime::now(), error.to_string()));
                Err(error)
            }
        }
    }

    /// Why the file couldn't be read again, unless it was since.
    pub(crate) fn last_error(&self) -> Option<(SystemTime, String)> {
        let last_error = self.last_error.lock();
        last_error.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Warns, once for each name, that a prompt of the upstream has a template's.
    pub(crate) fn warn_of_clash(&self, name: &str) {
        let mut clashes = self.clashes.lock().unwrap_or_else(PoisonError::into_inner);
        if clashes.insert(name.to_owned()) {
            tracing::warn!(
                template = name,
                "the upstream has a prompt of a template's name: clients get the upstream's"
            );
        }
    }
}

impl Curated {
    fn read(given: &CurationSettings) -> Result<Self, InvalidTemplates> {
        let file = match &given.file {
            Some(path) => file::read(path)?,
            None => file::Contents::default(),
        };
        Ok(Self::of(given, file))
    }

    fn of(given: &CurationSettings, file: file::Contents) -> Self {
        let named = NamedTools {
            write_tools: WriteTools([&given.write_tools[..], &file.write_tools].concat()),
            pins: [&given.pins[..], &file.pins].concat(),
            templates: file
                .templates
                .iter()
                .map(|template| (template.name.clone(), template.tools.clone()))
                .collect(),
        };
        Self {
            templates: file.templates,
            named,
            read_at: SystemTime::now(),
        }
    }

    /// The template called `name`.
    pub(crate) fn template(&self, name: &str) -> Option<&Template> {
        self.templates.iter().find(|template| template.name == name)
    }
}
