//! A session bus of our own, and a tray on it: what a desktop's panel sees of an icon, and does with it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use tokio::runtime::{Builder, EnterGuard, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use zbus::export::ordered_stream::OrderedStreamExt as _;
use zbus::proxy::{CacheProperties, SignalStream};
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, Proxy};

use crate::running::{self, Running};

/// How long an icon may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);
const WATCHER: &str = "org.kde.StatusNotifierWatcher";

/// A session bus, ended with this.
pub struct Bus {
    daemon: Running,
    address: String,
}

impl Bus {
    pub fn start() -> Result<Self> {
        let mut daemon = running::command(OsStr::new("dbus-daemon"));
        daemon.args(["--session", "--nofork", "--nopidfile", "--print-address"]);
        // Without rights it complains about its limits.
        daemon.stderr(Stdio::null());
        let (daemon, address) = Running::start_and_hear(&mut daemon)?;
        ensure!(
            !address.is_empty(),
            "dbus-daemon does not start: install dbus-daemon"
        );
        Ok(Self { daemon, address })
    }

    /// A program of this session.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = running::command(program.as_ref());
        command.env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        command
    }

    /// Starts a program, which ends at the latest when what this returns is dropped.
    pub fn run(&self, command: &mut Command) -> Result<Running> {
        Running::start(command)
    }

    pub fn pid(&self) -> u32 {
        self.daemon.pid()
    }
}

/// The part of a panel that icons announce themselves to.
struct Watcher(UnboundedSender<String>);

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, name: String) {
        // The test may be over.
        let _ = self.0.send(name);
    }

    #[zbus(property)]
    #[expect(clippy::unused_self, reason = "the interface asks an object")]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    #[expect(clippy::unused_self, reason = "the interface asks an object")]
    fn protocol_version(&self) -> i32 {
        0
    }
}

/// A tray; it goes with this.
pub struct TrayBar {
    runtime: Runtime,
    connection: Connection,
    announced: UnboundedReceiver<String>,
}

impl TrayBar {
    pub fn start(bus: &Bus) -> Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let (announce, announced) = unbounded_channel();
        let connection = runtime.block_on(async {
            zbus::connection::Builder::address(bus.address.as_str())?
                .serve_at("/StatusNotifierWatcher", Watcher(announce))?
                .name(WATCHER)?
                .build()
                .await
        })?;
        Ok(Self {
            runtime,
            connection,
            announced,
        })
    }

    /// Waits for the next icon.
    pub fn icon(&mut self) -> Result<TrayIcon<'_>> {
        let name = self
            .runtime
            .block_on(async { tokio::time::timeout(PATIENCE, self.announced.recv()).await });
        let name = name.context("no icon came")?.context("the tray has gone")?;
        let item = self.proxy(&name, "/StatusNotifierItem", "org.kde.StatusNotifierItem")?;
        let menu = self.proxy(&name, "/MenuBar", "com.canonical.dbusmenu")?;
        let changes = self.runtime.block_on(item.receive_all_signals())?;
        Ok(TrayIcon {
            runtime: &self.runtime,
            item,
            menu,
            changes,
            _within: self.runtime.enter(),
        })
    }

    fn proxy(&self, name: &str, path: &str, interface: &str) -> Result<Proxy<'static>> {
        let proxy = zbus::proxy::Builder::new(&self.connection)
            .destination(name.to_owned())?
            .path(path.to_owned())?
            .interface(interface.to_owned())?
            .cache_properties(CacheProperties::No);
        Ok(self.runtime.block_on(proxy.build())?)
    }
}

/// An icon, as a panel sees it.
pub struct TrayIcon<'a> {
    runtime: &'a Runtime,
    item: Proxy<'static>,
    menu: Proxy<'static>,
    changes: SignalStream<'static>,
    /// Dropped last: what stands above says goodbye in it.
    _within: EnterGuard<'a>,
}

/// What is told of a row: its number, its properties and the rows below it.
type Node = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

/// A row of its menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuRow {
    pub id: i32,
    /// Empty for a line.
    pub label: String,
}

impl TrayIcon<'_> {
    /// A property that is a text: `Title`, `Status`, `Id`.
    pub fn text(&self, property: &str) -> Result<String> {
        Ok(self.runtime.block_on(self.item.get_property(property))?)
    }

    /// The pictures: width, height and pixels of each.
    pub fn pictures(&self) -> Result<Vec<(i32, i32, Vec<u8>)>> {
        Ok(self
            .runtime
            .block_on(self.item.get_property("IconPixmap"))?)
    }

    /// Waits until the icon says that something changes, by the signal's name: `NewTitle`, `NewStatus`, `NewIcon`.
    pub fn wait_for(&mut self, signal: &str) -> Result<()> {
        let changes = &mut self.changes;
        let heard = self.runtime.block_on(async {
            let search = async {
                while let Some(message) = changes.next().await {
                    if message.header().member().is_some_and(|name| name == signal) {
                        return Some(());
                    }
                }
                None
            };
            tokio::time::timeout(PATIENCE, search).await
        });
        heard
            .with_context(|| format!("no {signal}"))?
            .context("the icon has gone")
    }

    pub fn click(&self) -> Result<()> {
        Ok(self.runtime.block_on(self.item.call("Activate", &(1, 1)))?)
    }

    pub fn menu(&self) -> Result<Vec<MenuRow>> {
        // All of it, with every property.
        let wanted: (i32, i32, Vec<&str>) = (0, -1, Vec::new());
        let asked = self.menu.call("GetLayout", &wanted);
        let (_, (_, _, rows)): (u32, Node) = self.runtime.block_on(asked)?;
        rows.into_iter().map(row).collect()
    }

    /// Chooses the row of this label.
    pub fn choose(&self, label: &str) -> Result<()> {
        let rows = self.menu()?;
        let row = rows.iter().find(|row| row.label == label);
        let row = row.with_context(|| format!("no {label} in {rows:?}"))?;
        let event = (row.id, "clicked", Value::I32(0), 0_u32);
        Ok(self.runtime.block_on(self.menu.call("Event", &event))?)
    }
}

fn row(value: OwnedValue) -> Result<MenuRow> {
    let (id, mut properties, _) = Node::try_from(value)?;
    let label = properties.remove("label").map(String::try_from);
    Ok(MenuRow {
        id,
        label: label.transpose()?.unwrap_or_default(),
    })
}
