//! Reads NPY arrays, because depth maps, masks, boxes and features that were made elsewhere come as such.
//!
//! Source: NumPy's description of the format, versions 1 to 3.
//! Our own hundred lines: the packages that read NPY bring a grammar and big integers for headers that have one form.

use crate::Image;
use crate::MetricError;

/// An array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Lengths along the axes; empty for a single number.
    pub shape: Vec<usize>,
    /// The numbers with the last axis running fastest, whatever order the file has.
    pub data: Vec<f64>,
    /// Whether the file has 8-bit whole numbers without sign, which MultiRef's formulas treat as pictures.
    pub is_bytes: bool,
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Whether bytes begin like an NPY file.
pub fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl Array {
    /// Reads a whole NPY file.
    ///
    /// Takes booleans, whole numbers with and without sign, and floats of 2, 4 and 8 bytes in either byte order, in C and
    /// in Fortran order.
    /// Whole numbers above 2⁵³ are rounded to the next f64.
    /// NaN and infinities are read as they are; the metrics refuse them by name.
    ///
    /// # Errors
    /// [`MetricError::Npy`]: nothing is allocated before the file is known to hold all of its numbers.
    ///
    /// ```
    /// let mut file = b"\x93NUMPY\x01\x00\x3a\x00".to_vec();
    /// file.extend(b"{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }\n");
    /// file.extend([1, 0, 0, 1]);
    /// let array = juror_metrics::Array::from_npy(&file)?;
    /// assert_eq!((array.shape, array.data), (vec![2], vec![1.0, 256.0]));
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn from_npy(bytes: &[u8]) -> Result<Self, MetricError> {
        let (header, body) = split(bytes)?;
        let kind = Kind::of(value_of(header, "descr")?.trim_matches(['\'', '"']))?;
        let is_fortran = match value_of(header, "fortran_order")? {
            "True" => true,
            "False" => false,
            other => return Err(wrong("fortran_order True or False", other)),
        };
        let sides = shape(value_of(header, "shape")?)?;
        // In 64 bits also where memory has fewer: the header may say anything.
        let num_bytes = sides
            .iter()
            .try_fold(kind.size as u64, |product, side| product.checked_mul(*side));
        let lengths: Result<Vec<usize>, _> = sides.iter().copied().map(usize::try_from).collect();
        let shape = match lengths {
            Ok(shape) if num_bytes == Some(body.len() as u64) => shape,
            _ => {
                return Err(wrong(
                    format!("the bytes of {sides:?} numbers of {} bytes", kind.size),
                    format!("{} bytes", body.len()),
                ));
            }
        };
        let mut data: Vec<f64> = body
            .chunks_exact(kind.size)
            .map(|raw| kind.read(raw))
            .collect();
        if is_fortran {
            data = in_c_order(&data, &shape);
        }
        Ok(Self {
            shape,
            data,
            is_bytes: kind.letter == 'u' && kind.size == 1,
        })
    }

    /// The numbers as an NPY file of 8-byte floats in C order.
    ///
    /// ```
    /// let array = juror_metrics::Array { shape: vec![1, 2], data: vec![0.5, f64::NAN], is_bytes: false };
    /// let again = juror_metrics::Array::from_npy(&array.to_npy())?;
    /// assert_eq!((again.shape, again.data[0], again.data[1].is_nan()), (vec![1, 2], 0.5, true));
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn to_npy(&self) -> Vec<u8> {
        let sides: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        let mut sides = sides.join(", ");
        if self.shape.len() == 1 {
            sides.push(',');
        }
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({sides}), }}");
        // The numbers begin at a multiple of 64 bytes, after a line's end.
        let length = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
        let mut file = MAGIC.to_vec();
        file.extend([1, 0]);
        file.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
        file.extend(format!("{header:<width$}\n", width = length - 1).bytes());
        file.extend(self.data.iter().flat_map(|number| number.to_le_bytes()));
        file
    }

    /// The numbers as one plane, or as a picture of up to four channels: (h, w), (h, w, c), and axes of length 1 before them.
    ///
    /// # Errors
    /// [`MetricError::Shape`], [`MetricError::NoArea`].
    pub fn to_image(&self) -> Result<Image<f64>, MetricError> {
        let ones = self.shape.iter().take_while(|side| **side == 1).count();
        let inner = &self.shape[ones.min(self.shape.len().saturating_sub(2))..];
        match *inner {
            [height, width] => Image::new(width, height, 1, self.data.clone()),
            [height, width, channels @ 1..=4] => {
                Image::new(width, height, channels, self.data.clone())
            }
            _ => Err(MetricError::Shape {
                expected: "(height, width) or (height, width, channels)",
                found: self.shape.clone(),
            }),
        }
    }

    /// The same as bytes, for an array that has nothing else.
    ///
    /// # Errors
    /// As [`Array::to_image`]; [`MetricError::NotByte`] at the first other number.
    pub fn to_bytes(&self) -> Result<Image<u8>, MetricError> {
        let image = self.to_image()?;
        let view = image.view();
        let numbers = self.data.iter().copied().enumerate();
        let bytes: Result<Vec<u8>, MetricError> = numbers
            .map(|(position, value)| byte(value).ok_or(MetricError::NotByte { value, position }))
            .collect();
        Image::new(view.width(), view.height(), view.channels(), bytes?)
    }
}

/// Whole numbers from 0 to 255.
fn byte(value: f64) -> Option<u8> {
    let is_byte = (0.0..=255.0).contains(&value) && value.fract() == 0.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "asked in the line above"
    )]
    is_byte.then_some(value as u8)
}

fn wrong(expected: impl Into<String>, found: impl Into<String>) -> MetricError {
    MetricError::Npy {
        expected: expected.into(),
        found: found.into(),
    }
}

/// The header's text and what stands behind it.
fn split(bytes: &[u8]) -> Result<(&str, &[u8]), MetricError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(wrong("the first bytes of an NPY file", "others"));
    };
    let cut_off = || wrong("a whole header", format!("a file of {} bytes", bytes.len()));
    let (length, rest) = match *rest {
        [1, _, a, b, ref rest @ ..] => (usize::from(u16::from_le_bytes([a, b])), rest),
        [2 | 3, _, a, b, c, d, ref rest @ ..] => {
            let length = u32::from_le_bytes([a, b, c, d]);
            (usize::try_from(length).unwrap_or(usize::MAX), rest)
        }
        [0 | 4.., ..] => return Err(wrong("version 1, 2 or 3", format!("version {}", rest[0]))),
        _ => return Err(cut_off()),
    };
    let (header, body) = rest.split_at_checked(length).ok_or_else(cut_off)?;
    let header =
        std::str::from_utf8(header).map_err(|_| wrong("a header of text", "other bytes"))?;
    Ok((header, body))
}

/// The text of a value in `{'key': value, …}`, up to the comma that ends it.
fn value_of<'a>(header: &'a str, key: &str) -> Result<&'a str, MetricError> {
    let missing = || wrong(format!("'{key}' in its header"), header.trim().to_owned());
    let after = [format!("'{key}'"), format!("\"{key}\"")]
        .iter()
        .find_map(|quoted| header.split_once(quoted.as_str()))
        .and_then(|(_, after)| after.trim_start().strip_prefix(':'))
        .ok_or_else(missing)?
        .trim_start();
    let end = if let Some(inner) = after.strip_prefix('(') {
        inner.find(')').map(|end| end + 2)
    } else {
        after.find([',', '}'])
    };
    Ok(after[..end.ok_or_else(missing)?].trim_end())
}

/// `(2, 3)`, `(2,)` or `()`.
fn shape(text: &str) -> Result<Vec<u64>, MetricError> {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let sides = inner.into_iter().flat_map(|inner| inner.split(','));
    let sides: Result<Vec<u64>, _> = sides
        .map(str::trim)
        .filter(|side| !side.is_empty())
        .map(str::parse)
        .collect();
    match sides {
        Ok(sides) if inner.is_some() => Ok(sides),
        _ => Err(wrong("a shape of whole numbers", text)),
    }
}

/// A type of numbers as NumPy spells it: byte order, letter, size.
struct Kind {
    is_big_endian: bool,
    letter: char,
    size: usize,
}

impl Kind {
    fn of(descr: &str) -> Result<Self, MetricError> {
        let found = match descr.as_bytes() {
            [order, letter, size @ b'0'..=b'9'] => {
                Some((order, char::from(*letter), usize::from(size - b'0')))
            }
            _ => None,
        };
        let Some((
            order @ (b'<' | b'|' | b'>' | b'='),
            letter @ ('b' | 'u' | 'i' | 'f'),
            size @ (1 | 2 | 4 | 8),
        )) = found.filter(|(_, letter, size)| match letter {
            'b' => *size == 1,
            'f' => *size > 1,
            _ => true,
        })
        else {
            return Err(wrong("booleans, whole numbers or floats", descr));
        };
        Ok(Self {
            is_big_endian: *order == b'>',
            letter,
            size,
        })
    }

    /// One number of `size` bytes.
    fn read(&self, raw: &[u8]) -> f64 {
        let bits = raw.iter().enumerate().fold(0_u64, |bits, (idx, byte)| {
            let place = if self.is_big_endian {
                raw.len() - 1 - idx
            } else {
                idx
            };
            bits | u64::from(*byte) << (8 * place)
        });
        let unused = 64 - 8 * u32::try_from(raw.len()).unwrap_or(8);
        match (self.letter, self.size) {
            ('f', 8) => f64::from_bits(bits),
            ('f', 4) => f64::from(f32::from_bits(low(bits))),
            ('f', _) => half(low(bits)),
            ('i', _) => ((bits << unused).cast_signed() >> unused) as f64,
            ('b', _) => f64::from(u8::from(bits != 0)),
            _ => bits as f64,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the upper half is empty for numbers of 4 bytes"
)]
fn low(bits: u64) -> u32 {
    bits as u32
}

/// A float of 2 bytes: 1 sign, 5 exponent, 10 fraction.
pub(crate) fn half(bits: u32) -> f64 {
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    let magnitude = match bits >> 10 & 0x1f {
        0 => fraction * 0.5_f64.powi(14),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        exponent => (1.0 + fraction) * 2.0_f64.powi(exponent.cast_signed() - 15),
    };
    if bits >> 15 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// Numbers whose first axis runs fastest, put so that the last one does.
fn in_c_order(data: &[f64], shape: &[usize]) -> Vec<f64> {
    let strides: Vec<usize> = shape
        .iter()
        .scan(1, |stride, side| {
            let here = *stride;
            *stride *= side;
            Some(here)
        })
        .collect();
    let mut place = vec![0; shape.len()];
    let mut sorted = Vec::with_capacity(data.len());
    for _ in 0..data.len() {
        let at: usize = place
            .iter()
            .zip(&strides)
            .map(|(idx, stride)| idx * stride)
            .sum();
        sorted.push(data[at]);
        for (idx, side) in place.iter_mut().zip(shape).rev() {
            *idx += 1;
            if *idx < *side {
                break;
            }
            *idx = 0;
        }
    }
    sorted
}
