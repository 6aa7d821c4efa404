//! The two wire formats that generators are asked in: what is sent where, and how a picture comes back.
//!
//! The shapes are those of the providers' references: OpenAI "Create image" and "Create image edit" (the models of the
//! GPT image family), Gemini "models.generateContent" with `responseModalities`.
//! A form with files is described, not built: the host knows how to write `multipart/form-data`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::error::Error;
use juror_statistics::small::SortSmall;

use super::answer::{count_at, gemini_candidate, gemini_tokens, text_at, value_of, wrong_shape};
use super::chat::gemini_contents;
use super::{Auth, Content, Failure, FailureKind, address, auth, body, sorted, url};
use juror_model::judge::{Params, Wire};

/// How a generator is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum PictureWire {
    /// `images/generations`, and `images/edits` where pictures go along, as OpenAI defined them.
    #[serde(rename = "openai")]
    OpenAi,
    /// Gemini's `generateContent` with pictures in the answer.
    #[serde(rename = "gemini")]
    Gemini,
}

impl PictureWire {
    /// The form in which a judge of the same service is asked, which takes the same kinds of pictures.
    pub fn wire(self) -> Wire {
        match self {
            Self::OpenAi => Wire::OpenAi,
            Self::Gemini => Wire::Gemini,
        }
    }

    /// Keys that the request itself fills; [`Params::extra`] cannot change them.
    fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["model", "prompt", "image", "image[]", "stream", "n"],
            Self::Gemini => Wire::Gemini.own_keys(),
        }
    }

    /// What a parameter would break: those that the request itself fills cannot be set.
    ///
    /// # Errors
    /// The model has no name, or an extra parameter is Juror's own.
    pub fn check(self, params: &Params) -> Result<(), Error> {
        Ok(params.check_against(self.own_keys())?)
    }
}

/// What is sent to a generator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Payload {
    /// One JSON object, the pictures inside it.
    Json(Value),
    /// A form: plain fields, then one file per picture in the order given.
    Form {
        /// Names and values.
        fields: Vec<(String, String)>,
        /// The field that each picture stands in.
        field: &'static str,
    },
}

/// What is sent for one prompt and its pictures, each given as media type and base64 (or a mark in its place).
///
/// Text comes first, then the pictures in their order.
pub fn payload(
    wire: PictureWire,
    params: &Params,
    prompt: &str,
    pictures: &[(&str, &str)],
) -> Payload {
    match wire {
        PictureWire::OpenAi if pictures.is_empty() => {
            let mut body = Map::new();
            body.insert("model".to_owned(), json!(params.model));
            body.insert("prompt".to_owned(), json!(prompt));
            for (key, value) in free(wire, params) {
                body.insert(key.clone(), value.clone());
            }
            Payload::Json(sorted(Value::Object(body)))
        }
        PictureWire::OpenAi => form(params, prompt, pictures.len()),
        PictureWire::Gemini => {
            let mut params = params.clone();
            let modalities = json!(["TEXT", "IMAGE"]);
            params
                .extra
                .entry("responseModalities")
                .or_insert(modalities);
            let images = pictures
                .iter()
                .map(|(media_type, base64)| Content::Image { media_type, base64 });
            let content: Vec<Content<'_>> = std::iter::once(Content::Text(prompt))
                .chain(images)
                .collect();
            Payload::Json(body(Wire::Gemini, &params, None, &content))
        }
    }
}

/// A message to a generator, its parts in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// `user` or `assistant`.
    pub role: &'a str,
    /// Texts and pictures.
    pub parts: Vec<Content<'a>>,
}

/// What is sent for messages whose parts have an order: a service that keeps it is sent them as they are, one that takes a
/// prompt and pictures all texts, each on a line of its own, and the pictures in their order.
pub fn payload_of(wire: PictureWire, params: &Params, messages: &[Message<'_>]) -> Payload {
    let parts = messages.iter().flat_map(|message| &message.parts);
    if wire == PictureWire::OpenAi {
        let (mut texts, mut pictures) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Content::Text(text) => texts.push(*text),
                Content::Image { media_type, base64 } => pictures.push((*media_type, *base64)),
                Content::ImageUrl(_) => {}
            }
        }
        return payload(wire, params, &texts.join("\n"), &pictures);
    }
    // The rest of the body is that of any request.
    let Payload::Json(mut whole) = payload(wire, params, "", &[]) else {
        return Payload::Json(Value::Null);
    };
    let contents = gemini_contents(params, messages);
    if let Some(place) = whole.get_mut("contents") {
        *place = contents;
    }
    Payload::Json(sorted(whole))
}

/// The parameters that the request leaves free, by name: a map may keep the order in which its
/// keys were written, and the same parameters shall give the same bytes.
fn free(wire: PictureWire, params: &Params) -> Vec<(&String, &Value)> {
    let own = wire.own_keys();
    let mut free: Vec<_> = params
        .extra
        .iter()
        .filter(|(key, _)| !own.contains(&key.as_str()))
        .collect();
    free.sort_small_by_key(|(key, _)| *key);
    free
}

fn form(params: &Params, prompt: &str, num_pictures: usize) -> Payload {
    let mut fields = vec![
        ("model".to_owned(), params.model.clone()),
        ("prompt".to_owned(), prompt.to_owned()),
    ];
    fields.extend(
        free(PictureWire::OpenAi, params)
            .into_iter()
            .map(|(key, value)| {
                let value = match value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                (key.clone(), value)
            }),
    );
    // One file is `image`, several are a list, as the provider's own clients write them.
    let field = if num_pictures == 1 {
        "image"
    } else {
        "image[]"
    };
    Payload::Form { fields, field }
}

/// The address that a generator's requests are posted to; bases are written as [`url`] takes them.
///
/// ```
/// use juror_judging::provider::{PictureWire, picture_url};
/// assert_eq!(picture_url(PictureWire::OpenAi, "localhost:8000", "m", 2), "http://localhost:8000/v1/images/edits");
/// assert_eq!(picture_url(PictureWire::OpenAi, "", "m", 0), "https://api.openai.com/v1/images/generations");
/// ```
pub fn picture_url(wire: PictureWire, base: &str, model: &str, num_pictures: usize) -> String {
    match wire {
        PictureWire::OpenAi if num_pictures == 0 => {
            address(Wire::OpenAi, base, "v1", "images/generations")
        }
        PictureWire::OpenAi => address(Wire::OpenAi, base, "v1", "images/edits"),
        PictureWire::Gemini => url(Wire::Gemini, base, model),
    }
}

/// How a key goes into a generator's request.
pub fn picture_auth(wire: PictureWire) -> Auth {
    auth(wire.wire())
}

/// What one call of a generator came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PictureAnswer {
    /// There is a picture.
    Picture {
        /// Its bytes in base64; empty where there is an address instead.
        base64: String,
        /// Where it lies; empty where the bytes came along.
        url: String,
        /// What the generator wrote beside it: a revised prompt, a remark.
        text: String,
        /// Tokens of the request, as counted by the provider.
        #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
        input_tokens: Option<u64>,
        /// Tokens of the answer.
        #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
        output_tokens: Option<u64>,
    },
    /// There is none.
    Failed(Failure),
}

/// Reads what a generator's server sent back: any status, any body.
pub fn read_picture(wire: PictureWire, status: u16, body: &str) -> PictureAnswer {
    let read = value_of(status, body).and_then(|value| match wire {
        PictureWire::OpenAi => openai(&value),
        PictureWire::Gemini => gemini(&value),
    });
    read.unwrap_or_else(PictureAnswer::Failed)
}

fn empty(message: &str) -> Failure {
    Failure::new(FailureKind::Empty, message)
}

fn openai(value: &Value) -> Result<PictureAnswer, Failure> {
    let data = value
        .get("data")
        .and_then(Value::as_array)
        .ok_or_else(|| wrong_shape("data"))?;
    let first = data
        .first()
        .ok_or_else(|| empty("The list of pictures is empty."))?;
    let address = text_at(first, "/url");
    // Some servers write a data URL into either field.
    let inline = match text_at(first, "/b64_json") {
        "" => address,
        base64 => base64,
    };
    let base64 = inline.strip_prefix("data:").map_or_else(
        || text_at(first, "/b64_json"),
        |rest| rest.split_once(";base64,").map_or("", |(_, data)| data),
    );
    if base64.is_empty() && !address.starts_with("http") {
        return Err(empty("The answer holds neither b64_json nor a url."));
    }
    Ok(PictureAnswer::Picture {
        base64: base64.to_owned(),
        url: if base64.is_empty() { address } else { "" }.to_owned(),
        text: text_at(first, "/revised_prompt").to_owned(),
        input_tokens: count_at(value, "/usage/input_tokens"),
        output_tokens: count_at(value, "/usage/output_tokens"),
    })
}

fn gemini(value: &Value) -> Result<PictureAnswer, Failure> {
    let candidate = gemini_candidate(value)?;
    let parts = candidate
        .pointer("/content/parts")
        .and_then(Value::as_array);
    let parts = || {
        parts
            .into_iter()
            .flatten()
            .filter(|part| part.get("thought").and_then(Value::as_bool) != Some(true))
    };
    let texts: String = parts().map(|part| text_at(part, "/text")).collect();
    // Drafts of a model that thinks are marked as thoughts; of several pictures the first is the answer.
    let data = parts()
        .flat_map(|part| ["/inlineData/data", "/inline_data/data"].map(|at| text_at(part, at)))
        .find(|data| !data.is_empty());
    let Some(data) = data else {
        let finish = text_at(candidate, "/finishReason");
        let said = if texts.trim().is_empty() {
            String::new()
        } else {
            format!(" It says: {}", texts.trim())
        };
        let message = format!("The answer holds no picture (it ended with {finish:?}).{said}");
        return Err(empty(&message));
    };
    let [input_tokens, output_tokens] = gemini_tokens(value);
    Ok(PictureAnswer::Picture {
        base64: data.to_owned(),
        url: String::new(),
        text: texts.trim().to_owned(),
        input_tokens,
        output_tokens,
    })
}

#[cfg(test)]
#[expect(clippy::panic, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn params(extra: &Value) -> Params {
        Params {
            model: "gen-1".to_owned(),
            extra: extra.as_object().cloned().unwrap_or_default(),
            ..Params::default()
        }
    }

    fn failure(answer: PictureAnswer) -> Failure {
        match answer {
            PictureAnswer::Failed(failure) => failure,
            other @ PictureAnswer::Picture { .. } => panic!("{other:?}"),
        }
    }

    fn data(answer: PictureAnswer) -> (String, String, String) {
        match answer {
            PictureAnswer::Picture {
                base64, url, text, ..
            } => (base64, url, text),
            PictureAnswer::Failed(failure) => panic!("{failure:?}"),
        }
    }

    #[test]
    fn pictures_go_to_openai_as_files_of_a_form_and_without_pictures_as_json() {
        let given = [("image/png", "@1@"), ("image/jpeg", "@2@")];
        let extra = json!({"quality": "high", "output_compression": 90, "prompt": "not mine"});
        let Payload::Form { fields, field } =
            payload(PictureWire::OpenAi, &params(&extra), "A cat.", &given)
        else {
            panic!("a form is expected")
        };
        let fields: Vec<_> = fields.iter().map(|(a, b)| (&**a, &**b)).collect();
        let expected = [
            ("model", "gen-1"),
            ("prompt", "A cat."),
            ("output_compression", "90"),
            ("quality", "high"),
        ];
        assert_eq!(fields, expected);
        assert_eq!(field, "image[]");
        let one = payload(PictureWire::OpenAi, &params(&extra), "A cat.", &given[..1]);
        assert!(matches!(one, Payload::Form { field: "image", .. }));
        let none = payload(
            PictureWire::OpenAi,
            &params(&json!({"size": "1024x1024"})),
            "A",
            &[],
        );
        let expected = json!({"model": "gen-1", "prompt": "A", "size": "1024x1024"});
        assert_eq!(none, Payload::Json(expected));
    }

    #[test]
    fn gemini_is_asked_for_pictures_with_the_text_first() {
        let given = [("image/png", "@1@"), ("image/webp", "@2@")];
        let asked = payload(
            PictureWire::Gemini,
            &params(&json!({"seed": 4})),
            "A cat.",
            &given,
        );
        let expected = json!({
            "contents": [{"role": "user", "parts": [
                {"text": "A cat."},
                {"inlineData": {"mimeType": "image/png", "data": "@1@"}},
                {"inlineData": {"mimeType": "image/webp", "data": "@2@"}},
            ]}],
            "generationConfig": {"responseModalities": ["TEXT", "IMAGE"], "seed": 4},
        });
        assert_eq!(asked, Payload::Json(expected));
        let only = params(&json!({"responseModalities": ["IMAGE"]}));
        let Payload::Json(body) = payload(PictureWire::Gemini, &only, "A", &[]) else {
            panic!("JSON is expected")
        };
        assert_eq!(
            body.pointer("/generationConfig/responseModalities"),
            Some(&json!(["IMAGE"]))
        );
    }

    #[test]
    fn messages_keep_their_order_for_gemini_and_are_a_prompt_with_pictures_for_openai() {
        let image = |base64| Content::Image {
            media_type: "image/png",
            base64,
        };
        let messages = [
            Message {
                role: "user",
                parts: vec![Content::Text("A"), image("@1@"), Content::Text("B")],
            },
            Message {
                role: "assistant",
                parts: vec![image("@2@")],
            },
        ];
        let Payload::Json(asked) = payload_of(PictureWire::Gemini, &params(&json!({})), &messages)
        else {
            panic!("JSON is expected")
        };
        let inline = |data| json!({"inlineData": {"mimeType": "image/png", "data": data}});
        let expected = json!({
            "contents": [
                {"role": "user", "parts": [{"text": "A"}, inline("@1@"), {"text": "B"}]},
                {"role": "model", "parts": [inline("@2@")]},
            ],
            "generationConfig": {"responseModalities": ["TEXT", "IMAGE"]},
        });
        assert_eq!(asked, expected);
        let form = payload_of(PictureWire::OpenAi, &params(&json!({})), &messages);
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = Payload::Form {
            fields: vec![field("model", "gen-1"), field("prompt", "A\nB")],
            field: "image[]",
        };
        assert_eq!(form, expected);
        let other = payload_of(PictureWire::OpenAi, &params(&json!({})), &messages[1..]);
        assert_ne!(form, other);
    }

    #[test]
    fn a_picture_comes_in_the_answer_or_as_an_address() {
        let read = |body: Value| read_picture(PictureWire::OpenAi, 200, &body.to_string());
        let inside = read(
            json!({"data": [{"b64_json": "QUJD", "revised_prompt": "A grey cat."}],
            "usage": {"input_tokens": 5, "output_tokens": 7}}),
        );
        let PictureAnswer::Picture {
            input_tokens,
            output_tokens,
            ..
        } = &inside
        else {
            panic!("{inside:?}")
        };
        assert_eq!((*input_tokens, *output_tokens), (Some(5), Some(7)));
        let text = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(data(inside), text("QUJD", "", "A grey cat."));
        let outside = read(json!({"data": [{"url": "https://files.example/a.png"}]}));
        assert_eq!(data(outside), text("", "https://files.example/a.png", ""));
        let written = read(json!({"data": [{"url": "data:image/png;base64,QUJD"}]}));
        assert_eq!(data(written), text("QUJD", "", ""));
        for (body, kind) in [
            (json!({"data": []}), FailureKind::Empty),
            (
                json!({"data": [{"url": "file:///etc/passwd"}]}),
                FailureKind::Empty,
            ),
            (json!({"choices": []}), FailureKind::NotJson),
            (
                json!({"error": {"code": "moderation_blocked", "message": "No."}}),
                FailureKind::ContentFilter,
            ),
        ] {
            assert_eq!(failure(read(body.clone())).kind, kind, "{body}");
        }
    }

    #[test]
    fn of_geminis_parts_the_first_picture_that_is_no_thought_counts() {
        let read = |parts: Value, finish: &str| {
            let body = json!({"candidates": [{"content": {"parts": parts}, "finishReason": finish}],
                "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1290}});
            read_picture(PictureWire::Gemini, 200, &body.to_string())
        };
        let image = |data: &str| json!({"inlineData": {"mimeType": "image/png", "data": data}});
        let draft =
            json!({"thought": true, "inlineData": {"mimeType": "image/png", "data": "RFJG"}});
        let parts = json!([draft, {"text": "Here. "}, image("QUJD"), image("REVG")]);
        let (base64, _, text) = data(read(parts, "STOP"));
        assert_eq!((&*base64, &*text), ("QUJD", "Here."));
        let none = failure(read(json!([{"text": "I cannot."}]), "NO_IMAGE"));
        assert_eq!(none.kind, FailureKind::Empty);
        assert!(none.message.contains("NO_IMAGE") && none.message.ends_with("It says: I cannot."));
        let stopped = failure(read(json!([]), "IMAGE_SAFETY"));
        assert_eq!(stopped.kind, FailureKind::ContentFilter);
    }

    #[test]
    fn what_the_request_fills_is_no_extra_parameter() {
        let wire = PictureWire::OpenAi;
        assert_eq!(wire.check(&params(&json!({"size": "auto"}))), Ok(()));
        for key in ["prompt", "image[]", "n", "model"] {
            assert!(wire.check(&params(&json!({key: 2}))).is_err(), "{key}");
        }
        assert!(wire.check(&Params::default()).is_err());
    }
}
