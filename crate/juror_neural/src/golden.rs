//! The check that comes before the first value: a runner must give what the reference gave on the pack's own inputs.
//!
//! Two runners of ONNX differ in rounding, and one of them may have an operator wrong without saying so.

use crate::pack::{Golden, Pack};
use crate::{Network, NeuralError, Runner, Tensor, Values};

/// How near a runner came to the reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoldenReport {
    /// Cases that were compared.
    pub cases: usize,
    /// Largest difference over the largest number of the reference, of all cases.
    pub deviation: f64,
}

/// Runs the golden cases of one graph.
///
/// # Errors
/// [`NeuralError::Golden`] for the first case that is off, [`NeuralError::Output`] for what cannot be compared, those of the network
/// and of the files.
pub async fn check(
    pack: &Pack,
    node: &str,
    network: &dyn Network,
    runner: &dyn Runner,
    array: &mut dyn FnMut(&str) -> Result<Tensor, NeuralError>,
) -> Result<GoldenReport, NeuralError> {
    let mut report = GoldenReport::default();
    let of_node = pack
        .manifest
        .golden
        .iter()
        .filter(|golden| golden.node == node);
    for golden in of_node {
        let Golden {
            inputs,
            outputs,
            tolerance,
            ..
        } = golden;
        let inputs: Result<Vec<Tensor>, _> = inputs.iter().map(|file| array(file)).collect();
        let inputs = inputs?;
        let given: Vec<&Tensor> = inputs.iter().collect();
        let found = pack.run(node, network, runner.id(), &given).await?;
        report.cases += 1;
        let mut worst = 0.0_f64;
        for (found, file) in found.iter().zip(outputs) {
            let reference = array(file)?;
            require_alike(pack, node, runner, found, &reference)?;
            worst = worst.max(deviation(found, &reference));
        }
        if worst.is_nan() || worst > *tolerance {
            return Err(NeuralError::Golden {
                pack: pack.manifest.id.clone(),
                runner: runner.id().to_owned(),
                case: report.cases,
                node: node.to_owned(),
                found: worst,
                tolerance: *tolerance,
            });
        }
        report.deviation = report.deviation.max(worst);
    }
    if report.cases == 0 {
        return Err(NeuralError::Manifest {
            expected: format!("golden inputs and outputs of {node}"),
            found: "none".to_owned(),
        });
    }
    Ok(report)
}

/// Errors unless an output has the shape and the type of the reference's.
fn require_alike(
    pack: &Pack,
    node: &str,
    runner: &dyn Runner,
    found: &Tensor,
    reference: &Tensor,
) -> Result<(), NeuralError> {
    let described = |tensor: &Tensor| {
        let numbers = match tensor.values {
            Values::Reals(_) => "real",
            Values::Whole(_) => "whole",
        };
        format!("{numbers} numbers of the shape {:?}", tensor.shape)
    };
    let (found, expected) = (described(found), described(reference));
    if found == expected {
        return Ok(());
    }
    Err(NeuralError::Output {
        runner: runner.id().to_owned(),
        file: pack.named(node)?,
        expected,
        found,
    })
}

/// max |a − b| / max |b|; infinite for another shape and for NaN on either side.
fn deviation(found: &Tensor, reference: &Tensor) -> f64 {
    let (a, b) = (found.numbers(), reference.numbers());
    if found.shape != reference.shape {
        return f64::INFINITY;
    }
    let mut difference = 0.0_f64;
    for (a, b) in a.iter().zip(&b) {
        let apart = (a - b).abs();
        if !apart.is_finite() {
            return f64::INFINITY;
        }
        difference = difference.max(apart);
    }
    let largest = b.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if difference == 0.0 {
        0.0
    } else {
        difference / largest
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_deviation_is_relative_to_the_largest_number_and_infinite_for_what_cannot_be_compared() {
        let of = |values: &[f32]| Tensor::reals(vec![values.len()], values.to_vec()).unwrap();
        assert!((deviation(&of(&[1.0, -4.0]), &of(&[1.5, -4.0])) - 0.125).abs() < 1e-12);
        assert_eq!(deviation(&of(&[0.0]), &of(&[0.0])).to_bits(), 0);
        for found in [of(&[1.0]), of(&[f32::NAN, 1.0]), of(&[f32::INFINITY, 1.0])] {
            assert!(deviation(&found, &of(&[1.0, 1.0])).is_infinite());
        }
        assert!(deviation(&of(&[1.0]), &of(&[0.0])).is_infinite());
    }
}
