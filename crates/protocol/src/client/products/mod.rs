//! The programs: one module each and one `mod` line below. A module describes its program in `WIRE`.
//! The first line is the program that is meant where nobody says.

use super::Wire;

macro_rules! products {
    ($($module:ident $name:ident),* $(,)?) => {
        /// A program whose hooks we understand.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Product {
            $($name),*
        }

        impl Product {
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in records and arguments.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($module)),* }
            }

            /// All that is special about it.
            pub const fn wire(self) -> &'static Wire {
                match self { $(Self::$name => &$module::WIRE),* }
            }
        }
    };
}

mod claude;
mod gemini;

bellwether_listed::modules!(products, "src/client/products/mod.rs", camel);

/// The first of the list is meant where nobody says.
impl Default for Product {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl Product {
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|product| product.name() == name)
    }
}
