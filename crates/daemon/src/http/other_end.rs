//! The other end of a connection: whose it is, and, once somebody asks, which process.

use tokio::sync::OnceCell;

use super::access::Peer;
use super::client::PeerProcess;

/// The other end of a connection.
pub(crate) struct OtherEnd {
    pub peer: Peer,
    client: OnceCell<Option<PeerProcess>>,
}

impl OtherEnd {
    pub(crate) fn new(peer: Peer) -> Self {
        Self {
            peer,
            client: OnceCell::new(),
        }
    }

    /// The process, if it is one of our own user's that can be found.
    pub(crate) async fn client(&self) -> Option<&PeerProcess> {
        let Peer::Ours(inode) = self.peer else {
            return None;
        };
        let search = || async move {
            let found = tokio::task::spawn_blocking(move || PeerProcess::with_socket(inode));
            found.await.ok().flatten()
        };
        self.client.get_or_init(search).await.as_ref()
    }
}
