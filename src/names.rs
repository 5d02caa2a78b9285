//! The nearest name: what somebody who wrote something else probably meant.

/// The candidate most like `wrong`, if one is alike enough to be meant.
///
/// The distance counts letters put in, left out, changed or swapped with a neighbour. A third of
/// the word may be wrong, but a word of one or two letters is never taken for another.
#[must_use]
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names are at most 64 characters long; nothing longer is a slip of one.
    let folded = wrong.to_lowercase();
    let length = folded.chars().count();
    if length > 80 {
        return None;
    }
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.to_lowercase();
            let distance = strsim::osa_distance(&folded, &other);
            let longer = length.max(other.chars().count());
            (distance <= longer / 3).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `a`, `b` or `c`: a list for a message; long lists are cut, and say so.
#[must_use]
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>, joint: &str) -> String {
    const MOST: usize = 16;
    let names: Vec<&str> = names.into_iter().collect();
    let shown: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > MOST {
        return format!("{} and {} more", shown.join(", "), names.len() - MOST);
    }
    match shown.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {joint} {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{list, nearest};

    #[test]
    fn slips_of_the_pen_are_found_and_strangers_are_not() {
        let names = ["distance", "marks", "mark", "hp", "max_hp"];
        assert_eq!(nearest("distnace", names), Some("distance"));
        assert_eq!(nearest("Marks", names), Some("marks"));
        assert_eq!(nearest("makr", names), Some("mark"));
        assert_eq!(nearest("hitpoints", names), None);
        assert_eq!(nearest("x", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(list([], "and"), "nothing");
        assert_eq!(list(["a"], "and"), "`a`");
        assert_eq!(list(["a", "b", "c"], "or"), "`a`, `b` or `c`");
        let many = ["n"; 18];
        assert!(list(many, "or").ends_with("and 2 more"));
    }
}
