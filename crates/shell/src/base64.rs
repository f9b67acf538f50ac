//! Base64, as far as a command that hides in it has to be read.

/// The bytes of a base64 text, in the usual or the URL alphabet; blanks and padding do not count.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut held) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0u32);
    for byte in text.bytes() {
        if byte.is_ascii_whitespace() || byte == b'=' {
            continue;
        }
        bits = (bits << 6) | u32::from(digit(byte)?);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn it_is_decoded() {
        assert_eq!(decode("cm0gLXJmIC8="), Some(b"rm -rf /".to_vec()));
        assert_eq!(decode("cm0gLXJm\nIC8"), Some(b"rm -rf /".to_vec()));
        assert_eq!(decode("-_-_"), decode("+/+/"));
        assert_eq!(decode("rm -rf *"), None);
        assert_eq!(decode(""), Some(Vec::new()));
    }
}
