//! What Pillow makes of small pictures that are formulas: resampled ones and layers.

use juror_image::{Filter, Rgb, Rgba};

/// (37 x + 91 y + 53 c + 11 x y (c + 1) + shift) mod 256, row by row.
fn samples<const CHANNELS: u32>(width: u32, height: u32, shift: u32) -> Vec<u8> {
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let samples = rows.flat_map(|(x, y)| {
        (0..CHANNELS).map(move |c| 37 * x + 91 * y + 53 * c + 11 * x * y * (c + 1) + shift)
    });
    samples
        .map(|v| u8::try_from(v % 256).expect("a byte"))
        .collect()
}

/// A small picture whose bytes are a formula: (37 x + 91 y + 53 c + 11 x y (c + 1)) mod 256.
pub fn formula(width: u32, height: u32) -> Rgb {
    let data = samples::<3>(width, height, 0);
    Rgb {
        width,
        height,
        data,
    }
}

/// Filter, size, size wanted, and the bytes in hexadecimal digits.
pub type Vector = (Filter, (u32, u32), (u32, u32), &'static str);

/// `Image.frombytes("RGB", from, formula).resize(to, filter).tobytes().hex()` with Pillow 12.3.0.
pub const PILLOW: &[Vector] = &[
    (
        Filter::Bilinear,
        (7, 5),
        (4, 3),
        "3d6f777e658e7ca4b99ea048959459867186847e8176a960666c7f6f575d717a725b6d79",
    ),
    (
        Filter::Bicubic,
        (7, 5),
        (4, 3),
        "3870768162917ba7c49fa33e9998528c6e86857b7d74b05e646c8070565c737a6f586979",
    ),
    (
        Filter::Lanczos,
        (7, 5),
        (4, 3),
        "397275835f947ba7c99aa639989951946d83857a7772b2615f6a7e72585f72796c596678",
    ),
    (
        Filter::Lanczos,
        (7, 5),
        (11, 9),
        "002d53053274204da93381c240a4c95cb5de8dbdffb4eccec9ff30dd5e22e8004f103d951b647a3d845f64617a8c56a19c7dcb79a2fc65d5c688eb2fb98e29d1445a4771db57af797ec106a3372de20070e840a06175e90b9cb640bb2d7bd43793de719cdf8bc4c35fd682418e427e8c598bb3817b7250c75b3ea9858c2a57e74623ff88aaff19e19f3ce73498595ff223c8b867de5589699fc326a1e772286bbc5103d7994d8935738d2296774a7343d0866f97afc90f70bd766e7c9bbf61279f965b6bc6aa0a369d277a4b5ea306813c61c51262df68246cdb791bc3814e4724996f6bbdbbc13c81d16f659c934f474f6e2b4c4c5c8d2a9a9d98a25d9d5a15221e48547c86a6d86ec8e2b25bcec40c822b921b0087624b10eabf60c19b724503101a0f4c844e9ce2",
    ),
    (
        Filter::Bilinear,
        (5, 8),
        (9, 2),
        "5a8f7b6a886e857b5a7b6771695194896d899c85887a88ab668ac06ca18d768795865ba186589d825e9692747a9a8962829a5a73a455",
    ),
    (
        Filter::Bicubic,
        (5, 8),
        (9, 2),
        "538d7c66896b867f4f7a656a6850938c6b89a08687788ab3608acc6ca98e778c988a56a7884fa3825f959573789d895d809e5270a54d",
    ),
    (
        Filter::Lanczos,
        (5, 8),
        (9, 2),
        "508b7e668b6783814d7661686650918c6689a0858b7b8ab65c88d26cae8d7a8d988d58a68946a3815f969773779d8b59829f4c6da24b",
    ),
    (Filter::Bilinear, (3, 3), (1, 1), "767773"),
    (Filter::Bicubic, (3, 3), (1, 1), "737677"),
    (Filter::Lanczos, (3, 3), (1, 1), "737678"),
    (
        Filter::Bilinear,
        (6, 1),
        (2, 4),
        "2e63988bc0b52e63988bc0b52e63988bc0b52e63988bc0b5",
    ),
    (
        Filter::Bicubic,
        (6, 1),
        (2, 4),
        "2a5f9b8fc4b22a5f9b8fc4b22a5f9b8fc4b22a5f9b8fc4b2",
    ),
    (
        Filter::Lanczos,
        (6, 1),
        (2, 4),
        "275c9e92c7b3275c9e92c7b3275c9e92c7b3275c9e92c7b3",
    ),
];

/// A small picture with alpha whose bytes are the formula above over four channels, moved on by `shift`.
pub fn formula_rgba(width: u32, height: u32, shift: u32) -> Rgba {
    let data = samples::<4>(width, height, shift);
    Rgba {
        width,
        height,
        data,
    }
}

/// Size, size wanted, the bytes of the resampled layer, and of it laid over a picture.
pub type RgbaVector = ((u32, u32), (u32, u32), &'static str, &'static str);

/// `Image.resize(to, BICUBIC)` of the formula in RGBA with Pillow 12.3.0, and that laid over the formula shifted by 19.
pub const PILLOW_RGBA: &[RgbaVector] = &[
    (
        (7, 5),
        (4, 3),
        "336b8cb2805591a79e8da54a94ae458b9b7c728fa776747d9285618d8ba14fa16c416a75636b4f837e6f66777a685964",
        "2c6389e86a5c96f17091bdfd92af559a997d7695a5935cada75e62db8ba14fa18a7e58ad375e71f26b7e47ab7ab762ec",
    ),
    (
        (7, 5),
        (11, 9),
        "00225794083b73ac255b96d23f7cb2fa408ebe9e0005020099ffff14abe5b73dc3ff2c51e14b3069ee004478245793bd215e87ad2f6c7da0576796d27d5ca0ade43ea54dab7afa3468d5af3d80e22761a5963f89b66e58a2578dccff559ca4ae77b90d4da5214389cf1c74c5ee3a99ddac50c56f00ab974041bb23806edc4dbf82eb69e676b6b0b3a1988ca1e7605c81b0236b72a74f7ba7b47f80f09468a97a6b5e864e999924a178d447a75eff739dabff0d4ce2745f90ec398bcf8856d46736d0997466de55cc75978771cc3a7c60df7c24c3a39b3d8000e4a23a316e598b746b5491bd685a848e70ff228cc76345a5b923ba7db7686e70736e719c5a23f09b7c55b896bfbb750b3e82ac255e5a8d5ba30b560ec60012dd64103de06d1ba78db8636c389c6675654621e98e725fc8c0bbba98094b8d3686317872a63669b83980338f2e7846858d3292929978946e7497615e4337256e6d5d574fbfbac43400030000da0f9063b71f7ef23c7b38d80a7f53ae510de4879e57b06fac8f5f50000c2b290000000a00000000",
        "062f64df164981f22f659ffe3f7cb2fb4f99a5b9cc01366be5427099447a91c76ba27ae695778bffe0195b8b255894c0347177cb5d5476e1576796d27363aac7949163be941e97f58f91b871b6b018bd6aa446f3ab7c5fb6578dccff3d85a1f75dad0791937a53f0cd207ddaee448efa857db9a049572ede58ae34a885db69f27fe568ed629fa8ed96a075c9e35c618bd2564adb946c84cbb47f80f1ab90b2da40466892979928a581de4be576e187c1a1ef3d61da5875facd4b7ff57e42dcc567c295b261d253da73989281bf2a83f6b58227f2876a78cd65b58f91615353c2637a41c6b05881bfd7b3b88d668a68a0a5c126dc4ca23fb6694e92b89d5c26f8857156dc88c484bc174b8af1255e5a8d44aa27745a764f67d52e35a4b28122e597883fee3592607d654826ee95706cdf9a87bfd5407db95b52524bbd993953f7536d30a83d913ccba6526cf781697e9592cc57c22f8243fa7c6a5d86385e89bbeb20558ad0238f6cb8247ffa3d7c3bdc3a7d42e05214d197b93d8dce94ab6d6fa6a09ebe4384c53fcd7217bc",
    ),
    (
        (9, 4),
        (5, 6),
        "11477eba3a7db79cd2ffac22b2414174154880bd32718eb1914b8ba394949a4f83a648905a55a28d759b98a1d32f6aa58d71878267de55a5d05fee5dd974728e808d8f97a48d6087818a6e866337d96e84655f8390a767638d894792966e699a5f56b6900e62587ff191003a77813d9a9d7460b46e6fa4a9",
        "11477eea3977b0ef6da1c3fcac515886225576cf337290b5936478c5b74a79c883a648905161b2b185ae85c78f3a7af6787e63b26de45bf4c654e297956a7de47b9974c3a5866491b08c51e05579caa9836d6d92b66081f8659743e78c5b8cd8796babc2504752bc7d9c09987d6f62cbab826bd8676b99d3",
    ),
];

/// The SHA-256 of [`alphas`] laid over each other by Pillow 12.3.0.
pub const PILLOW_ALPHAS: &str = "8c9d1f89d7005b41e97cd628107bc50d755f2456e400d96d5332af98f262645e";

/// Bottom and top layer with all 65,536 pairs of alpha, and colours that change from pair to pair.
pub fn alphas() -> [Rgba; 2] {
    let (mut top, mut bottom) = (Vec::new(), Vec::new());
    for a in 0..=255_u8 {
        for b in 0..=255_u8 {
            let sum = |x: u8, times_x: u8, y: u8, times_y: u8| {
                x.wrapping_mul(times_x)
                    .wrapping_add(y.wrapping_mul(times_y))
            };
            top.extend([sum(a, 7, b, 3), a.wrapping_mul(b), 255 - a, a]);
            bottom.extend([sum(a, 1, b, 5), b, a ^ b, b]);
        }
    }
    let picture = |data| Rgba {
        width: 256,
        height: 256,
        data,
    };
    [bottom, top].map(picture)
}
