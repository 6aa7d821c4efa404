//! Reads tensors from safetensors files, as which attention tensors are mostly kept.
//!
//! The crate `safetensors` checks the header: its length, that offsets are in order and without gaps, and that the file
//! holds all of its numbers; what is added here is the way to f64.

use safetensors::{Dtype, SafeTensors};

use crate::Array;
use crate::MetricError;
use crate::is_npy;
use crate::npy::half;

impl Array {
    /// Reads one tensor of a safetensors file: the one of this name, or its only one where the name is empty.
    ///
    /// Takes floats of 2 (F16, BF16), 4 and 8 bytes; NaN and infinities are read as they are.
    ///
    /// # Errors
    /// [`MetricError::Safetensors`]: nothing is allocated before the file is known to hold all of its numbers.
    ///
    /// ```
    /// let header = br#"{"q":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}"#;
    /// let mut file = (header.len() as u64).to_le_bytes().to_vec();
    /// file.extend(header);
    /// file.extend([0x80, 0x3f, 0x00, 0xc0]);
    /// let array = juror_metrics::Array::from_safetensors(&file, "")?;
    /// assert_eq!((array.shape, array.data), (vec![2], vec![1.0, -2.0]));
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn from_safetensors(bytes: &[u8], name: &str) -> Result<Self, MetricError> {
        let (file, names) = opened(bytes)?;
        let known = || names.join(", ");
        let name = match (name, names.as_slice()) {
            ("", [only]) => only.as_str(),
            ("", _) => return Err(wrong("a file of one tensor, or a name", known())),
            (name, _) => name,
        };
        let tensor = file
            .tensor(name)
            .map_err(|_| wrong(&format!("the tensor {name}"), known()))?;
        let raw = tensor.data();
        let data = match tensor.dtype() {
            Dtype::F16 => (raw.as_chunks().0.iter())
                .map(|two| half(u16::from_le_bytes(*two).into()))
                .collect(),
            Dtype::BF16 => (raw.as_chunks().0.iter())
                .map(|two| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16).into())
                .collect(),
            Dtype::F32 => (raw.as_chunks().0.iter())
                .map(|four| f32::from_le_bytes(*four).into())
                .collect(),
            Dtype::F64 => (raw.as_chunks().0.iter())
                .map(|eight| f64::from_le_bytes(*eight))
                .collect(),
            other => return Err(wrong("floats: F16, BF16, F32 or F64", format!("{other:?}"))),
        };
        Ok(Self {
            shape: tensor.shape().to_vec(),
            data,
            is_bytes: false,
        })
    }

    /// Reads an NPY file, or one tensor of a safetensors file.
    ///
    /// # Errors
    /// Those of [`Array::from_npy`] and [`Array::from_safetensors`]; also for a name that an NPY file cannot have.
    pub fn from_file(bytes: &[u8], name: &str) -> Result<Self, MetricError> {
        match (is_npy(bytes), name) {
            (false, _) => Self::from_safetensors(bytes, name),
            (true, "") => Self::from_npy(bytes),
            (true, _) => Err(MetricError::Npy {
                expected: "one array without a name".to_owned(),
                found: format!("a wish for the tensor {name}"),
            }),
        }
    }
}

/// The names of a safetensors file's tensors in order; none for an NPY file, which has one array.
///
/// # Errors
/// As [`Array::from_safetensors`].
pub fn tensor_names(bytes: &[u8]) -> Result<Vec<String>, MetricError> {
    if is_npy(bytes) {
        return Ok(Vec::new());
    }
    let (_, names) = opened(bytes)?;
    Ok(names)
}

fn opened(bytes: &[u8]) -> Result<(SafeTensors<'_>, Vec<String>), MetricError> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| wrong("an NPY or a whole safetensors file", error.to_string()))?;
    let mut names: Vec<String> = file.names().into_iter().map(ToOwned::to_owned).collect();
    names.sort_unstable();
    Ok((file, names))
}

fn wrong(expected: &str, found: impl Into<String>) -> MetricError {
    MetricError::Safetensors {
        expected: expected.to_owned(),
        found: found.into(),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn file(header: &str, body: &[u8]) -> Vec<u8> {
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(body);
        file
    }

    #[test]
    fn every_float_of_the_format_is_read_to_the_bit() {
        // 1.5 and −0.1 as each type has it.
        for (dtype, body, tenth) in [
            ("F16", &[0x00, 0x3e, 0x66, 0xae][..], -0.099_975_585_937_5),
            ("BF16", &[0xc0, 0x3f, 0xcd, 0xbd], -0.100_097_656_25),
            (
                "F32",
                &[0, 0, 0xc0, 0x3f, 0xcd, 0xcc, 0xcc, 0xbd],
                f64::from(-0.1_f32),
            ),
            (
                "F64",
                &[1.5_f64.to_le_bytes(), (-0.1_f64).to_le_bytes()].concat(),
                -0.1,
            ),
        ] {
            let header = format!(
                r#"{{"k":{{"dtype":"{dtype}","shape":[2,1],"data_offsets":[0,{}]}}}}"#,
                body.len()
            );
            let array = Array::from_file(&file(&header, body), "k").unwrap();
            assert_eq!(array.shape, [2, 1]);
            assert_eq!(array.data, [1.5, tenth], "{dtype}");
        }
    }

    #[test]
    fn what_is_not_there_is_named_beside_what_is() {
        let header = r#"{"q":{"dtype":"I32","shape":[1],"data_offsets":[0,4]},"k":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
        let bytes = file(header, &[0; 8]);
        let said = |name| Array::from_file(&bytes, name).unwrap_err().to_string();
        assert!(said("").contains("k, q"), "{}", said(""));
        assert!(said("v").contains("the tensor v"), "{}", said("v"));
        assert!(said("q").contains("I32"), "{}", said("q"));
        assert_eq!(Array::from_file(&bytes, "k").unwrap().data, [0.0]);
    }

    #[test]
    fn a_file_that_is_cut_off_or_promises_too_much_is_refused_before_it_is_read() {
        let header = r#"{"q":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}"#;
        let whole = file(header, &[0; 8]);
        assert!(Array::from_safetensors(&whole, "q").is_ok());
        for cut in 0..whole.len() {
            assert!(
                Array::from_safetensors(&whole[..cut], "q").is_err(),
                "{cut}"
            );
        }
        let vast = file(
            r#"{"q":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,8]}}"#,
            &[0; 8],
        );
        assert!(Array::from_safetensors(&vast, "q").is_err());
        let mut header_of_exabytes = whole.clone();
        header_of_exabytes[..8].fill(0xff);
        assert!(Array::from_safetensors(&header_of_exabytes, "q").is_err());
    }
}
