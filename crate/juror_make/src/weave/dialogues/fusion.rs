//! Fusion: pictures become one; before that the dialogue brings each of them back from an edit.

use super::plan::{REST, Step, step, text};
use super::scenes::Category;
use super::{Original, Whole, Work, labelled, original, step_parts};
use crate::draws::{Draws, Numbers as _};
use crate::picture::Picture;
use crate::reply::object;
use crate::weave::{mentions, renumbered};
use crate::{Error, PromptPart};

/// Edits of an original.
const EDITS: [&str; 5] = [
    "add an object",
    "remove an object",
    "replace an object by another one",
    "change the colour of an object",
    "change the background",
];
/// Pictures of a fusion, at least; one more at most.
const MIN_ORIGINALS: usize = 2;

/// Two or three scenes, each other than the ones before where there are more, with an edit each.
pub(super) fn originals(draws: &mut Draws, open: &[&Category]) -> Vec<Original> {
    let mut scenes: Vec<&str> = open.iter().flat_map(|one| one.scenes).collect();
    draws.shuffle(&mut scenes);
    let count = MIN_ORIGINALS + draws.below(2);
    let scenes = scenes.into_iter().take(count);
    let originals = scenes.map(|scene| Original {
        scene: scene.to_owned(),
        edit: draws.choose(&EDITS).copied().unwrap_or_default().to_owned(),
    });
    originals.collect()
}

/// Texts under these keys, none of which names a picture by number.
fn texts<const N: usize>(reply: &str, keys: [&str; N]) -> Result<[String; N], Error> {
    let object = object(reply)?;
    let mut found = [const { String::new() }; N];
    for (key, found) in keys.iter().zip(&mut found) {
        *found = text(&object, key)?;
        if !mentions(found).is_empty() {
            return Err(Error::reply(format!(
                "“{key}” names a picture by number; there is only one."
            )));
        }
    }
    Ok(found)
}

/// The fusion of so many pictures.
fn read_fusion(reply: &str, count: usize) -> Result<Step, Error> {
    let fusion = step(&object(reply)?, 1, count)?;
    if fusion.uses.len() != count {
        return Err(Error::reply(format!(
            "The instruction has to name each of the {count} pictures as Image #k."
        )));
    }
    Ok(fusion)
}

impl Work<'_> {
    /// Follows a fusion as far as replies and decisions reach.
    pub(super) fn fused(&mut self) -> Result<Whole, super::Halt> {
        let (mut originals, mut captions) = (Vec::new(), Vec::new());
        for (n, one) in (1..).zip(&self.item.originals) {
            let picture = self.picture(&format!("original{n}"), 1, &original(&one.scene))?;
            let ask = "Describe this picture in one sentence.\n\nAnswer with one JSON object only: {\"caption\": TEXT}";
            let parts = [PromptPart::text(ask), picture.part()];
            let [caption] = self.text(&format!("caption{n}"), &parts, |reply| {
                texts(reply, ["caption"])
            })?;
            captions.push(format!("Image #{n}: {caption}"));
            originals.push(picture);
        }
        let mut parts = labelled(&originals);
        parts.push(PromptPart::text(format!(
            "Write an instruction of the user that makes one new picture with something from each of these pictures, which it names as Image #k. The requirement is one sentence about what is visible in the new picture; it names no picture by number.\n\n{}\n\nAnswer with one JSON object only: {{\"instruction\": TEXT, \"requirement\": TEXT}}",
            captions.join("\n")
        )));
        let mut fusion = self.text("fusion", &parts, |reply| {
            read_fusion(reply, originals.len())
        })?;
        self.has_plan = true;
        let fused = self.picture("fused", 1, &step_parts(&fusion, &originals))?;
        let (mut images, mut steps) = (Vec::new(), Vec::new());
        for (n, picture) in (1..).zip(originals) {
            let (edited, step) = self.brought_back(n, &picture)?;
            images.extend([edited, picture]);
            steps.push(step);
        }
        // Each original comes behind its edited picture.
        fusion.instruction = renumbered(&fusion.instruction, "Image #", |k| Some(2 * k));
        fusion.uses = fusion.uses.iter().map(|k| 2 * k).collect();
        let kept = fusion.uses.iter();
        fusion.kept = kept
            .map(|k| {
                (
                    *k,
                    "The part that comes from <image> can be recognised.".to_owned(),
                )
            })
            .collect();
        images.push(fused);
        let mut made: Vec<usize> = fusion.uses.clone();
        made.push(images.len());
        steps.push(fusion);
        Ok(Whole {
            made,
            images,
            steps,
            question: None,
        })
    }

    /// An edited picture of original `n`, and the step that brings the original back.
    fn brought_back(
        &mut self,
        n: usize,
        picture: &Picture,
    ) -> Result<(Picture, Step), super::Halt> {
        let edit = self.item.originals.get(n - 1);
        let edit = edit.map_or("", |one| one.edit.as_str());
        let ask = format!(
            "Write an instruction that edits this picture: {edit}. It names the object, and no picture by number.\n\nAnswer with one JSON object only: {{\"instruction\": TEXT}}"
        );
        let parts = [PromptPart::text(ask), picture.part()];
        let [instruction] = self.text(&format!("edit{n}"), &parts, |reply| {
            texts(reply, ["instruction"])
        })?;
        let parts = [PromptPart::text(&instruction), picture.part()];
        let edited = self.picture(&format!("edited{n}"), 1, &parts)?;
        let ask = format!(
            "The second picture was made from the first one by this edit: {instruction}\nWrite the reverse instruction, which makes the first picture of the second one, and one sentence that describes the first picture. Neither names a picture by number.\n\nAnswer with one JSON object only: {{\"reverse\": TEXT, \"caption\": TEXT}}"
        );
        let parts = [PromptPart::text(ask), picture.part(), edited.part()];
        let [reverse, caption] = self.text(&format!("reverse{n}"), &parts, |reply| {
            texts(reply, ["reverse", "caption"])
        })?;
        let from = 2 * n - 1;
        let step = Step {
            instruction: format!("Image #{from} {reverse}"),
            requirement: caption,
            uses: vec![from],
            kept: vec![(from, REST.to_owned())],
        };
        Ok((edited, step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fusion_names_every_picture_and_an_edit_names_none() {
        let reply = "{\"instruction\": \"Put Image #1 on Image #2.\", \"requirement\": \"Both.\"}";
        assert!(read_fusion(reply, 2).is_ok());
        assert!(read_fusion(reply, 3).is_err());
        assert!(read_fusion(reply, 1).is_err());
        assert!(texts("{\"caption\": \"A dog.\"}", ["caption"]).is_ok());
        assert!(texts(reply, ["instruction"]).is_err());
    }
}
