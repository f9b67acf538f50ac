//! Bodies. Origin is the middle of the ground; up is negative.

/// A body, and where things sit on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    pub outline: &'static str,
    /// The top of the head.
    pub top: f32,
    /// How wide a hat is that fits; 1 for the usual one.
    pub hat: f32,
    /// Where the right ear grows.
    pub brow: (f32, f32),
    /// How high the eyes are.
    pub eyes: f32,
    /// How far they are from the middle.
    pub gap: f32,
    /// How wide the head is at the height of the eyes.
    pub temple: f32,
    /// Where the right arm begins.
    pub shoulder: (f32, f32),
    pub feet: Feet,
}

/// What a body stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feet {
    Two,
    None,
}

pub(crate) const BODIES: &[Body] = &[BLOB, EGG, PEAR, GHOST, BOX, BEAN, DROP, CLOUD];

const BLOB: Body = Body {
    outline: "M0-90C28-90 44-70 44-42C44-14 27 0 0 0C-27 0-44-14-44-42C-44-70-28-90 0-90Z",
    top: -89.0,
    hat: 1.0,
    brow: (26.0, -80.0),
    eyes: -57.0,
    gap: 16.0,
    temple: 42.0,
    shoulder: (40.0, -31.0),
    feet: Feet::Two,
};

const EGG: Body = Body {
    outline: "M0-100C22-100 40-65 40-38C40-14 24 0 0 0C-24 0-40-14-40-38C-40-65-22-100 0-100Z",
    top: -97.0,
    hat: 0.9,
    brow: (20.0, -87.0),
    eyes: -60.0,
    gap: 14.5,
    temple: 37.0,
    shoulder: (37.0, -32.0),
    feet: Feet::Two,
};

const PEAR: Body = Body {
    outline: "M0-98C19-98 27-86 29-70C31-54 46-46 46-25C46-8 29 0 0 0C-29 0-46-8-46-25C-46-46-31-54-29-70C-27-86-19-98 0-98Z",
    top: -97.0,
    hat: 0.86,
    brow: (19.0, -90.0),
    eyes: -68.0,
    gap: 12.5,
    temple: 30.0,
    shoulder: (39.0, -35.0),
    feet: Feet::Two,
};

const GHOST: Body = Body {
    outline: "M0-97C26-97 41-77 41-50V-7C41 4 32 4 27-3C23-9 18-9 14-3C9 3 5 3 0-3C-5 3-9 3-14-3C-18-9-23-9-27-3C-32 4-41 4-41-7V-50C-41-77-26-97 0-97Z",
    top: -96.0,
    hat: 1.0,
    brow: (25.0, -87.0),
    eyes: -62.0,
    gap: 15.0,
    temple: 41.0,
    shoulder: (39.0, -34.0),
    feet: Feet::None,
};

const BOX: Body = Body {
    outline: "M-25-88H25C36-88 42-82 42-70V-18C42-6 36 0 25 0H-25C-36 0-42-6-42-18V-70C-42-82-36-88-25-88Z",
    top: -87.0,
    hat: 1.05,
    brow: (29.0, -84.0),
    eyes: -58.0,
    gap: 16.5,
    temple: 42.0,
    shoulder: (40.0, -32.0),
    feet: Feet::Two,
};

const BEAN: Body = Body {
    outline: "M-5-95C23-99 42-81 41-57C40-43 35-35 39-22C43-7 27 0 2 0C-27 0-45-13-44-40C-43-70-29-91-5-95Z",
    top: -94.0,
    hat: 1.0,
    brow: (24.0, -86.0),
    eyes: -62.0,
    gap: 15.0,
    temple: 41.0,
    shoulder: (38.0, -30.0),
    feet: Feet::Two,
};

const DROP: Body = Body {
    outline: "M0-106C6-88 43-66 43-35C43-13 25 0 0 0C-25 0-43-13-43-35C-43-66-6-88 0-106Z",
    top: -90.0,
    hat: 0.84,
    brow: (18.0, -81.0),
    eyes: -53.0,
    gap: 14.5,
    temple: 37.0,
    shoulder: (40.0, -29.0),
    feet: Feet::Two,
};

const CLOUD: Body = Body {
    outline: "M-18-86C-10-99 11-99 19-86C35-89 46-75 41-61C52-51 50-32 39-27C40-9 24 0 0 0C-24 0-40-9-39-27C-50-32-52-51-41-61C-46-75-34-89-18-86Z",
    top: -93.0,
    hat: 1.0,
    brow: (28.0, -83.0),
    eyes: -60.0,
    gap: 15.5,
    temple: 42.0,
    shoulder: (40.0, -28.0),
    feet: Feet::Two,
};
