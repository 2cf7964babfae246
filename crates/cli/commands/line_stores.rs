//! Reads the stores of facts and readings that a command writes.

use std::path::Path;

use tollproof_project::{Files, InputFile, InputRole, LineStore, Session, StoredLine};

use crate::errors::Failure;
use crate::terminal::one_line;

/// Reads a store. A file with nothing but other lines is an error, because it would be lost.
pub(super) fn read<T: StoredLine>(files: &dyn Files, path: &Path) -> Result<LineStore<T>, Failure> {
    let store = LineStore::<T>::read(files, path).map_err(Failure::new)?;
    if store.skipped().is_some() && store.iter().next().is_none() {
        let (name, what) = (one_line(&path.display().to_string()), T::WHAT);
        return Err(Failure::new(format_args!(
            "`{name}` has no {what} and is not changed; use another file"
        )));
    }
    Ok(store)
}

/// Checks that a store is not a file that the run reads as something else.
pub(super) fn check_place<'f>(
    session: &Session,
    files: impl IntoIterator<Item = &'f InputFile>,
    path: &Path,
    role: InputRole,
) -> Result<(), Failure> {
    match session.output_guard(files)?.check([path]) {
        Err(conflict) if conflict.role != role => Err(conflict.into()),
        _ => Ok(()),
    }
}
