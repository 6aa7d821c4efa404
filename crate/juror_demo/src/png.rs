//! Writes a canvas as an indexed PNG: flat art in few colours is half the size of what a general encoder makes.
//! Source: PNG (W3C), sections 5 and 11.

use std::collections::BTreeMap;
use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// Red, green, blue, opacity.
type Colour = [u8; 4];

/// An index byte could tell 256 apart; smoothed edges do not need the rest, and rarer places cost bytes.
const MOST_COLOURS: usize = 160;

/// Encodes RGBA rows whose colours are multiplied by their opacity; colours beyond the [`MOST_COLOURS`] most frequent become their nearest.
pub(crate) fn encode(width: u32, height: u32, rgba: &[u8]) -> anyhow::Result<Vec<u8>> {
    // Flat art has long runs of one colour.
    let mut runs: Vec<(Colour, usize)> = Vec::new();
    for pixel in rgba.chunks_exact(4) {
        let &[r, g, b, a] = pixel else { continue };
        let pixel = plain([r, g, b, a]);
        match runs.last_mut() {
            Some((colour, count)) if *colour == pixel => *count += 1,
            _ => runs.push((pixel, 1)),
        }
    }
    let mut counts: BTreeMap<Colour, usize> = BTreeMap::new();
    for &(colour, count) in &runs {
        *counts.entry(colour).or_default() += count;
    }
    let mut ranked: Vec<(Colour, usize)> = counts.into_iter().collect();
    ranked.sort_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    let palette: Vec<Colour> = ranked
        .iter()
        .take(MOST_COLOURS)
        .map(|&(colour, _)| colour)
        .collect();
    let mut places: BTreeMap<Colour, u8> = BTreeMap::new();
    for (rank, &(colour, _)) in ranked.iter().enumerate() {
        let place = if rank < palette.len() {
            u8::try_from(rank)?
        } else {
            nearest(&palette, colour)
        };
        places.insert(colour, place);
    }

    let mut rows = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut indexes = Vec::with_capacity(rgba.len() / 4);
    for (colour, count) in runs {
        let place = places.get(&colour).copied().unwrap_or(0);
        indexes.resize(indexes.len() + count, place);
    }
    for row in indexes.chunks(usize::try_from(width)?) {
        // Filter type 0: differences of palette places mean nothing.
        rows.write_all(&[0])?;
        rows.write_all(row)?;
    }

    let mut header = Vec::from(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // 8 bits, indexed, deflate, adaptive filtering, not interlaced.
    header.extend([8, 3, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, *b"IHDR", &header)?;
    let colours: Vec<[u8; 3]> = palette.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
    chunk(&mut file, *b"PLTE", &colours.concat())?;
    let opacities: Vec<u8> = palette.iter().map(|&[_, _, _, a]| a).collect();
    if opacities.iter().any(|opacity| *opacity < 255) {
        chunk(&mut file, *b"tRNS", &opacities)?;
    }
    chunk(&mut file, *b"IDAT", &rows.finish()?)?;
    chunk(&mut file, *b"IEND", &[])?;
    Ok(file)
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) -> anyhow::Result<()> {
    file.extend(u32::try_from(data.len())?.to_be_bytes());
    file.extend(kind);
    file.extend(data);
    let mut crc = Crc::new();
    crc.update(&kind);
    crc.update(data);
    file.extend(crc.sum().to_be_bytes());
    Ok(())
}

/// A colour by itself: PNG does not multiply it by its opacity.
fn plain([r, g, b, a]: Colour) -> Colour {
    if a == 255 {
        return [r, g, b, a];
    }
    let part = |channel: u8| {
        let whole = u32::from(channel) * 255 + u32::from(a) / 2;
        u8::try_from(whole.checked_div(u32::from(a)).unwrap_or(0)).unwrap_or(255)
    };
    [part(r), part(g), part(b), a]
}

fn nearest(palette: &[Colour], colour: Colour) -> u8 {
    let [r, g, b, a] = colour;
    let mut best = (0, u32::MAX);
    for (place, &[red, green, blue, opacity]) in (0..=u8::MAX).zip(palette) {
        let [dr, dg, db] = [red.abs_diff(r), green.abs_diff(g), blue.abs_diff(b)].map(u32::from);
        let da = u32::from(opacity.abs_diff(a));
        let away = dr * dr + dg * dg + db * db + 3 * da * da;
        if away < best.1 {
            best = (place, away);
        }
    }
    best.0
}
