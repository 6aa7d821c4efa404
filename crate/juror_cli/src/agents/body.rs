//! The body of a call with its pictures in it, each said to be what its bytes are: as the page sends it.

use std::sync::Arc;

use anyhow::Context as _;
use juror_agents::{AgentBody, AgentKey, AgentServices, Kind};
use juror_judging::base64;
use juror_judging::provider::{check_picture_size, check_size, media_type_of};

use super::folder::Folder;
use crate::host::Host;
use crate::judge::with_pictures;
use crate::sending::call::Posted;

/// The call that a trajectory waits for, its references known by their content; `None` where it waits for none.
///
/// # Errors
/// There is no such sample, or a reference is not among the files.
pub(super) fn due(
    host: &mut Host,
    key: &AgentKey,
    services: &AgentServices,
) -> anyhow::Result<Option<AgentBody>> {
    hash_references(host, key)?;
    Ok(juror_session::agent_body(
        &host.session.linked(),
        key,
        services,
    )?)
}

/// Has the references of a sample known by their content.
///
/// # Errors
/// As [`due`].
pub(super) fn hash_references(host: &mut Host, key: &AgentKey) -> anyhow::Result<()> {
    for file in juror_session::agent_call(&host.session.linked(), key)?.needs {
        host.hash(file);
    }
    Ok(())
}

/// What is sent of a call.
///
/// # Errors
/// A picture cannot be read, or they are too large.
pub(super) fn filled(
    (host, folder): (&Host, &Folder),
    body: &AgentBody,
    services: &AgentServices,
) -> anyhow::Result<Posted> {
    let mut files = Vec::new();
    for picture in &body.pictures {
        let made = picture.sha256.as_ref().and_then(|it| folder.picture(it));
        let listed = || picture.file.map(|file| host.bytes(file));
        let bytes = (made.or_else(listed))
            .with_context(|| format!("{} is not among the files", picture.path))?
            .with_context(|| format!("cannot read {}", picture.path))?;
        let found = juror_image::media_type(&bytes);
        let media_type = found.unwrap_or_else(|| media_type_of(&picture.path));
        files.push((media_type, Arc::<[u8]>::from(bytes)));
    }
    let sizes: Vec<u64> = files.iter().map(|(_, bytes)| bytes.len() as u64).collect();
    match body.record.kind {
        Kind::Plan => check_size(services.planner_wire, &sizes),
        Kind::Picture => check_picture_size(services.generator_wire, &sizes),
    }
    .map_err(anyhow::Error::msg)?;
    let Some(json) = &body.json else {
        let field = body.pictures.first().map(|picture| picture.field.clone());
        return Ok(Posted::Form {
            fields: body.fields.clone(),
            field: field.unwrap_or_default(),
            files,
        });
    };
    let pictures = body.pictures.iter().zip(&files);
    let places: Vec<(&str, String)> = pictures
        .flat_map(|(picture, (media_type, bytes))| {
            [
                (picture.media_token.as_str(), (*media_type).to_owned()),
                (picture.token.as_str(), base64(bytes)),
            ]
        })
        .collect();
    Ok(Posted::Json(with_pictures(json, &places)))
}
