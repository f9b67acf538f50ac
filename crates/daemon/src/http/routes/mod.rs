//! The routes: one file each, one word in the list below.

use super::route::Route;

macro_rules! routes {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// Every route.
        pub(crate) const ALL: &[Route] = &[$($name::ROUTE),*];
    };
}

routes![health, hook, open];
