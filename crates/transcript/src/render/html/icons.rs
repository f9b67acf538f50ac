//! Small signs, drawn once for the page and used by their names.

/// A name, and a drawing on a field of 16 by 16.
const ICONS: &[(&str, &str)] = &[
    (
        "person",
        "<circle cx=\"8\" cy=\"5\" r=\"2.75\"/><path d=\"M2.75 14c.4-3.2 2.5-4.75 5.25-4.75S12.85 10.8 13.25 14\"/>",
    ),
    ("command", "<path d=\"M3 4.5 6.5 8 3 11.5M8.5 12H13\"/>"),
    (
        "change",
        "<path d=\"m10.5 3 2.5 2.5L6 12.5l-3.25.75L3.5 10zM9 4.5 11.5 7\"/>",
    ),
    (
        "read",
        "<path d=\"M4 2.5h5l3 3v8H4zM9 2.5v3h3M6 8.5h4M6 11h4\"/>",
    ),
    (
        "search",
        "<circle cx=\"7\" cy=\"7\" r=\"4\"/><path d=\"m10 10 3.5 3.5\"/>",
    ),
    (
        "question",
        "<circle cx=\"8\" cy=\"8\" r=\"5.75\"/><path d=\"M6.25 6.5c0-2.5 3.75-2.25 3.5 0-.15 1.25-1.75 1.25-1.75 2.5M8 11.25v.1\"/>",
    ),
    (
        "plan",
        "<path d=\"M3 3.5h2v2H3zM3 10.5h2v2H3zM7.5 4.5H13M7.5 11.5H13\"/>",
    ),
    (
        "tasks",
        "<path d=\"m2.75 4.5 1.25 1.25L6 3.5M2.75 11.5 4 12.75 6 10.5M8.5 4.75h5M8.5 11.75h5\"/>",
    ),
    (
        "agent",
        "<path d=\"M8 2v2M4 5.5h8v6.5H4zM2.5 8v2M13.5 8v2\"/><path d=\"M6.5 8v.75M9.5 8v.75\"/>",
    ),
    (
        "other",
        "<path d=\"M9.75 2.75a3.25 3.25 0 0 0-3.2 4.1L2.75 10.7l2 2 3.9-3.8a3.25 3.25 0 0 0 4.35-3.8L11 7 9.25 5.2l1.9-2a3.3 3.3 0 0 0-1.4-.45z\"/>",
    ),
    (
        "think",
        "<path d=\"M8 2.5a4 4 0 0 0-2.25 7.3V11.5h4.5V9.8A4 4 0 0 0 8 2.5zM6.25 13.75h3.5\"/>",
    ),
    (
        "info",
        "<circle cx=\"8\" cy=\"8\" r=\"5.75\"/><path d=\"M8 7.25v4M8 4.75v.1\"/>",
    ),
    (
        "slash",
        "<path d=\"M10 3 6 13\"/><path d=\"M2.75 2.75h10.5v10.5H2.75z\"/>",
    ),
    (
        "clock",
        "<circle cx=\"8\" cy=\"8\" r=\"5.75\"/><path d=\"M8 4.75V8l2.25 1.5\"/>",
    ),
    (
        "fold",
        "<path d=\"M3 8h10M8 2v3.5M6 4l2 2 2-2M8 14v-3.5M6 12l2-2 2 2\"/>",
    ),
    (
        "stop",
        "<path d=\"M5 5h6v6H5z\"/><circle cx=\"8\" cy=\"8\" r=\"6\"/>",
    ),
    (
        "bad",
        "<circle cx=\"8\" cy=\"8\" r=\"5.75\"/><path d=\"m5.75 5.75 4.5 4.5M10.25 5.75l-4.5 4.5\"/>",
    ),
    (
        "back",
        "<path d=\"M6.5 3 3 6.5 6.5 10M3 6.5h6.25a3.5 3.5 0 0 1 0 7H6\"/>",
    ),
    ("good", "<path d=\"m3.25 8.5 3 3 6.5-7\"/>"),
    (
        "hook",
        "<path d=\"M10 2.5v7a3 3 0 1 1-6 0V8\"/><circle cx=\"10\" cy=\"3\" r=\"1\"/>",
    ),
    (
        "guard",
        "<path d=\"M8 2 3 4v4c0 3 2.1 5 5 6 2.9-1 5-3 5-6V4zM6 8l1.5 1.5L10.25 6.5\"/>",
    ),
    (
        "theme",
        "<circle cx=\"8\" cy=\"8\" r=\"5.5\"/><path d=\"M8 2.5a5.5 5.5 0 0 1 0 11z\" fill=\"currentColor\"/>",
    ),
    ("up", "<path d=\"m4 9.75 4-4 4 4\"/>"),
    ("down", "<path d=\"m4 6.25 4 4 4-4\"/>"),
    ("unfold", "<path d=\"m5 5.5 3-3 3 3M5 10.5l3 3 3-3\"/>"),
    (
        "bell",
        "<path d=\"M3.5 11.5c1-1 1.25-2.25 1.25-4a3.25 3.25 0 0 1 6.5 0c0 1.75.25 3 1.25 4zM6.75 13.5h2.5M8 2.5v1.75\"/>",
    ),
];

/// All of them, to stand once in a page.
pub(super) fn sprite() -> String {
    let symbols: Vec<String> = ICONS
        .iter()
        .map(|(name, drawing)| {
            format!("<symbol id=\"i-{name}\" viewBox=\"0 0 16 16\">{drawing}</symbol>")
        })
        .collect();
    format!(
        "<svg class=\"sprite\" aria-hidden=\"true\">{}</svg>",
        symbols.concat()
    )
}

pub(super) fn icon(name: &str) -> String {
    debug_assert!(ICONS.iter().any(|(known, _)| *known == name), "{name}");
    format!("<svg class=\"i\" aria-hidden=\"true\"><use href=\"#i-{name}\"/></svg>")
}
