//! Cuts an input down to what matters: a row of a table should be short.

/// More tries than this are not worth the wait.
const TRIES: usize = 20_000;

/// The input without whatever can be left out while it is `still` bad.
pub(super) fn shrink(input: &[u8], mut still: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut kept = input.to_vec();
    let (mut size, mut tries) = (input.len() / 2, 0);
    while size > 0 && tries < TRIES {
        let before = kept.len();
        let mut at = 0;
        while at < kept.len() && tries < TRIES {
            let end = (at + size).min(kept.len());
            let shorter = [&kept[..at], &kept[end..]].concat();
            tries += 1;
            if still(&shorter) {
                kept = shorter;
            } else {
                at = end;
            }
        }
        // A size that still helps is tried again.
        if kept.len() == before {
            size /= 2;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let input = b"a long text with {one} thing and {another} in it";
        let bad = |bytes: &[u8]| {
            let open = bytes.iter().position(|byte| *byte == b'{');
            let close = bytes.iter().rposition(|byte| *byte == b'}');
            open.is_some() && open < close
        };
        assert_eq!(shrink(input, bad), b"{}");
        assert_eq!(shrink(b"", |_| true), b"");
    }
}
