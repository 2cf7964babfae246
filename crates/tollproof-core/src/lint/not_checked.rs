//! What no check can know.

/// What tollproof cannot see from where it runs; every report says so.
pub const NOT_CHECKED: [&str; 6] = [
    "whether the business name and its registration number match the authorities' records",
    "the live content of websites and opt-in pages",
    "whether URLs can be reached",
    "whether images are legible",
    "the age of domains",
    "the reviewer's judgement",
];
