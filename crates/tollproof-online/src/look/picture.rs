//! Facts seen of a picture, within bounds on its size.

use std::io::Cursor;

use gif::{ColorOutput, MemoryLimit};
use image_webp::WebPDecoder;
use png::Transformations;
use tollproof_core::seen::PictureSeen;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The most pixels that are decoded: those of a camera. Of a larger picture, only the header is read.
const MAX_PIXELS: u64 = 25_000_000;

/// The most memory that a decoder may use beside the picture, in bytes.
const MAX_MEMORY: usize = 128 << 20;

/// The part of a picture that has one color if it is blank. A page with one line of text has less.
const BLANK: f64 = 0.999;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureFormat {
    Png,
    Jpeg,
    Gif,
    WebP,
    /// A format that is not decoded here.
    Other(&'static str),
}

/// The format of a picture by its first bytes; `None` if it is not a picture.
pub(super) fn format(bytes: &[u8]) -> Option<PictureFormat> {
    let is_container = |brand: &[&[u8]]| {
        bytes.get(4..8) == Some(b"ftyp") && bytes.get(8..12).is_some_and(|it| brand.contains(&it))
    };
    Some(match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => PictureFormat::Png,
        [0xff, 0xd8, 0xff, ..] => PictureFormat::Jpeg,
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => PictureFormat::Gif,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => PictureFormat::WebP,
        [b'B', b'M', ..] if bytes.get(6..10) == Some(&[0; 4]) => PictureFormat::Other("bmp"),
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => PictureFormat::Other("tiff"),
        _ if is_container(&[b"avif", b"avis"]) => PictureFormat::Other("avif"),
        _ if is_container(&[b"heic", b"heix", b"mif1", b"msf1"]) => PictureFormat::Other("heic"),
        _ => return None,
    })
}

/// A picture in shades of grey, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GreyPicture {
    pub(super) width: u32,
    pub(super) pixels: Vec<u8>,
}

/// The facts of a picture, and the picture if it is not blank; `None` if its format is not decoded here.
pub(super) fn read(format: PictureFormat, bytes: &[u8]) -> Option<(PictureSeen, Option<GreyPicture>)> {
    let mut seen = PictureSeen::default();
    let (name, decoded) = match format {
        PictureFormat::Png => ("png", png(bytes, &mut seen)),
        PictureFormat::Jpeg => ("jpeg", jpeg(bytes, &mut seen)),
        PictureFormat::Gif => ("gif", gif(bytes, &mut seen)),
        PictureFormat::WebP => ("webp", webp(bytes, &mut seen)),
        PictureFormat::Other(_) => return None,
    };
    seen.format = name.to_owned();
    seen.decodes = decoded.is_some();
    seen.is_blank = decoded == Some(PictureContent::Blank);
    let grey = decoded.and_then(|content| match content {
        PictureContent::Something(grey) => Some(grey),
        PictureContent::Blank | PictureContent::Unknown => None,
    });
    Some((seen, grey))
}

/// The content of a decodable picture.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PictureContent {
    Blank,
    Something(GreyPicture),
    /// It has too many pixels to be decoded here, and a good header.
    Unknown,
}

/// Notes the size. Returns whether a picture of that size is decoded.
fn is_small(width: u32, height: u32, seen: &mut PictureSeen) -> bool {
    (seen.width, seen.height) = (width, height);
    u64::from(width) * u64::from(height) <= MAX_PIXELS
}

/// Row by row: memory does not grow with the picture.
fn png(bytes: &[u8], seen: &mut PictureSeen) -> Option<PictureContent> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: MAX_MEMORY });
    decoder.set_transformations(Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if !is_small(width, height, seen) {
        return Some(PictureContent::Unknown);
    }
    let samples = reader.output_color_type().0.samples();
    let mut colors = Colors::new();
    while let Some(row) = reader.next_row().ok()? {
        colors.add(row.data(), samples);
    }
    Some(colors.content(width))
}

fn jpeg(bytes: &[u8], seen: &mut PictureSeen) -> Option<PictureContent> {
    // The decoder fills what is missing of a picture with grey, unless it is strict. The end after the last data is there in
    // a whole file, and may be forgotten.
    let last = |marker: u8| bytes.windows(2).rposition(|it| it == [0xff, marker]);
    let is_whole = last(0xd9) > last(0xda);
    let options = DecoderOptions::default()
        .set_strict_mode(!is_whole)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let info = decoder.info()?;
    if !is_small(info.width.into(), info.height.into(), seen) {
        return Some(PictureContent::Unknown);
    }
    let samples = decoder.output_colorspace().map_or(3, |it| it.num_components());
    let pixels = decoder.decode().ok()?;
    let mut colors = Colors::new();
    colors.add(&pixels, samples);
    Some(colors.content(seen.width))
}

/// The first picture of an animation.
fn gif(bytes: &[u8], seen: &mut PictureSeen) -> Option<PictureContent> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    options.set_memory_limit(MemoryLimit::Bytes((MAX_MEMORY as u64).try_into().ok()?));
    let mut decoder = options.read_info(Cursor::new(bytes)).ok()?;
    if !is_small(decoder.width().into(), decoder.height().into(), seen) {
        return Some(PictureContent::Unknown);
    }
    let frame = decoder.read_next_frame().ok()??;
    let mut colors = Colors::new();
    colors.add(&frame.buffer, 4);
    Some(colors.content(frame.width.into()))
}

fn webp(bytes: &[u8], seen: &mut PictureSeen) -> Option<PictureContent> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).ok()?;
    decoder.set_memory_limit(MAX_MEMORY);
    let (width, height) = decoder.dimensions();
    if !is_small(width, height, seen) {
        return Some(PictureContent::Unknown);
    }
    let mut pixels = vec![0; decoder.output_buffer_size()?];
    let samples = if decoder.has_alpha() { 4 } else { 3 };
    decoder.read_image(&mut pixels).ok()?;
    let mut colors = Colors::new();
    colors.add(&pixels, samples);
    Some(colors.content(width))
}

/// Counts of colors that look alike, and the pixels in grey.
struct Colors {
    counts: Vec<u32>,
    grey: Vec<u8>,
}

impl Colors {
    fn new() -> Self {
        Self { counts: vec![0; 1 << 15], grey: Vec::new() }
    }

    /// Adds pixels of so many samples: grey, grey and alpha, three colors, or these and alpha.
    fn add(&mut self, pixels: &[u8], samples: usize) {
        for pixel in pixels.chunks_exact(samples.max(1)) {
            let [red, green, blue] = match pixel {
                [_, 0] | [_, _, _, 0] => [255; 3],
                [grey] | [grey, _] => [*grey; 3],
                [red, green, blue, ..] => [*red, *green, *blue],
                [] => continue,
            };
            let color = [red, green, blue].into_iter().fold(0, |all, it| (all << 5) | usize::from(it >> 3));
            self.counts[color] += 1;
            let light = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
            self.grey.push((light / 1000) as u8);
        }
    }

    fn content(self, width: u32) -> PictureContent {
        let most = self.counts.iter().max().copied().unwrap_or_default();
        if f64::from(most) > BLANK * self.grey.len() as f64 || self.grey.is_empty() {
            PictureContent::Blank
        } else {
            PictureContent::Something(GreyPicture { width, pixels: self.grey })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grey picture in which some of the rows are black.
    fn png_of(width: u32, height: u32, black: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        let mut pixels = vec![200; (width * height) as usize];
        pixels[..(width * black) as usize].fill(0);
        let mut writer = encoder.write_header().expect("it fits");
        writer.write_image_data(&pixels).expect("it fits");
        writer.finish().expect("it fits");
        bytes
    }

    fn seen(bytes: &[u8]) -> PictureSeen {
        read(format(bytes).expect("it is a picture"), bytes).expect("it is decoded here").0
    }

    #[test]
    fn a_picture_has_a_size_and_may_be_blank() {
        let blank = seen(&png_of(200, 100, 0));
        assert_eq!((blank.width, blank.height, blank.is_blank, blank.decodes), (200, 100, true, true));
        assert_eq!(blank.format, "png");
        let drawn = seen(&png_of(200, 100, 5));
        assert!(drawn.decodes && !drawn.is_blank);
        let whole = png_of(200, 100, 5);
        let cut = seen(&whole[..whole.len() / 2]);
        assert!(!cut.decodes && cut.width == 200);
    }

    #[test]
    fn a_bomb_is_told_by_its_header() {
        let mut bomb = png_of(10, 10, 0);
        // The header says 100,000 times 100,000 pixels.
        bomb[16..24].copy_from_slice(&[0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]);
        let checked: u32 = crc(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&checked.to_be_bytes());
        let seen = seen(&bomb);
        assert_eq!((seen.width, seen.height, seen.is_blank), (100_000, 100_000, false));
    }

    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8)
                .fold(crc ^ u32::from(*byte), |it, _| (it >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(it & 1)))
        })
    }

    #[test]
    fn what_cannot_be_decoded_is_said() {
        for bytes in
            [&b"\xff\xd8\xff\xe0broken"[..], b"GIF89a", b"RIFF\0\0\0\0WEBPVP8 ", b"\x89PNG\r\n\x1a\nbroken"]
        {
            assert!(!seen(bytes).decodes, "{bytes:?}");
        }
        assert_eq!(format(b"\0\0\0\x1cftypavif"), Some(PictureFormat::Other("avif")));
        assert_eq!(format(b"<html>"), None);
        assert_eq!(format(b""), None);
    }
}
