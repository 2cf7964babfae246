//! Length limits of addresses and texts of facts.

/// The longest address, in bytes: browsers and servers refuse longer ones.
pub(super) const MAX_ADDRESS: usize = 2_000;

/// Drops an address that is too long: cut, it would be another one.
pub(super) fn drop_long(address: &mut Option<String>) {
    address.take_if(|it| it.len() > MAX_ADDRESS);
}

/// Cuts a text after a number of characters.
pub(super) fn cut(text: Option<&mut String>, most: usize) {
    let Some(text) = text.filter(|it| it.len() > most) else { return };
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
    }
}
