//! The names that programs of a display agree upon.

#![expect(clippy::struct_field_names, reason = "the names are not ours")]

x11rb::atom_manager! {
    pub(super) Atoms: AtomsCookie {
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_CLIENT_LIST_STACKING,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_CM_S0,
        _NET_WM_NAME,
        _NET_WM_PID,
    }
}
