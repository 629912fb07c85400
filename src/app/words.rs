//! Words as the interface writes them.

/// With a capital at its head.
pub fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// With a capital and a full stop.
pub fn sentence(words: &str) -> String {
    let mut sentence = capitalized(words);
    if !sentence.is_empty() && !sentence.ends_with(['.', '!', '?', '…', ')']) {
        sentence.push('.');
    }
    sentence
}
