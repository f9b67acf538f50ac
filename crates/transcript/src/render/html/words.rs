//! Markdown as HTML. Only what is known is written as an element; HTML in it is text, a link leads to the web or to a
//! mailbox, and an image is a link.

use std::fmt::Write as _;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::escape::Escaped;

pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// The text as HTML.
pub(super) fn html(markdown: &str) -> String {
    let mut writer = Writer::default();
    for event in Parser::new_ext(markdown, options()) {
        writer.take(event);
    }
    writer.out
}

/// Whether an address may be followed.
pub(crate) fn is_safe(address: &str) -> bool {
    let scheme = address.split_once(':').map_or("", |(scheme, _)| scheme);
    let known = ["http", "https", "mailto"];
    known.iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

#[derive(Default)]
struct Writer {
    out: String,
    /// For each link and image that is open, whether it has an element.
    links: Vec<bool>,
    columns: Vec<Alignment>,
    column: usize,
    in_head: bool,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => {
                self.put("<code>");
                self.text(&text);
                self.put("</code>");
            }
            Event::SoftBreak => self.put("\n"),
            Event::HardBreak => self.put("<br>\n"),
            Event::Rule => self.put("<hr>\n"),
            Event::TaskListMarker(true) => self.put("<span class=\"tick\">☑</span> "),
            Event::TaskListMarker(false) => self.put("<span class=\"tick\">☐</span> "),
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn put(&mut self, html: &str) {
        self.out.push_str(html);
    }

    fn text(&mut self, text: &str) {
        // Writing into a string does not fail.
        let _ = write!(self.out, "{}", Escaped(text));
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.put("<p>"),
            Tag::Heading { level, .. } => {
                let _ = write!(self.out, "<h{}>", heading(level as usize));
            }
            Tag::BlockQuote(_) => self.put("<blockquote>"),
            Tag::CodeBlock(kind) => self.code_block(&kind),
            // The text of a block of HTML comes between the two.
            Tag::HtmlBlock => self.put("<p class=\"markup\">"),
            Tag::List(None) => self.put("<ul>\n"),
            Tag::List(Some(1)) => self.put("<ol>\n"),
            Tag::List(Some(first)) => {
                let _ = writeln!(self.out, "<ol start=\"{first}\">");
            }
            Tag::Item => self.put("<li>"),
            Tag::Table(columns) => {
                self.columns = columns;
                self.put("<div class=\"table\" tabindex=\"0\"><table>");
            }
            Tag::TableHead => {
                (self.in_head, self.column) = (true, 0);
                self.put("<thead><tr>");
            }
            Tag::TableRow => {
                self.column = 0;
                self.put("<tr>");
            }
            Tag::TableCell => self.cell(),
            Tag::Emphasis => self.put("<em>"),
            Tag::Strong => self.put("<strong>"),
            Tag::Strikethrough => self.put("<del>"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.link(&dest_url),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.put("</p>\n"),
            TagEnd::Heading(level) => {
                let _ = writeln!(self.out, "</h{}>", heading(level as usize));
            }
            TagEnd::BlockQuote(_) => self.put("</blockquote>\n"),
            TagEnd::CodeBlock => self.put("</code></pre>\n"),
            TagEnd::List(false) => self.put("</ul>\n"),
            TagEnd::List(true) => self.put("</ol>\n"),
            TagEnd::Item => self.put("</li>\n"),
            TagEnd::Table => self.put("</tbody></table></div>\n"),
            TagEnd::TableHead => {
                self.in_head = false;
                self.put("</tr></thead><tbody>");
            }
            TagEnd::TableRow => self.put("</tr>\n"),
            TagEnd::TableCell => {
                self.column += 1;
                self.put(if self.in_head { "</th>" } else { "</td>" });
            }
            TagEnd::Emphasis => self.put("</em>"),
            TagEnd::Strong => self.put("</strong>"),
            TagEnd::Strikethrough => self.put("</del>"),
            TagEnd::Link | TagEnd::Image if self.links.pop() == Some(true) => self.put("</a>"),
            _ => {}
        }
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        self.put("<pre class=\"code\">");
        if let CodeBlockKind::Fenced(language) = kind
            && let Some(language) = language.split_whitespace().next()
        {
            let _ = write!(
                self.out,
                "<span class=\"lang\">{}</span>",
                Escaped(language)
            );
        }
        self.put("<code>");
    }

    fn cell(&mut self) {
        let name = if self.in_head { "th" } else { "td" };
        let side = match self.columns.get(self.column) {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"middle\"",
            _ => "",
        };
        let _ = write!(self.out, "<{name}{side}>");
    }

    /// Links do not stand in each other; what may not be followed is named behind its words.
    fn link(&mut self, address: &str) {
        let is_open = self.links.contains(&true);
        let follows = is_safe(address) && !is_open;
        self.links.push(follows);
        if follows {
            let _ = write!(
                self.out,
                "<a href=\"{}\" rel=\"noopener noreferrer\" target=\"_blank\">",
                Escaped(address)
            );
        }
    }
}

/// A message has smaller headings than the page around it.
fn heading(level: usize) -> usize {
    (level + 2).min(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_elements() {
        for (markdown, expected) in [
            (
                "a *b* **c** ~~d~~ `e<`",
                "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e&lt;</code></p>\n",
            ),
            (
                "# A\n- [x] b\n- c",
                "<h3>A</h3>\n<ul>\n<li><span class=\"tick\">☑</span> b</li>\n<li>c</li>\n</ul>\n",
            ),
            ("3. a", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"),
            (
                "```rust\nlet a = \"<b>\";\n```",
                "<pre class=\"code\"><span class=\"lang\">rust</span><code>let a = &quot;&lt;b&gt;&quot;;\n</code></pre>\n",
            ),
            (
                "|a|b|\n|-|-:|\n|c|d|",
                "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>a</th><th class=\"right\">b</th></tr></thead><tbody><tr><td>c</td><td class=\"right\">d</td></tr>\n</tbody></table></div>\n",
            ),
            (
                "[a](https://b.c)",
                "<p><a href=\"https://b.c\" rel=\"noopener noreferrer\" target=\"_blank\">a</a></p>\n",
            ),
        ] {
            assert_eq!(html(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn what_could_run_is_text() {
        for hostile in [
            "<script>x()</script>",
            "a <img src=x onerror=x()> b",
            "[a](javascript:x())",
            "[a](JaVaScRiPt:x())",
            "[a]( data:text/html,x )",
            "<javascript:x()>",
            "![a](javascript:x())",
            "[a]: javascript:x()\n\n[a]",
            "[a](\"onmouseover=x())",
            "[a](vbscript:x)",
            "[a](file:///etc/passwd)",
            "[a](//evil.example)",
            "<div\nonclick=x()>",
            "```<script>\nx\n```",
            "[![a](https://x)](https://y \"<b>\")",
        ] {
            let html = html(hostile);
            for bad in [
                "<script",
                "<img",
                "<div onclick",
                "href=\"j",
                "href=\"J",
                "href=\"d",
                "href=\"v",
                "href=\"f",
                "href=\"/",
                "href=\"&",
            ] {
                assert!(!html.contains(bad), "{hostile} -> {html}");
            }
            assert!(html.matches("<a ").count() <= 1, "{html}");
        }
        assert!(
            is_safe("HTTPS://a") && !is_safe("a") && !is_safe("java\nscript:a") && !is_safe("")
        );
    }
}
