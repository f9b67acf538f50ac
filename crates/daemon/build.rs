//! Makes the built page (`web/dist`) part of the program: each file as it is, and packed where that is
//! smaller, with a tag by which a browser knows what it has already.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// The kinds of files that a page is made of, by the end of their names, and whether packing helps.
const KINDS: [(&str, &str, bool); 10] = [
    ("html", "text/html; charset=utf-8", true),
    ("js", "text/javascript; charset=utf-8", true),
    ("css", "text/css; charset=utf-8", true),
    ("svg", "image/svg+xml", true),
    ("json", "application/json", true),
    ("webmanifest", "application/manifest+json", true),
    ("txt", "text/plain; charset=utf-8", true),
    ("woff2", "font/woff2", false),
    ("png", "image/png", false),
    ("ico", "image/x-icon", false),
];

fn main() -> Result<(), String> {
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", folder.display());
    let folder = folder
        .canonicalize()
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let out = PathBuf::from(variable("OUT_DIR")?);
    let mut paths = Vec::new();
    gather(&folder, &mut paths)?;
    paths.sort();
    let rows: Vec<String> = paths
        .iter()
        .map(|path| row(&folder, path, &out))
        .collect::<Result<_, _>>()?;
    write(
        &out.join("page.rs"),
        format!("&[{}]", rows.join(",\n")).as_bytes(),
    )
}

fn gather(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            gather(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

fn row(folder: &Path, path: &Path, out: &Path) -> Result<String, String> {
    let name = path
        .strip_prefix(folder)
        .map_err(|error| error.to_string())?;
    let name = name.to_str().ok_or("a name is no text")?;
    let end = name.rsplit('.').next().unwrap_or_default();
    let kind = KINDS.iter().find(|(known, ..)| *known == end);
    let (_, kind, packs) = kind.ok_or_else(|| {
        format!("{name} in web/dist is of no kind that build.rs of the daemon knows")
    })?;
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let tag = tag(&bytes);
    let packed = match packs.then(|| packed(&bytes)).transpose()? {
        Some(packed) if packed.len() < bytes.len() => {
            let place = out.join(format!("{tag}.gz"));
            write(&place, &packed)?;
            format!("Some(include_bytes!({:?}))", place.display().to_string())
        }
        _ => "None".to_owned(),
    };
    let path = path.display().to_string();
    Ok(format!(
        "File {{ name: {name:?}, kind: {kind:?}, tag: {tag:?}, plain: include_bytes!({path:?}), packed: {packed} }}"
    ))
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map_err(|error| error.to_string())
}

/// Enough of a hash to tell two versions of a file apart.
fn tag(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("write {}: {error}", path.display()))
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| format!("{name}: {error}"))
}
