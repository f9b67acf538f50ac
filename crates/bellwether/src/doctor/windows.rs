//! Paths of Windows in the command of a hook. Under WSL people copy them over; a Linux shell takes the backslashes away
//! and finds nothing.

/// The first path of Windows that a command would have to open itself. What a program of Windows gets is its own affair.
pub(super) fn path_in<'a>(command: &'a str, arguments: &[&'a str]) -> Option<&'a str> {
    let mut words = command
        .split([' ', '\t', '"', '\'', '='])
        .chain(arguments.iter().copied())
        .filter(|word| !word.is_empty());
    let first = words.next()?;
    if is_path(first) {
        return Some(first);
    }
    let of_windows = first.to_ascii_lowercase().ends_with(".exe");
    words.find(|word| is_path(word) && (!of_windows || is_share(word)))
}

fn is_path(word: &str) -> bool {
    let is_drive =
        matches!(word.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    is_drive || is_share(word)
}

/// The files of this very machine, as Windows sees them.
fn is_share(word: &str) -> bool {
    let word = word.replace('/', "\\").to_ascii_lowercase();
    ["\\\\wsl$\\", "\\\\wsl.localhost\\"]
        .iter()
        .any(|share| word.starts_with(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_linux_cannot_open() {
        for (command, path) in [
            (r"C:\Tools\say.exe --now", r"C:\Tools\say.exe"),
            (r#"python3 "C:\Users\me\hook.py""#, r"C:\Users\me\hook.py"),
            ("node C:/hooks/a.js", "C:/hooks/a.js"),
            (
                r"\\wsl$\Debian\home\me\hook.sh",
                r"\\wsl$\Debian\home\me\hook.sh",
            ),
            (
                r"bash //wsl.localhost/Debian/x.sh",
                r"//wsl.localhost/Debian/x.sh",
            ),
            (
                r"powershell.exe -File \\wsl$\Debian\x.ps1",
                r"\\wsl$\Debian\x.ps1",
            ),
        ] {
            assert_eq!(path_in(command, &[]), Some(path), "{command}");
        }
        assert_eq!(path_in("node", &[r"D:\x.js"]), Some(r"D:\x.js"));
    }

    #[test]
    fn what_linux_or_windows_itself_can_do_with_it() {
        for command in [
            "/mnt/c/Tools/say.exe --now",
            r"powershell.exe -File C:\hooks\a.ps1",
            r"/mnt/c/Windows/System32/cmd.exe /c C:\x.bat",
            r"grep 'a\b' file:/x",
            "curl http://localhost:4820/hook",
            "echo a:b c:",
            "",
        ] {
            assert_eq!(path_in(command, &[]), None, "{command}");
        }
    }
}
