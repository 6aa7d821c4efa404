//! What a generator is given for a turn, with the bytes of its pictures: the request that `juror inputs` writes.

use std::sync::Arc;

use juror_judging::base64;
use juror_judging::generating::{HashedPart, request_hash};
use juror_judging::provider::{
    Content, Message, Payload, PictureWire, chat_of, check_picture_size, check_size, media_type_of,
    payload_of,
};
use juror_model::judge::Params;
use juror_model::prompt::sha256;
use juror_session::input_folder::{RequestedPart, generator_request};
use juror_session::view::InputView;
use serde_json::Value;

use crate::host::Host;
use crate::sending::call::Posted;
use crate::{batch, inputs};
use juror_session::generating::OutputKind;

/// The messages of a request.
pub(super) struct Given(Vec<(String, Vec<MessagePart>)>);

enum MessagePart {
    Text(String),
    Picture {
        media_type: &'static str,
        bytes: Arc<[u8]>,
    },
}

impl Given {
    /// The request of an input.
    ///
    /// # Errors
    /// There is none, or one of its pictures cannot be read or sent.
    pub(super) fn of(
        host: &Host,
        (wire, kind): (PictureWire, OutputKind),
        input: &InputView,
    ) -> anyhow::Result<Self> {
        let request = generator_request(&host.session, input)?;
        let mut pictures = Vec::new();
        for picture in &request.pictures {
            let bytes = inputs::made(host, picture)?;
            let found = juror_image::media_type(&bytes);
            let media_type = found.unwrap_or_else(|| media_type_of(&picture.place));
            let fitted = batch::fitted(wire.wire(), (bytes, media_type), &picture.path)?;
            let ((bytes, media_type), _) = fitted;
            pictures.push((media_type, Arc::<[u8]>::from(bytes)));
        }
        let part = |part: RequestedPart| match part {
            RequestedPart::Text(text) => MessagePart::Text(text),
            RequestedPart::Picture(at) => {
                let (media_type, bytes) = &pictures[at];
                MessagePart::Picture {
                    media_type,
                    bytes: Arc::clone(bytes),
                }
            }
        };
        let messages = request.messages.into_iter();
        let messages = messages
            .map(|(role, parts)| (role, parts.into_iter().map(part).collect()))
            .collect();
        let given = Self(messages);
        let sizes: Vec<u64> = (given.pictures())
            .map(|(_, bytes)| bytes.len() as u64)
            .collect();
        match kind {
            OutputKind::Picture => check_picture_size(wire, &sizes)?,
            OutputKind::Text => check_size(wire.wire(), &sizes)?,
        }
        Ok(given)
    }

    /// The pictures in their order.
    pub(super) fn pictures(&self) -> impl Iterator<Item = (&'static str, &Arc<[u8]>)> {
        let parts = self.0.iter().flat_map(|(_, parts)| parts);
        parts.filter_map(|part| match part {
            MessagePart::Text(_) => None,
            MessagePart::Picture { media_type, bytes } => Some((*media_type, bytes)),
        })
    }

    /// The hash by which the request is known.
    pub(super) fn hash(&self, wire: PictureWire, params: &Params) -> String {
        let hashed = |part: &MessagePart| match part {
            MessagePart::Text(text) => HashedPart::Text(text.clone()),
            MessagePart::Picture { bytes, .. } => HashedPart::Picture(sha256(bytes)),
        };
        let messages = self.0.iter();
        let messages: Vec<(String, Vec<HashedPart>)> = messages
            .map(|(role, parts)| (role.clone(), parts.iter().map(hashed).collect()))
            .collect();
        request_hash(wire, params, &messages)
    }

    /// What is posted for a picture.
    pub(super) fn body(&self, wire: PictureWire, params: &Params) -> Posted {
        // A form has the bytes as they are.
        let text = |bytes: &[u8]| match wire {
            PictureWire::OpenAi => String::new(),
            PictureWire::Gemini => base64(bytes),
        };
        match self.with_messages(text, |messages| payload_of(wire, params, messages)) {
            Payload::Json(body) => Posted::Json(body.to_string()),
            Payload::Form { fields, field } => Posted::Form {
                fields,
                field: field.to_owned(),
                files: self
                    .pictures()
                    .map(|(media_type, bytes)| (media_type, Arc::clone(bytes)))
                    .collect(),
            },
        }
    }

    /// What a batch file has of it; `None` where it takes a form.
    pub(super) fn json(
        &self,
        wire: PictureWire,
        params: &Params,
        kind: OutputKind,
    ) -> Option<Value> {
        if kind == OutputKind::Text {
            let chat = |messages: &[Message<'_>]| chat_of(wire.wire(), params, messages);
            return Some(self.with_messages(base64, chat));
        }
        let payload = |messages: &[Message<'_>]| payload_of(wire, params, messages);
        match self.with_messages(base64, payload) {
            Payload::Json(body) => Some(body),
            Payload::Form { .. } => None,
        }
    }

    /// What is posted for a text.
    pub(super) fn chat(&self, wire: PictureWire, params: &Params) -> String {
        let chat = |messages: &[Message<'_>]| chat_of(wire.wire(), params, messages);
        self.with_messages(base64, chat).to_string()
    }

    /// The same without the bytes of pictures.
    pub(super) fn words(&self, wire: PictureWire, params: &Params) -> String {
        let chat = |messages: &[Message<'_>]| chat_of(wire.wire(), params, messages);
        self.with_messages(|_| String::new(), chat).to_string()
    }

    /// Makes something of the messages, whose pictures are given as text in this way.
    fn with_messages<T>(
        &self,
        text: impl Fn(&[u8]) -> String,
        make: impl FnOnce(&[Message<'_>]) -> T,
    ) -> T {
        let texts: Vec<String> = self.pictures().map(|(_, bytes)| text(bytes)).collect();
        let mut texts = texts.iter();
        let messages: Vec<Message<'_>> = (self.0.iter())
            .map(|(role, parts)| Message {
                role,
                parts: (parts.iter())
                    .map(|part| match part {
                        MessagePart::Text(text) => Content::Text(text),
                        MessagePart::Picture { media_type, .. } => Content::Image {
                            media_type,
                            base64: texts.next().map_or("", String::as_str),
                        },
                    })
                    .collect(),
            })
            .collect();
        make(&messages)
    }
}
