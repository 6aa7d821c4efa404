//! The shaders by name, each put together from its own file, what it shares with others, and constants that Rust knows.

use juror_metrics::CANNY_TANGENT;

/// Invocations of a workgroup in a row.
pub(crate) const LANES: u32 = 256;
/// Words that an invocation of a sum takes: LANES · WORDS · 4 samples of 255² stay below 2³².
pub(crate) const WORDS: u32 = 32;
/// Side of a square workgroup.
pub(crate) const TILE: u32 = 16;
/// The widest window.
pub(crate) const MAX_SIDE: u32 = 11;
/// Workgroups in a row of a folded grid; WebGPU's limit is 65,535.
pub(crate) const FLAT_GROUPS: u32 = 32_768;
/// Numbers that the change map's workgroups give.
pub(crate) const CHANGE_SUMS: u32 = 14;

/// A shader with one entry point, `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kernel {
    Mse,
    Mae,
    Mask,
    Grey,
    SsimUniform,
    SsimGaussian,
    SsimGaussianReals,
    Halve,
    HalveReals,
    CannySuppress,
    CannyFollow,
    CannyEdges,
    ResizeNearest,
    ResizeLinear,
    ResizeMeans,
    ResizeAreas,
    ResizeTaps,
    Composite,
    Change,
    DarLogits,
    DarSoftmax,
    DarMass,
}

macro_rules! shader {
    ($name:literal) => {
        include_str!(concat!("shader/", $name, ".wgsl"))
    };
}

impl Kernel {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 22] = [
        Self::Mse,
        Self::Mae,
        Self::Mask,
        Self::Grey,
        Self::SsimUniform,
        Self::SsimGaussian,
        Self::SsimGaussianReals,
        Self::Halve,
        Self::HalveReals,
        Self::CannySuppress,
        Self::CannyFollow,
        Self::CannyEdges,
        Self::ResizeNearest,
        Self::ResizeLinear,
        Self::ResizeMeans,
        Self::ResizeAreas,
        Self::ResizeTaps,
        Self::Composite,
        Self::Change,
        Self::DarLogits,
        Self::DarSoftmax,
        Self::DarMass,
    ];

    fn parts(self) -> &'static [&'static str] {
        const PAIR: &str = shader!("pair_bytes");
        const PAIR_REALS: &str = shader!("pair_reals");
        const PLANE: &str = shader!("plane_bytes");
        const PLANE_REALS: &str = shader!("plane_reals");
        const FLAT: &str = shader!("flat");
        const PACK: &str = shader!("pack");
        const SUM: &str = shader!("sum");
        const SSIM: &str = shader!("ssim");
        const GAUSSIAN: &str = shader!("ssim_gaussian");
        const RESIZE: &str = shader!("resize");
        const DAR: &str = shader!("dar");
        match self {
            Self::Mse => &[PAIR, SUM, shader!("mse")],
            Self::Mae => &[PAIR, SUM, shader!("mae")],
            Self::Mask => &[PAIR, SUM, shader!("mask")],
            Self::Grey => &[PLANE, FLAT, PACK, shader!("grey")],
            Self::SsimUniform => &[PAIR, SSIM, shader!("ssim_uniform")],
            Self::SsimGaussian => &[PAIR, SSIM, GAUSSIAN],
            Self::SsimGaussianReals => &[PAIR_REALS, SSIM, GAUSSIAN],
            Self::Halve => &[PLANE, FLAT, shader!("ms_ssim")],
            Self::HalveReals => &[PLANE_REALS, FLAT, shader!("ms_ssim")],
            Self::CannySuppress => &[PLANE, shader!("canny_suppress")],
            Self::CannyFollow => &[shader!("canny_follow")],
            Self::CannyEdges => &[FLAT, PACK, shader!("canny_edges")],
            Self::ResizeNearest => &[PLANE, FLAT, PACK, RESIZE, shader!("resize_nearest")],
            Self::ResizeLinear => &[PLANE, FLAT, PACK, RESIZE, shader!("resize_linear")],
            Self::ResizeMeans => &[PLANE, FLAT, PACK, RESIZE, shader!("resize_means")],
            Self::ResizeAreas => &[PLANE, FLAT, PACK, RESIZE, shader!("resize_areas")],
            Self::ResizeTaps => &[PLANE, FLAT, PACK, RESIZE, shader!("resize_taps")],
            Self::Composite => &[FLAT, shader!("composite")],
            Self::Change => &[PAIR, FLAT, shader!("change")],
            Self::DarLogits => &[shader!("dar_logits")],
            Self::DarSoftmax => &[DAR, shader!("dar_softmax")],
            Self::DarMass => &[FLAT, DAR, shader!("dar_mass")],
        }
    }

    /// The whole text.
    pub(crate) fn source(self) -> String {
        let reach = TILE + MAX_SIDE - 1;
        let mut source = format!(
            "const LANES: u32 = {LANES}u;\nconst WORDS: u32 = {WORDS}u;\nconst TILE: u32 = {TILE}u;\n\
             const REACH: u32 = {reach}u;\nconst FLAT_GROUPS: u32 = {FLAT_GROUPS}u;\n\
             const CHANGE_SUMS: u32 = {CHANGE_SUMS}u;\nconst TANGENT: i32 = {CANNY_TANGENT};\n\
             const NO: u32 = 0u;\nconst MAYBE: u32 = 1u;\nconst EDGE: u32 = 2u;\n"
        );
        for part in self.parts() {
            source.push('\n');
            source.push_str(part);
        }
        source
    }
}

/// The grid of a kernel whose invocations stand in one row.
pub(crate) fn flat_groups(invocations: u64) -> [u32; 3] {
    let groups = invocations.div_ceil(u64::from(LANES));
    let across = groups.min(u64::from(FLAT_GROUPS));
    let down = groups.div_ceil(u64::from(FLAT_GROUPS));
    [across, down, 1].map(|side| u32::try_from(side).unwrap_or(u32::MAX))
}

/// The grid of a kernel with one invocation for each place of a plane.
pub(crate) fn tile_groups(width: usize, height: usize, deep: usize) -> [u32; 3] {
    let tiles = |side: usize| side.div_ceil(TILE as usize);
    [tiles(width), tiles(height), deep].map(|side| u32::try_from(side).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All errors at once: a browser would show them one adapter at a time.
    #[test]
    fn every_shader_is_valid_wgsl() {
        let mut failures = Vec::new();
        for kernel in Kernel::ALL {
            if let Err(error) = check(&kernel.source()) {
                failures.push(format!("{kernel:?}: {error}"));
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    #[test]
    fn a_shader_with_a_wrong_type_is_told_apart() {
        let source = Kernel::Mse.source();
        let wrong = source.replace("difference * difference", "1.5 * difference");
        assert_ne!(source, wrong);
        assert!(check(&wrong).is_err());
    }

    fn check(source: &str) -> Result<(), String> {
        let module =
            naga::front::wgsl::parse_str(source).map_err(|error| error.emit_to_string(source))?;
        let mut validator = naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::default(),
        );
        let found = validator.validate(&module);
        found
            .map(|_| ())
            .map_err(|error| error.emit_to_string(source))
    }

    #[test]
    fn the_sums_of_a_workgroup_fit_32_bits() {
        let samples = u64::from(LANES * WORDS * 4);
        assert!(samples * 255 * 255 < 1 << 32);
        // Four pixels of four channels.
        assert!(u64::from(LANES) * 16 * 255 * 255 < 1 << 32);
        // The largest whole number of a uniform window.
        let places = u64::from(MAX_SIDE * MAX_SIDE);
        assert!(places * places * 2 * 255 * 255 < 1 << 31);
    }

    #[test]
    fn grids_reach_every_invocation_and_fold_where_a_side_ends() {
        assert_eq!(flat_groups(1), [1, 1, 1]);
        assert_eq!(flat_groups(257), [2, 1, 1]);
        assert_eq!(
            flat_groups(u64::from(FLAT_GROUPS * LANES) + 1),
            [FLAT_GROUPS, 2, 1]
        );
        assert_eq!(tile_groups(16, 17, 3), [1, 2, 3]);
    }
}
