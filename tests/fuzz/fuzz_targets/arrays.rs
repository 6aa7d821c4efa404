//! NPY and safetensors files, label maps and boxes.
#![no_main]

use juror_metrics::{Array, Reference, tensor_names};
use juror_reading::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = text::read(data.to_vec()).text;
    let _ = Reference::list(&text);
    let names = tensor_names(data).unwrap_or_default();
    let first = names.first().map_or("", String::as_str);
    for name in ["", first] {
        let Ok(array) = Array::from_file(data, name) else {
            continue;
        };
        let numbers: Option<usize> = array
            .shape
            .iter()
            .try_fold(1_usize, |all, side| all.checked_mul(*side));
        assert_eq!(numbers, Some(array.data.len()), "{:?}", array.shape);
        assert!(
            array.data.len() <= data.len(),
            "a number takes a byte at least"
        );
        let _ = array.to_image();
        let _ = array.to_bytes();
        let written = array.to_npy();
        // The header of a version 1 file has room for so many sides.
        if array.shape.len() > 1000 {
            continue;
        }
        let again = Array::from_npy(&written).expect("what is written is read again");
        assert_eq!(again.shape, array.shape);
        let is_same = |(left, right): (&f64, &f64)| {
            left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()
        };
        assert!(again.data.iter().zip(&array.data).all(is_same));
    }
});
