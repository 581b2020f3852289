//! The kinds of structures.

macro_rules! kinds {
    ($($variant:ident $name:literal $doc:literal),* $(,)?) => {
        /// What a structure is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind {
            $(#[doc = $doc] $variant),*
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant),*];

            /// The word in results, and the capture in queries.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Kind::$variant => $name),*
                }
            }
        }
    };
}

kinds! {
    Function "function" "A function of a module, or inside another function.",
    Method "method" "A function of a class or the like.",
    Class "class" "A class.",
    Module "module" "A module or namespace.",
    Type "type" "A type or an alias of one.",
    Struct "struct" "A struct or union.",
    Enum "enum" "An enumeration.",
    Variant "variant" "A variant of an enumeration.",
    Interface "interface" "An interface.",
    Trait "trait" "A trait.",
    Impl "impl" "An implementation.",
    Constant "constant" "A constant.",
    Variable "variable" "A variable of a module.",
    Field "field" "A field of a class or the like.",
    Key "key" "A key and its value.",
    Element "element" "An element of HTML.",
    Rule "rule" "A rule of CSS.",
    Block "block" "A statement with a body, or a branch of one.",
    Lambda "lambda" "A function without a name.",
    Section "section" "A heading and everything under it.",
    Item "item" "An item of a list.",
    Code "code" "A block of code in Markdown.",
    Quote "quote" "A block quote.",
    Table "table" "A table.",
    Paragraph "paragraph" "A paragraph.",
    FrontMatter "front-matter" "The metadata before a Markdown text.",
}

impl Kind {
    /// Whether comments directly above belong to it.
    pub fn takes_comments(self) -> bool {
        self == Kind::Item || !matches!(self, Kind::Block | Kind::Lambda) && !self.is_prose()
    }

    /// Whether it is a part of a Markdown text.
    pub fn is_prose(self) -> bool {
        matches!(
            self,
            Kind::Section
                | Kind::Item
                | Kind::Code
                | Kind::Quote
                | Kind::Table
                | Kind::Paragraph
                | Kind::FrontMatter
        )
    }

    /// Whether functions in it are methods, and variables fields.
    pub fn has_members(self) -> bool {
        matches!(
            self,
            Kind::Class | Kind::Struct | Kind::Enum | Kind::Interface | Kind::Trait | Kind::Impl
        )
    }

    /// Whether it runs code, so that variables in it are nobody's business.
    pub fn runs(self) -> bool {
        matches!(self, Kind::Function | Kind::Method | Kind::Lambda)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
