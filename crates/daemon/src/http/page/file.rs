//! The files that the page is made of. They are static data of the program: whoever asks for one gets
//! the bytes as they stand there, packed where the browser takes that.

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
    VARY,
};

use crate::http::answer::{Answer, Fault, whole};

/// One file of the page.
pub(crate) struct File {
    name: &'static str,
    kind: &'static str,
    tag: &'static str,
    plain: &'static [u8],
    packed: Option<&'static [u8]>,
}

/// All of them; `build.rs` makes the list.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// For how long a browser may keep a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// It asks each time whether there is another.
    Ask,
    /// For good: a changed file has another name.
    Forever,
}

impl File {
    /// The file of a name, from the folder of the built page.
    pub(crate) fn named(name: &str) -> Result<&'static Self, Fault> {
        let found = FILES.iter().find(|file| file.name == name);
        found.ok_or_else(|| {
            Fault::not_found(
                "there is no such file: the page may be of another version, load it again",
            )
        })
    }

    /// What a browser that says these things is given.
    pub(crate) fn answer(&self, asked: &HeaderMap, keep: Keep) -> Result<Answer, Fault> {
        let packed = self.packed.filter(|_| takes_gzip(asked));
        let tag = match packed {
            Some(_) => format!("\"{}-gzip\"", self.tag),
            None => format!("\"{}\"", self.tag),
        };
        let has_it = knows(asked, &tag);
        let mut answer = if has_it {
            whole(StatusCode::NOT_MODIFIED, self.kind, Bytes::new())
        } else {
            let bytes = Bytes::from_static(packed.unwrap_or(self.plain));
            whole(StatusCode::OK, self.kind, bytes)
        };
        let headers = answer.headers_mut();
        if packed.is_some() && !has_it {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let kept = match keep {
            Keep::Ask => "no-cache",
            Keep::Forever => "private, max-age=31536000, immutable",
        };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(ETAG, tag.try_into().map_err(Fault::ours)?);
        Ok(answer)
    }
}

/// Whether the browser takes what is packed.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let lines = asked.get_all(ACCEPT_ENCODING).iter();
    let mut words = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','));
    words.any(|word| {
        let (name, weight) = word.split_once(';').unwrap_or((word, ""));
        let refused = weight
            .split_once('=')
            .and_then(|(_, weight)| weight.trim().parse::<f32>().ok())
            .is_some_and(|weight| weight <= 0.0);
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// Whether the browser has this version already.
fn knows(asked: &HeaderMap, tag: &str) -> bool {
    let lines = asked.get_all(IF_NONE_MATCH).iter();
    let mut tags = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','));
    tags.any(|known| known.trim().trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(lines: &[(&'static str, &str)]) -> HeaderMap {
        let lines = lines
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        lines.collect()
    }

    #[test]
    fn the_page_is_there_and_all_that_it_names() {
        let index = File::named("index.html").unwrap_or_else(|_| panic!("no page"));
        let text = std::str::from_utf8(index.plain).unwrap();
        let named = text.split('"').filter_map(|part| part.strip_prefix('/'));
        let missing: Vec<&str> = named
            .filter(|name| name.contains('.') && File::named(name).is_err())
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(File::named("favicon.svg").is_ok());
        assert!(FILES.iter().any(|file| file.name.starts_with("assets/")));
        assert!(File::named("../Cargo.toml").is_err());
    }

    /// The policy forbids what stands in the page itself.
    #[test]
    fn nothing_in_the_page_needs_a_milder_policy() {
        let index = File::named("index.html").unwrap_or_else(|_| panic!("no page"));
        let text = std::str::from_utf8(index.plain).unwrap();
        for forbidden in ["<style", " style=", "<script>", " onload=", "data:", "//"] {
            let text = text.replace("http://www.w3.org", "");
            assert!(!text.contains(forbidden), "{forbidden}");
        }
    }

    #[test]
    fn what_is_packed_goes_to_those_who_take_it() {
        for (said, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("identity", false),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("", false),
        ] {
            assert_eq!(
                takes_gzip(&asked(&[("accept-encoding", said)])),
                takes,
                "{said}"
            );
        }
        let file = File {
            name: "x.js",
            kind: "text/javascript",
            tag: "7",
            plain: b"plain",
            packed: Some(b"pack"),
        };
        let answer = |lines: &[(&'static str, &str)]| {
            let answer = file.answer(&asked(lines), Keep::Forever);
            answer.unwrap_or_else(|_| panic!("no answer"))
        };
        let plain = answer(&[]);
        assert_eq!(plain.headers()[ETAG], "\"7\"");
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        let packed = answer(&[("accept-encoding", "gzip")]);
        assert_eq!(packed.headers()[ETAG], "\"7-gzip\"");
        assert_eq!(packed.headers()[CONTENT_ENCODING], "gzip");
        let known = [("if-none-match", "\"1\", W/\"7-gzip\"")];
        assert_eq!(answer(&known).status(), 200);
        let known = [known[0], ("accept-encoding", "gzip")];
        assert_eq!(answer(&known).status(), 304);
    }
}
