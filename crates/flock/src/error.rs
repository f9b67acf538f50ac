//! The one error type of this crate.

use std::path::PathBuf;

/// What can go wrong in the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("database {}: {source}", path.display())]
    Database {
        path: PathBuf,
        source: rusqlite::Error,
    },
    /// The database was written by a newer program.
    #[error(
        "database {} has version {found}, this program knows {known}: it is left alone; update bellwether",
        path.display()
    )]
    Newer {
        path: PathBuf,
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// A damaged database could not be moved out of the way.
    #[error("database {} is damaged and cannot be set aside: {source}", path.display())]
    SetAside {
        path: PathBuf,
        source: std::io::Error,
    },
}

impl StoreError {
    /// Whether the error may come of a broken file that does not look like one.
    pub fn may_be_damage(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, SqliteFailure,
            Utf8Error,
        };
        use rusqlite::ErrorCode::{ConstraintViolation, SystemIoFailure, TypeMismatch, Unknown};
        let Self::Database { source, .. } = self else {
            return false;
        };
        match source {
            FromSqlConversionFailure(..)
            | IntegralValueOutOfRange(..)
            | InvalidColumnType(..)
            | Utf8Error(..) => true,
            SqliteFailure(error, _) => matches!(
                error.code,
                ConstraintViolation | SystemIoFailure | TypeMismatch | Unknown
            ),
            _ => false,
        }
    }

    /// Whether the file is no database, or a broken one.
    pub fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        let Self::Database { source, .. } = self else {
            return false;
        };
        matches!(
            source.sqlite_error_code(),
            Some(DatabaseCorrupt | NotADatabase)
        )
    }
}
