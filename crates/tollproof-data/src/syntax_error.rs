//! The kinds of errors in the text of a file.

/// The kinds of errors in the text of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// Not valid JSON or YAML.
    Syntax,
    /// The same key twice in one object.
    DuplicateKey,
    /// Not UTF-8.
    Encoding,
    /// A UTF-8 byte order mark.
    ByteOrderMark,
    /// UTF-16, which was converted.
    Utf16,
    /// Letters in Windows-1252, which were converted.
    Windows1252,
    /// A table that begins with something else than its field names.
    Header,
    /// A limit of tollproof is exceeded.
    Limit,
}

impl SyntaxErrorKind {
    /// Whether all of the document was read with its meaning nevertheless.
    pub fn keeps_content(self) -> bool {
        matches!(self, Self::ByteOrderMark | Self::Utf16 | Self::Windows1252 | Self::Header)
    }
}
