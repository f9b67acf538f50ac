//! Finds the data of the embedded voice, which comes with the crate that builds the voice itself, and
//! makes it part of the program: a fresh machine speaks with nothing to download.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The languages and the voice that each has.
const VOICES: [(&str, &str); 6] = [
    ("en-US", "lh0"),
    ("en-GB", "kh0"),
    ("de-DE", "gl0"),
    ("es-ES", "zl0"),
    ("fr-FR", "nk0"),
    ("it-IT", "cm0"),
];

fn main() -> Result<(), String> {
    println!("cargo:rerun-if-changed=build.rs");
    let folder = lingware()?;
    let rows: Vec<String> = VOICES
        .iter()
        .map(|(language, voice)| row(&folder, language, voice))
        .collect::<Result<_, _>>()?;
    let out = PathBuf::from(variable("OUT_DIR")?).join("lingware.rs");
    let text = format!("&[{}]", rows.join(",\n"));
    std::fs::write(&out, text).map_err(|error| format!("write {}: {error}", out.display()))
}

fn row(folder: &Path, language: &str, voice: &str) -> Result<String, String> {
    let analysis = file(folder, &format!("{language}_ta.bin"))?;
    let generation = file(folder, &format!("{language}_{voice}_sg.bin"))?;
    Ok(format!(
        "Lingware {{ language: {language:?}, analysis: include_bytes!({analysis:?}), \
         generation: include_bytes!({generation:?}) }}"
    ))
}

fn file(folder: &Path, name: &str) -> Result<String, String> {
    let path = folder.join(name);
    println!("cargo:rerun-if-changed={}", path.display());
    if !path.is_file() {
        return Err(format!("{} is missing", path.display()));
    }
    Ok(path.display().to_string())
}

/// The folder of that data in the sources of `ttspico-sys`, wherever cargo has put them.
fn lingware() -> Result<PathBuf, String> {
    // What other platforms and the tests need may not have been fetched; then cargo is let to.
    let metadata = metadata(&["--offline"]).or_else(|_| metadata(&[]))?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == "ttspico-sys");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let manifest = Path::new(manifest.ok_or("cargo metadata does not name ttspico-sys")?);
    Ok(manifest.with_file_name("build").join("pico/lang"))
}

fn metadata(options: &[&str]) -> Result<serde_json::Value, String> {
    let output = Command::new(variable("CARGO")?)
        .args(["metadata", "--format-version", "1", "--filter-platform"])
        .arg(variable("TARGET")?)
        .args(options)
        .current_dir(variable("CARGO_MANIFEST_DIR")?)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| format!("{name}: {error}"))
}
