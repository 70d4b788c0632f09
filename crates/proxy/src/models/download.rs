//! Getting a file, in as many tries as the network takes.

use std::path::Path;
use std::time::Duration;

use fs_err as fs;

use super::digest;
use super::fault::FetchError;
use super::part::Part;
use super::pinned::PinnedFile;
use super::remote::{Remote, Starts};

/// A way into a directory.
pub(crate) struct Download<'a> {
    /// Where files come from.
    pub(crate) remote: &'a Remote,
    /// Where they go.
    pub(crate) directory: &'a Path,
    /// Before a broken connection is opened anew.
    pub(crate) pause: Duration,
}

/// How a file came to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// It was there.
    Before,
    /// It was fetched.
    Now,
}

impl Download<'_> {
    /// Sees to it that the directory has `file`, whole. `progress` hears how many bytes of it are
    /// here.
    ///
    /// What comes is written under a name with `.part` at its end, and gets the file's own when its
    /// digest is right. A part is gone on with, now and in a later try.
    pub(crate) async fn fetch(
        &self,
        file: &PinnedFile<'_>,
        mut progress: impl FnMut(u64),
    ) -> Result<Fetched, FetchError> {
        let path = self.directory.join(file.name);
        if path.exists() {
            return is_there(&path, file).map(|()| Fetched::Before);
        }
        let made = fs::create_dir_all(self.directory);
        made.map_err(|error| FetchError::disk(self.directory, error))?;
        let mut part = Part::open(&path)?;
        if part.length() > file.bytes {
            part.restart()?;
        }
        if let Err(error) = self.fill(&mut part, file, &mut progress).await {
            part.give_up();
            return Err(error);
        }
        match part.finish(&path, file.sha256)? {
            Ok(()) => Ok(Fetched::Now),
            Err(found) => Err(FetchError::Digest {
                url: self.remote.name(file),
                found,
                wanted: file.sha256.to_owned(),
            }),
        }
    }

    /// Asks for the rest until there is none, as long as every try brings more.
    async fn fill(
        &self,
        part: &mut Part,
        file: &PinnedFile<'_>,
        progress: &mut impl FnMut(u64),
    ) -> Result<(), FetchError> {
        while part.length() < file.bytes {
            progress(part.length());
            let before = part.length();
            match self.go_on(part, file, progress).await {
                Err(FetchError::Broken { .. }) if part.length() > before => {
                    tokio::time::sleep(self.pause).await;
                }
                other => other?,
            }
        }
        progress(part.length());
        Ok(())
    }

    /// One answer, to its end.
    async fn go_on(
        &self,
        part: &mut Part,
        file: &PinnedFile<'_>,
        progress: &mut impl FnMut(u64),
    ) -> Result<(), FetchError> {
        let mut body = self.remote.ask(file, part.length()).await?;
        if body.starts == Starts::AtFirst {
            part.restart()?;
        }
        loop {
            let broken = |source: Box<dyn std::error::Error + Send + Sync>| FetchError::Broken {
                url: self.remote.name(file),
                have: part.length(),
                wanted: file.bytes,
                source,
            };
            let chunk = body.response.chunk().await;
            let chunk = chunk.map_err(|error| broken(Box::new(error.without_url())))?;
            let Some(chunk) = chunk else {
                return if part.length() < file.bytes {
                    Err(broken("the answer ended".into()))
                } else {
                    Ok(())
                };
            };
            if part.length() + chunk.len() as u64 > file.bytes {
                part.restart()?;
                return Err(FetchError::Length {
                    url: self.remote.name(file),
                    found: "more".to_owned(),
                    wanted: file.bytes,
                });
            }
            part.write(&chunk)?;
            progress(part.length());
        }
    }
}

/// Whether the file at `path` is the one wanted. One that isn't may be somebody's own: it stays.
fn is_there(path: &Path, file: &PinnedFile<'_>) -> Result<(), FetchError> {
    let found = digest::of_file(path).map_err(|error| FetchError::disk(path, error))?;
    if found == file.sha256 {
        return Ok(());
    }
    Err(FetchError::Other {
        path: path.to_owned(),
        found,
        wanted: file.sha256.to_owned(),
    })
}
