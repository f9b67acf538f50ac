//! Pictures of all that is drawn beside the creatures, for a person to look at: `cargo run --example drawn -- FOLDER`.
//!
//! A sheet for each language, theme, scale and kind of wallpaper.

use std::path::Path;

use bellwether_overlay::drawn::{
    Answering, Badge, Bubble, Deed, Look, Menu, Row, Side, Sign, Tail, Theme, Tone,
};
use bellwether_overlay::geometry::Size;
use bellwether_overlay::picture::Picture;
use bellwether_overlay::text::Fonts;
use bellwether_overlay::words::Language;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use std::error::Error;
use std::io::Write as _;

const ACROSS: u32 = 1260;
const DOWN: u32 = 900;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .ok_or("where to? name a folder")?;
    std::fs::create_dir_all(&folder)?;
    for language in Language::ALL {
        let mut fonts = Fonts::new(language.code());
        for (theme_name, theme) in [("dark", &Theme::DARK), ("light", &Theme::LIGHT)] {
            for scale in [1_u8, 2] {
                for wallpaper in Wallpaper::ALL {
                    let (code, ground) = (language.code(), wallpaper.name());
                    let name = format!("{code}-{theme_name}-{scale}x-{ground}.png");
                    let mut look = Look {
                        theme,
                        scale: f32::from(scale),
                        words: language.words(),
                        fonts: &mut fonts,
                    };
                    let sheet = Sheet::drawn(language, wallpaper, &mut look, u32::from(scale));
                    save(&sheet.picture, &Path::new(&folder).join(name))?;
                }
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Wallpaper {
    Dark,
    Light,
    Photo,
}

impl Wallpaper {
    const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::Photo];

    const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Photo => "photo",
        }
    }

    /// A pixel of it, as blue, green and red.
    fn at(self, x: u32, y: u32) -> [u8; 3] {
        match self {
            Self::Dark => [0x22, 0x1a, 0x18],
            Self::Light => [0xf2, 0xf4, 0xf5],
            Self::Photo => {
                // Blotches and grain, between dusk and a bright sky.
                let wave =
                    |a: u32, b: u32| u8::try_from((x / a * 37 + y / b * 91) % 120).unwrap_or(0);
                let grain = u8::try_from((x * 7919 + y * 104_729 + x * y) % 61).unwrap_or(0);
                let sky = u8::try_from(x * 100 / ACROSS.max(x + 1)).unwrap_or(0);
                [
                    wave(47, 31) / 2 + grain + sky,
                    wave(61, 53) / 2 + grain + sky / 2,
                    wave(83, 29) + grain,
                ]
            }
        }
    }
}

/// Everything beside everything else, on a wallpaper.
struct Sheet {
    picture: Picture,
}

impl Sheet {
    fn drawn(language: Language, wallpaper: Wallpaper, look: &mut Look<'_>, scale: u32) -> Self {
        let size = Size::new(ACROSS * scale, DOWN * scale);
        let mut picture = Picture::clear(size);
        for (number, pixel) in (0..).zip(picture.pixels.chunks_exact_mut(4)) {
            let [b, g, r] = wallpaper.at(number % size.width, number / size.width);
            pixel.copy_from_slice(&[b, g, r, 255]);
        }
        let mut sheet = Self { picture };
        let (mut x, mut y, mut column) = (0, 0, 0);
        for (bubble, side) in bubbles(language) {
            let laid = bubble.lay_out(look);
            let size = laid.size();
            let at = i32::try_from(size.width / 3).unwrap_or(0);
            let at = if matches!(side, Side::Left | Side::Right) {
                at.min(40)
            } else {
                at
            };
            let shown = laid.draw(look, Some(Tail { side, at }));
            if y + size.height > sheet.picture.size.height {
                (x, y, column) = (x + column, 0, 0);
            }
            sheet.put(&shown.picture, x, y);
            y += size.height;
            column = column.max(size.width);
        }
        x += column;
        let shown = menu(look).draw(look);
        sheet.put(&shown.picture, x, 0);
        let mut below = shown.picture.size.height;
        for badge in [
            Badge::More(7),
            Badge::More(188),
            Badge::Questions(1),
            Badge::Questions(12),
            Badge::Questions(140),
        ] {
            let picture = badge.draw(look);
            sheet.put(&picture, x + 20 * scale, below);
            below += picture.size.height + 8 * scale;
        }
        let signs = [
            (0, false, false),
            (3, false, false),
            (12, false, false),
            (1, true, false),
            (0, false, true),
        ];
        for (waiting, muted, lost) in signs {
            let sign = Sign {
                waiting,
                muted,
                lost,
            };
            for (size, right) in [(22, 90), (24, 120), (48, 150)] {
                let picture = sign.draw(size, look.fonts);
                sheet.put(&picture, x + right * scale, below - 140 * scale);
            }
            below += 52;
        }
        sheet
    }

    fn put(&mut self, picture: &Picture, x: u32, y: u32) {
        let width = self.picture.size.width;
        let rows = picture.pixels.chunks_exact(picture.size.width as usize * 4);
        for (down, row) in (y..self.picture.size.height).zip(rows) {
            for (across, over) in (x..width).zip(row.chunks_exact(4)) {
                let start = (down * width + across) as usize * 4;
                let through = 255 - u32::from(over[3]);
                for (ground, over) in self.picture.pixels[start..start + 3].iter_mut().zip(over) {
                    let mixed = u32::from(*over) + u32::from(*ground) * through / 255;
                    *ground = u8::try_from(mixed.min(255)).unwrap_or(255);
                }
            }
        }
    }
}

fn menu(look: &Look<'_>) -> Menu {
    let words = look.words;
    let languages = Language::ALL
        .map(|language| Row::checked(language.words().language, language.words() == words));
    let mut rows = vec![
        Row::entry(words.open_session),
        Row::entry(words.go_to_terminal),
        Row::Line,
        Row::entry(words.open_page),
        Row::entry(words.mute),
        Row::entry(words.hide_project),
        Row::entry(words.show_projects).disabled(),
        Row::Line,
    ];
    rows.extend(languages);
    rows.extend([
        Row::Line,
        Row::checked(words.start_at_login, true),
        Row::entry(words.quit),
    ]);
    Menu {
        rows,
        hovered: Some(1),
    }
}

fn bubbles(language: Language) -> Vec<(Bubble, Side)> {
    let words = language.words();
    let say = |english: &str, korean: &str| match language {
        Language::English => english.to_owned(),
        Language::Korean => korean.to_owned(),
    };
    let all = vec![Deed::Allow, Deed::Deny, Deed::Terminal];
    let ask = Bubble {
        title: say("main · webshop", "메인 · webshop"),
        text: say("May I run this command?", "이 명령을 실행해도 될까요?"),
        command: Some(
            "cargo test --workspace --no-fail-fast -- --nocapture && git push origin main".into(),
        ),
        tone: Tone::Ask,
        buttons: all.clone(),
        hovered: Some(Deed::Allow),
        more: 2,
        ..Bubble::default()
    };
    let said = |title: &str, text: String, tone| Bubble {
        title: title.into(),
        text,
        tone,
        ..Bubble::default()
    };
    vec![
        (ask.clone(), Side::Bottom),
        (Bubble { hovered: Some(Deed::Deny), more: 0, command: Some("rm -rf ./build/크기\n./configure --prefix=/opt/very/long/path/that/does/not/end/anywhere/soon/and/goes/on/for/a/while\nmake -j8\nmake install\nls -l\necho done\necho more".into()), ..ask.clone() }, Side::Left),
        (Bubble { answering: Answering::Sending(Deed::Deny), more: 0, ..ask.clone() }, Side::Top),
        (Bubble { answering: Answering::Answered(Deed::Allow), more: 0, ..ask.clone() }, Side::Right),
        (Bubble { answering: Answering::Failed(None), more: 1, hovered: None, ..ask.clone() }, Side::Bottom),
        (Bubble {
            text: say("Which database shall the orders go into?", "주문을 어느 데이터베이스에 저장할까요?"),
            command: None,
            choices: vec![say("PostgreSQL, as the other services", "다른 서비스처럼 PostgreSQL"), say("SQLite: one file, nothing to run", "SQLite: 파일 하나, 따로 실행할 것 없음"), "DuckDB".into()],
            buttons: vec![Deed::Terminal],
            answering: Answering::OnlyInTerminal,
            hovered: None,
            more: 0,
            ..ask
        }, Side::Bottom),
        (said("explorer", say("Reads src/text/wrap.rs", "src/text/wrap.rs를 읽습니다"), Tone::Work), Side::Bottom),
        (said("reviewer · webshop", say("All 214 tests pass ✓ “naïve” → done", "시험 214개를 모두 통과했습니다 ✓ 漢字"), Tone::Good), Side::Bottom),
        (said("tester", say("cargo test failed: 3 of 214 tests", "cargo test 실패: 시험 214개 중 3개"), Tone::Bad), Side::Bottom),
        (said("builder", say("Refused: rm -rf of files that git does not know", "거부됨: git이 모르는 파일을 rm -rf로 지우려 했습니다"), Tone::Refused), Side::Left),
        (said("writer", say("Thinks about the words of the release notes, and about how long a text may become before somebody has to cut it off with three little dots", "릴리스 노트에 쓸 말을 고르고 있으며, 글이 얼마나 길어져야 점 세 개로 잘리는지도 함께 생각하고 있습니다. 그래서 이 글은 일부러 깁니다."), Tone::Calm), Side::Right),
        (said(words.daemon_lost, words.daemon_lost_text.into(), Tone::Bad), Side::Bottom),
    ]
}

fn save(picture: &Picture, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    for row in picture.pixels.chunks_exact(picture.size.width as usize * 4) {
        packed.write_all(&[0])?;
        for pixel in row.chunks_exact(4) {
            packed.write_all(&[pixel[2], pixel[1], pixel[0]])?;
        }
    }
    let mut header = [
        picture.size.width.to_be_bytes(),
        picture.size.height.to_be_bytes(),
    ]
    .concat();
    // Eight bits a channel, three channels, nothing interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, body) in [
        (b"IHDR", header),
        (b"IDAT", packed.finish()?),
        (b"IEND", Vec::new()),
    ] {
        file.extend(u32::try_from(body.len())?.to_be_bytes());
        let named = [kind.as_slice(), &body].concat();
        let mut sum = Crc::new();
        sum.update(&named);
        file.extend(named);
        file.extend(sum.sum().to_be_bytes());
    }
    Ok(std::fs::write(path, file)?)
}
