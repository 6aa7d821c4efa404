//! Texts as the token ids that CLIP's text half takes.

use tokenizers::Tokenizer;

use crate::pack::TextRule;
use crate::{NeuralError, Tensor};

/// A tokeniser with its rule of length.
#[derive(Debug)]
pub struct Tokens {
    tokenizer: Tokenizer,
    rule: TextRule,
}

impl Tokens {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// [`NeuralError::Text`].
    pub fn read(json: &[u8], rule: &TextRule) -> Result<Self, NeuralError> {
        let mut tokenizer =
            Tokenizer::from_bytes(json).map_err(|error| NeuralError::Text(error.to_string()))?;
        // The rule of the pack decides on lengths, whatever the file says.
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(None)
            .map_err(|error| NeuralError::Text(error.to_string()))?;
        Ok(Self {
            tokenizer,
            rule: rule.clone(),
        })
    }

    /// A text's ids, 1 × `max_tokens`: cut at the end, so that the last token may be lost, or filled up.
    ///
    /// # Errors
    /// [`NeuralError::Text`].
    pub fn ids(&self, text: &str) -> Result<Tensor, NeuralError> {
        let found = self
            .tokenizer
            .encode(text, true)
            .map_err(|error| NeuralError::Text(error.to_string()))?;
        let mut ids: Vec<i64> = found.get_ids().iter().map(|id| i64::from(*id)).collect();
        ids.resize(self.rule.max_tokens, self.rule.pad);
        Ok(Tensor::ids(ids))
    }
}
