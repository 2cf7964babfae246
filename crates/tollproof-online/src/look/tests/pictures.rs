//! Pictures of a zoo, each with what must be seen.

use tollproof_core::seen::{AddressUse, PictureSeen, SeenFact, SeenOutcome};

use super::server::{SiteAnswer, TestSite, html, with_type};
use super::{TestNet, fact};

/// A page of a form: black lines on white, of so many pixels.
fn drawn(width: u32, height: u32) -> Vec<u8> {
    (0..width * height)
        .map(|pixel| if (pixel / width) % 10 < 3 && pixel % width < width / 2 { 0 } else { 255 })
        .collect()
}

/// Pixels that seem to be at random.
fn noise(count: u32) -> Vec<u8> {
    (0..count).map(|it| (it.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

fn png_of(size: (u32, u32), color: png::ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(color);
    let mut writer = encoder.write_header().expect("it fits");
    writer.write_image_data(pixels).expect("it fits");
    writer.finish().expect("it fits");
    bytes
}

fn gif_of(width: u16, height: u16, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder =
        gif::Encoder::new(&mut bytes, width, height, &[255, 255, 255, 0, 0, 0]).expect("it fits");
    let frame = gif::Frame { width, height, buffer: pixels.to_vec().into(), ..gif::Frame::default() };
    encoder.write_frame(&frame).expect("it fits");
    drop(encoder);
    bytes
}

fn webp_of(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut bytes);
    encoder.encode(pixels, width, height, image_webp::ColorType::L8).expect("it fits");
    bytes
}

/// A grey JPEG of squares of 8 by 8 pixels, each of one brightness: only the first coefficient of each is written.
fn jpeg_of(columns: u8, rows: u8, brightness: impl Fn(usize) -> i16) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
    bytes.extend([8; 64]);
    let [height, width] = [rows, columns].map(|count| (u16::from(count) * 8).to_be_bytes());
    bytes.extend([0xff, 0xc0, 0, 11, 8, height[0], height[1], width[0], width[1], 1, 1, 0x11, 0]);
    // Nine sizes of differences with codes of four bits, and one code of one bit: the end of a square.
    bytes.extend([
        0xff, 0xc4, 0, 28, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    bytes.extend([0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    let mut bits = String::new();
    let mut last = 0;
    for at in 0..usize::from(columns) * usize::from(rows) {
        let difference = brightness(at) - 128 - last;
        last += difference;
        let size = (16 - difference.unsigned_abs().leading_zeros()) as usize;
        let value = if difference < 0 { difference + (1 << size) - 1 } else { difference };
        bits.push_str(&format!("{size:04b}"));
        if size > 0 {
            bits.push_str(&format!("{value:0size$b}"));
        }
        bits.push('0');
    }
    for byte in bits.as_bytes().chunks(8) {
        let text: String = byte.iter().map(|it| char::from(*it)).collect();
        let byte = u8::from_str_radix(&format!("{text:1<8}"), 2).expect("it has eight bits");
        bytes.push(byte);
        if byte == 0xff {
            bytes.push(0);
        }
    }
    bytes.extend([0xff, 0xd9]);
    bytes
}

fn seen_of(kind: &str, bytes: &[u8]) -> SeenFact {
    seen(&with_type(kind, bytes))
}

fn seen(answer: &SiteAnswer) -> SeenFact {
    let site = TestSite::start(&[("/opt-in", answer.clone())]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    fact(&net.looker(), "http://site.test/opt-in", AddressUse::Picture)
}

#[test]
fn pictures_are_what_their_bytes_are() {
    let rgb: Vec<u8> = drawn(600, 400).iter().flat_map(|it| [*it; 3]).collect();
    let clear: Vec<u8> = noise(200 * 100).iter().flat_map(|it| [*it, *it, *it, 0]).collect();
    let (grey, large) = (png::ColorType::Grayscale, vec![7; 6_000 * 5_000]);
    for (name, kind, bytes, expected) in [
        ("drawn", "image/png", png_of((600, 400), png::ColorType::Rgb, &rgb), ("png", 600, 400, false)),
        ("noisy", "image/png", png_of((300, 200), grey, &noise(60_000)), ("png", 300, 200, false)),
        ("white", "image/png", png_of((300, 200), grey, &[255; 60_000]), ("png", 300, 200, true)),
        ("clear", "image/png", png_of((200, 100), png::ColorType::Rgba, &clear), ("png", 200, 100, true)),
        ("an icon", "image/png", png_of((16, 16), grey, &noise(256)), ("png", 16, 16, false)),
        (
            "too large to decode",
            "image/png",
            png_of((6_000, 5_000), grey, &large),
            ("png", 6_000, 5_000, false),
        ),
        ("another type", "image/jpeg", png_of((300, 200), grey, &drawn(300, 200)), ("png", 300, 200, false)),
        (
            "a type of pages",
            "text/html",
            png_of((300, 200), grey, &drawn(300, 200)),
            ("png", 300, 200, false),
        ),
        (
            "jpeg",
            "image/jpeg",
            jpeg_of(40, 25, |block| if block % 3 == 0 { 20 } else { 250 }),
            ("jpeg", 320, 200, false),
        ),
        ("black jpeg", "image/jpeg", jpeg_of(40, 25, |_| 1), ("jpeg", 320, 200, true)),
        (
            "gif",
            "image/gif",
            gif_of(60, 40, &noise(2_400).iter().map(|it| it & 1).collect::<Vec<_>>()),
            ("gif", 60, 40, false),
        ),
        ("white gif", "image/gif", gif_of(60, 40, &[0; 2_400]), ("gif", 60, 40, true)),
        ("webp", "image/webp", webp_of(300, 200, &drawn(300, 200)), ("webp", 300, 200, false)),
        ("white webp", "image/webp", webp_of(300, 200, &[255; 60_000]), ("webp", 300, 200, true)),
    ] {
        let (format, width, height, is_blank) = expected;
        let unread = if width == 6_000 { "too-many-pixels" } else { "no-tesseract" };
        let unread = (!is_blank).then(|| unread.to_owned());
        let format = format.to_owned();
        let expected = PictureSeen { format, width, height, is_blank, decodes: true, text: None, unread };
        let fact = seen_of(kind, &bytes);
        assert_eq!(fact.picture, Some(expected), "{name}");
        assert!(fact.page.is_none() && fact.bytes == bytes.len() as u64, "{name}");
        // The end of the file is missing, and only that which is never decoded may still be whole.
        let cut = seen_of(kind, &bytes[..bytes.len() / 3]).picture.expect("it begins as a picture");
        assert!(name == "too large to decode" || (!cut.decodes && !cut.is_blank), "{name}: {cut:?}");
    }
}

#[test]
fn other_files_are_not_seen_as_pictures() {
    let viewer = seen(&html("<html><title>Viewer</title><p>Open the picture in our app</html>"));
    assert!(viewer.picture.is_none() && viewer.page.is_some_and(|it| it.title == "Viewer"));
    let named_png = seen_of("image/png", b"<!DOCTYPE html><title>Sign in</title><p>Sign in to see this file");
    assert!(named_png.picture.is_none() && named_png.page.is_some_and(|it| it.title == "Sign in"));
    for (kind, bytes) in [
        ("application/pdf", &b"%PDF-1.7 ..."[..]),
        ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>"),
        ("image/png", b""),
        ("image/png", b"404 page not found"),
    ] {
        let fact = seen_of(kind, bytes);
        assert_eq!((fact.outcome, fact.content_type.as_deref()), (SeenOutcome::Seen, Some(kind)));
        assert!(fact.page.is_none() && fact.picture.is_none(), "{kind}");
    }
    for (kind, bytes) in [
        ("image/avif", &b"\0\0\0\x1cftypavif...."[..]),
        ("image/heic", b"\0\0\0\x18ftypheic...."),
        ("image/tiff", b"II\x2a\0...."),
        ("image/bmp", b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0"),
    ] {
        assert_eq!(seen_of(kind, bytes).why.as_deref(), Some("unknown-format"), "{kind}");
    }
    let cut = seen_of("image/jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF").picture.expect("it begins as one");
    assert!(!cut.decodes && cut.format == "jpeg");
}
