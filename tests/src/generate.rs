//! Benchmarks made up for tests and timings: the same files for the same arguments, everywhere.
//!
//! Nothing here touches a file: what is made is text and bytes, and the caller puts them where it wants them.

use std::fmt::Write as _;

use juror_model::host::FileMeta;
use juror_session::{Probe, Probed, Session};
use juror_statistics::random::SplitMix64;
use serde_json::{Value, json};

/// A file by path and content.
pub type File = (String, Vec<u8>);

/// Nothing is decoded: content that begins with `bad` is a picture that cannot be read, any other is one of 8 × 8 pixels.
pub const PROBE: Probe = |head, _| {
    if head.starts_with(b"bad") {
        return Probed::Bad {
            message: "It is not a picture.".to_owned(),
            hint: String::new(),
        };
    }
    Probed::Picture {
        width: 8,
        height: 8,
    }
};

/// A session over files in memory, loaded to the end; pictures are taken for what [`PROBE`] takes them.
pub fn open(files: &[File]) -> Session {
    read(Session::new(PROBE), files)
}

/// The files as a source lists them.
pub fn metas(files: &[File]) -> Vec<FileMeta> {
    let size = |bytes: &[u8]| u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let listed = files.iter().map(|(path, bytes)| FileMeta {
        path: path.clone(),
        size: Some(size(bytes)),
    });
    listed.collect()
}

/// A session without files, with these loaded to the end.
pub fn read(mut session: Session, files: &[File]) -> Session {
    session.add_files(&metas(files));
    loop {
        let wants = session.wants(usize::MAX);
        if wants.is_empty() {
            return session;
        }
        for want in wants {
            session.provide(want.file, files[want.file as usize].1.clone());
        }
    }
}

/// A seeded stream of numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number from 0 to `end` − 1; 0 where `end` is 0.
    ///
    /// The remainder's bias is below 2⁻³² for the small ends used here.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.bits() % end).unwrap_or(0)
    }
}

/// A PNG of one pixel of this grey: 70 bytes, uncompressed, with sound checksums.
pub fn tiny_png(grey: u8) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut png, *b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    // One stored block of two bytes, filter 0 and the sample, behind zlib's header and before its Adler-32.
    let a = 1 + u32::from(grey);
    let adler = ((1 + a) << 16) | a;
    let mut data = vec![0x78, 0x01, 0x01, 0x02, 0x00, 0xfd, 0xff, 0x00, grey];
    data.extend(adler.to_be_bytes());
    chunk(&mut png, *b"IDAT", &data);
    chunk(&mut png, *b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    png.extend(u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend(data);
    let crc = png[start..].iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 {
                (crc >> 1) ^ 0xEDB8_8320
            } else {
                crc >> 1
            }
        })
    });
    png.extend((!crc).to_be_bytes());
}

/// The sixteen domains of the paper.
pub const DOMAINS: [&str; 16] = [
    "optics",
    "geography",
    "astronomy",
    "chemistry",
    "physics",
    "biology",
    "edit",
    "recall",
    "fusion",
    "story",
    "spatial",
    "mathematics",
    "chess_game",
    "visual_jigsaw",
    "minecraft",
    "maze",
];

/// One made-up dialogue: its first picture is given, each picture turn asks for the next one, text turns come last.
#[derive(Clone, Copy, Debug)]
pub struct Dialogue {
    /// The `idx`.
    pub idx: usize,
    /// Turns that ask for a picture.
    pub num_pictures: usize,
    /// Turns that ask for a text.
    pub num_texts: usize,
}

impl Dialogue {
    /// The domain: they follow one another.
    pub fn domain(&self) -> &'static str {
        DOMAINS[self.idx % DOMAINS.len()]
    }

    /// Name of picture `number`, from 1.
    pub fn picture(&self, number: usize) -> String {
        format!("d{}_{number}.png", self.idx)
    }

    /// Name of the file with the answer of text turn `turn`.
    pub fn answer(&self, turn: usize) -> String {
        format!("d{}_1_{turn}.txt", self.idx)
    }

    /// The item of `test.json`.
    pub fn item(&self) -> Value {
        let images: Vec<String> = (1..=self.num_pictures + 1)
            .map(|number| format!("imgs/{}", self.picture(number)))
            .collect();
        let mut chats = Vec::new();
        for number in 1..=self.num_pictures {
            chats.push(json!({"role": "user", "type": "text", "content": format!("Change Image #{number} by one step.")}));
            let key_point =
                json!({format!("GT #{}", number + 1): "The step was made as in <image>."});
            let content = format!("Image #{}", number + 1);
            chats.push(json!({"role": "assistant", "type": "image", "content": content, "key_point": key_point}));
        }
        for turn in 0..self.num_texts {
            chats.push(json!({"role": "user", "type": "text", "content": format!("Question {turn} about Image #1?")}));
            chats.push(json!({"role": "assistant", "type": "text", "content": "The standard answer.", "key_point": null}));
        }
        json!({"idx": self.idx, "domain": self.domain(), "images": images, "chats": chats})
    }

    /// The line of `metrics.jsonl`, with a line end, and reasons of about `reason_len` bytes.
    pub fn line(&self, random: &mut Random, reason_len: usize) -> String {
        let mut line = format!("{{\"idx\": {}, \"domain\": \"{}\"", self.idx, self.domain());
        for turn in 0..self.num_pictures + self.num_texts {
            let criteria: &[&str] = if turn < self.num_pictures {
                &["key_point", "visual_consistency", "image_quality"]
            } else {
                &["accuracy"]
            };
            let _ = write!(line, ", \"turn {turn}\": {{");
            for (at, criterion) in criteria.iter().enumerate() {
                let score = if *criterion == "accuracy" {
                    [0, 5, 10][random.below(3)]
                } else {
                    random.below(11)
                };
                let separator = if at > 0 { ", " } else { "" };
                let reason = reason(random, reason_len);
                let _ = write!(
                    line,
                    "{separator}\"{criterion}\": {{\"score\": {score}, \"reasoning\": \"{reason}\"}}"
                );
            }
            line.push('}');
        }
        line + "}\n"
    }
}

/// Words that make up a judge's reason; escapes stand where real reasons have them.
const WORDS: [&str; 16] = [
    "the",
    "picture",
    "keeps",
    "its",
    "shape",
    "but",
    "colour",
    "\\\"red\\\"",
    "is",
    "missing",
    "from",
    "left",
    "side;",
    "overall",
    "good.\\n",
    "na\\u00efve",
];

fn reason(random: &mut Random, len: usize) -> String {
    let mut text = String::with_capacity(len + 12);
    while text.len() < len {
        // Quotes, line ends and accents are rare in real reasons: one word in sixteen may have one.
        let escaped = random.below(16) == 0;
        text.push_str(WORDS[random.below(if escaped { WORDS.len() } else { 7 })]);
        text.push(' ');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_line_and_another_seed_another() {
        let dialogue = Dialogue {
            idx: 3,
            num_pictures: 1,
            num_texts: 1,
        };
        let line = |seed| dialogue.line(&mut Random::new(seed), 40);
        assert_eq!(line(1), line(1));
        assert_ne!(line(1), line(2));
        let value: Value = serde_json::from_str(&line(1)).expect("a line is JSON");
        assert_eq!(value["domain"], "chemistry");
        assert!(value["turn 0"]["image_quality"]["score"].is_u64());
        assert!(value["turn 1"]["accuracy"]["score"].is_u64());
    }

    #[test]
    fn the_tiny_png_decodes_to_its_grey_and_a_wrong_checksum_does_not() {
        let limits = juror_image::Limits::default();
        let mut png = tiny_png(200);
        assert_eq!(png.len(), 70);
        let image = juror_image::decode_rgb(&png, &limits).expect("the picture is sound");
        assert_eq!(
            (image.width, image.height, image.data),
            (1, 1, vec![200; 3])
        );
        let at = png.len() - 1;
        png[at] ^= 1;
        png[33 + 12] ^= 1;
        assert!(juror_image::decode_rgb(&png, &limits).is_err());
    }
}
