//! What the checks see of the environment: what tools need, and no secret.
//!
//! The runner is started by a hook, and a hook by the client: its environment has the client's keys. So variables are
//! let through by name, and none whose name speaks of a secret, but for those that the person lists (`gate.variables`).

use std::ffi::{OsStr, OsString};

use bellwether_hook::gate::Config;

use crate::process::MARK;

/// Variables that tools need, by name.
const NAMES: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "CC",
    "CXX",
    "AR",
    "LD",
    "CPP",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "CPATH",
    "DYLD_LIBRARY_PATH",
    "SDKROOT",
    "DEVELOPER_DIR",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONPATH",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "WSL_DISTRO_NAME",
];

/// Beginnings of the names of others.
const STARTS: &[&str] = &[
    "LC_",
    "XDG_",
    "CARGO_",
    "RUSTUP_",
    "RUST",
    "SCCACHE_",
    "PKG_CONFIG",
    "OPENSSL_",
    "NODE_",
    "npm_config_",
    "NPM_CONFIG_",
    "PNPM_",
    "pnpm_config_",
    "COREPACK_",
    "YARN_",
    "BUN_",
    "VOLTA_",
    "NVM_",
    "FNM_",
    "ASDF_",
    "MISE_",
    "RTX_",
    "PYENV_",
    "UV_",
    "RUFF_",
    "POETRY_",
    "GO",
    "CGO_",
    "NIX_",
    "HOMEBREW_",
];

/// Only those who may download need these.
const PROXIES: &[&str] = &["http_proxy", "https_proxy", "no_proxy", "all_proxy"];

/// Parts of names that speak of a secret.
const SECRETS: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASS",
    "_KEY",
    "AUTH",
    "CREDENTIAL",
    "COOKIE",
];

/// What keeps tools from asking, colouring and calling home.
const QUIET: &[(&str, &str)] = &[
    ("NO_COLOR", "1"),
    ("TERM", "dumb"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("CARGO_TERM_COLOR", "never"),
    ("CARGO_TERM_PROGRESS_WHEN", "never"),
    ("npm_config_update_notifier", "false"),
    ("npm_config_fund", "false"),
    ("npm_config_audit", "false"),
    ("npm_config_progress", "false"),
    ("DO_NOT_TRACK", "1"),
    ("NEXT_TELEMETRY_DISABLED", "1"),
    ("ASTRO_TELEMETRY_DISABLED", "1"),
    ("GATSBY_TELEMETRY_DISABLED", "1"),
    ("STORYBOOK_DISABLE_TELEMETRY", "1"),
];

/// What keeps tools from downloading: packages, other versions of themselves, toolchains, large files.
const OFFLINE: &[(&str, &str)] = &[
    ("npm_config_offline", "true"),
    ("npm_config_manage_package_manager_versions", "false"),
    ("npm_config_verify_deps_before_run", "false"),
    ("pnpm_config_offline", "true"),
    ("pnpm_config_pm_on_fail", "ignore"),
    ("pnpm_config_verify_deps_before_run", "false"),
    ("COREPACK_ENABLE_NETWORK", "0"),
    ("COREPACK_ENABLE_DOWNLOAD_PROMPT", "0"),
    ("YARN_ENABLE_NETWORK", "0"),
    ("UV_OFFLINE", "1"),
    ("UV_NO_SYNC", "1"),
    ("UV_PYTHON_DOWNLOADS", "never"),
    ("PIP_NO_INDEX", "1"),
    ("CARGO_NET_OFFLINE", "true"),
    ("RUSTUP_AUTO_INSTALL", "0"),
    ("GOPROXY", "off"),
    ("GOTOOLCHAIN", "local"),
    ("GIT_LFS_SKIP_SMUDGE", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
];

/// The variables of one run.
#[derive(Debug, Clone)]
pub(crate) struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// Those of this process that the checks may see, and ours.
    pub(crate) fn of_run(config: &Config, run: &str) -> Self {
        Self::from(std::env::vars_os(), config, run)
    }

    pub(crate) fn from(
        all: impl Iterator<Item = (OsString, OsString)>,
        config: &Config,
        run: &str,
    ) -> Self {
        let mut kept: Vec<_> = all
            .filter(|(name, _)| is_let_through(name, config))
            .collect();
        let offline = if config.download { &[] } else { OFFLINE };
        for (name, value) in QUIET.iter().chain(offline).chain([&(MARK, run)]) {
            kept.retain(|(known, _)| known != name);
            kept.push((name.into(), value.into()));
        }
        Self(kept)
    }

    pub(crate) fn variables(&self) -> &[(OsString, OsString)] {
        &self.0
    }

    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        let mut found = self.0.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_os_str())
    }
}

fn is_let_through(name: &OsStr, config: &Config) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    if config.variables.iter().any(|listed| listed == name) {
        return true;
    }
    let upper = name.to_uppercase();
    if SECRETS.iter().any(|part| upper.contains(part)) {
        return false;
    }
    let proxy = || PROXIES.iter().any(|known| name.eq_ignore_ascii_case(known));
    NAMES.contains(&name)
        || STARTS.iter().any(|start| name.starts_with(start))
        || config.download && proxy()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(names: &[&str], config: &Config) -> Vec<String> {
        let all = names.iter().map(|name| (name.into(), "x".into()));
        let environment = Environment::from(all, config, "run");
        let kept = environment.variables().iter();
        kept.filter(|(_, value)| value == "x")
            .map(|(name, _)| name.to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn tools_get_what_they_need_and_no_secret() {
        let all = [
            "PATH",
            "HOME",
            "LC_ALL",
            "CARGO_HOME",
            "RUSTFLAGS",
            "GOPATH",
            "NODE_OPTIONS",
            "ANTHROPIC_API_KEY",
            "CLAUDECODE",
            "CLAUDE_PROJECT_DIR",
            "CARGO_REGISTRY_TOKEN",
            "npm_config__authToken",
            "UV_INDEX_X_PASSWORD",
            "GITHUB_TOKEN",
            "DATABASE_URL",
            "HTTPS_PROXY",
            "GIT_DIR",
            "GIT_INDEX_FILE",
            "LD_PRELOAD",
        ];
        let usual = [
            "PATH",
            "HOME",
            "LC_ALL",
            "CARGO_HOME",
            "RUSTFLAGS",
            "GOPATH",
            "NODE_OPTIONS",
        ];
        assert_eq!(seen(&all, &Config::default()), usual);
        let more = Config {
            variables: vec!["DATABASE_URL".into(), "GITHUB_TOKEN".into()],
            download: true,
            ..Config::default()
        };
        let listed = ["GITHUB_TOKEN", "DATABASE_URL", "HTTPS_PROXY"];
        assert_eq!(seen(&all, &more), [&usual[..], &listed].concat());
    }

    #[test]
    fn nothing_is_downloaded_unless_that_is_configured() {
        let value = |download: bool, name: &str| {
            let config = Config {
                download,
                ..Config::default()
            };
            let given = [("GOPROXY".into(), "https://proxy".into())].into_iter();
            let environment = Environment::from(given, &config, "run");
            environment
                .get(name)
                .map(|value| value.to_str().unwrap().to_owned())
        };
        assert_eq!(value(false, "GOPROXY").unwrap(), "off");
        assert_eq!(value(true, "GOPROXY").unwrap(), "https://proxy");
        assert_eq!(value(true, "UV_OFFLINE"), None);
        assert_eq!(value(true, MARK).unwrap(), "run");
    }
}
