//! Which version of a client a process or a file is: told by paths, and by the description of a package. Nothing is run.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use bellwether_protocol::client::{Product, ToldVersion, Version, manifest_version};

use super::Processes;

/// As much of a package's description is read.
const MOST: u64 = 256 * 1024;

/// The version of a client that runs as this process, when its files tell it.
pub fn running_version(processes: &dyn Processes, product: Product, pid: u32) -> Option<Version> {
    let program = processes.program(pid).map(|program| program.path);
    // What an interpreter runs may be a link into the package. A path within a folder that we do not know is no help.
    let words = processes.words(pid).into_iter().map(PathBuf::from);
    let scripts = words.filter(|word| word.is_absolute());
    let scripts = scripts.filter_map(|script| script.canonicalize().ok());
    let mut files = program.into_iter().chain(scripts);
    files.find_map(|file| version_of_file(product, &file))
}

/// The version that a program's file, at its real path, is of.
pub fn version_of_file(product: Product, file: &Path) -> Option<Version> {
    match product.wire().running.version_by(file)? {
        ToldVersion::Is(version) => Some(version),
        ToldVersion::In(manifest) => manifest_version(&content(&manifest)?),
    }
}

/// The text of a small regular file. One that would have to be waited for is not opened for long.
fn content(path: &Path) -> Option<String> {
    let waits_for_nobody = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).ok()?;
    let mut options = File::options();
    let file = options.read(true).custom_flags(waits_for_nobody).open(path);
    let file = file.ok()?;
    file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::super::System;
    use super::*;

    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    fn run(program: &Path, words: &[&str]) -> Running {
        let mut command = Command::new(program);
        let command = command.args(words).stdin(Stdio::piped());
        let running = Running(command.stdout(Stdio::null()).spawn().unwrap());
        // A new program has no words yet at the moment at which it is there.
        while System.words(running.0.id()).is_empty() {
            std::thread::yield_now();
        }
        running
    }

    fn seen(running: &Running) -> Option<Version> {
        running_version(&System, Product::default(), running.0.id())
    }

    fn program(folder: &Path, path: &str) -> PathBuf {
        let program = folder.join(path);
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::copy("/bin/cat", &program).unwrap();
        program
    }

    #[test]
    fn a_running_client_is_asked_by_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let program = program(folder.path(), "share/claude/versions/2.1.252");
        let client = run(&program, &[]);
        assert_eq!(seen(&client), Some(Version(2, 1, 252)));
        // An update removes the old file while it runs.
        std::fs::remove_file(&program).unwrap();
        assert_eq!(seen(&client), Some(Version(2, 1, 252)));
        assert_eq!(seen(&run(Path::new("/bin/cat"), &[])), None);
    }

    #[test]
    fn a_script_is_asked_by_its_package() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("lib/@anthropic-ai/claude-code");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(package.join("cli.js"), "").unwrap();
        let link = folder.path().join("claude");
        std::os::unix::fs::symlink(package.join("cli.js"), &link).unwrap();
        let interpreter = program(folder.path(), "node");
        let client = run(&interpreter, &["-", link.to_str().unwrap()]);
        assert_eq!(seen(&client), None, "there is no description");
        let manifest = package.join("package.json");
        std::fs::write(&manifest, r#"{"name":"x","version":"2.0.30"}"#).unwrap();
        assert_eq!(seen(&client), Some(Version(2, 0, 30)));
        let file = link.canonicalize().unwrap();
        assert_eq!(
            version_of_file(Product::default(), &file),
            Some(Version(2, 0, 30))
        );
        std::fs::write(&manifest, "x".repeat(300_000)).unwrap();
        assert_eq!(version_of_file(Product::default(), &file), None);
        std::fs::remove_file(&manifest).unwrap();
        let made = Command::new("mkfifo").arg(&manifest).status().unwrap();
        assert!(made.success());
        assert_eq!(version_of_file(Product::default(), &file), None, "a pipe");
    }
}
