//! The body of a request with its pictures in it, each in a form that the service takes.

use juror_judging::provider;
use juror_reading::count::counted;
use juror_session::view::{JobBody, JobTask};

use super::Order;
use crate::batch::{Pictures, Sent};
use crate::host::Host;
use crate::{requests, say};

/// What is sent of a task: the body without the bytes of pictures, and the text with them.
pub(super) fn filled(
    host: &mut Host,
    order: &Order,
    pictures: &mut Pictures,
    task: &JobTask,
) -> anyhow::Result<(JobBody, String)> {
    // The hash of the request needs what its pictures are.
    requests::request(host, &task.key)?;
    let body =
        juror_session::job_body(&host.session.linked(), &task.key, order.wire, &order.params)?;
    let mut places = Vec::new();
    let mut sizes = Vec::new();
    for picture in &body.pictures {
        let files = (picture.file, picture.other);
        let made = pictures.make(host, files, &picture.path, &picture.treatment)?;
        let Sent::Inline {
            media_type,
            base64,
            bytes,
        } = made
        else {
            continue;
        };
        sizes.push(bytes);
        places.push((picture.media_token.as_str(), media_type.to_owned()));
        places.push((picture.token.as_str(), base64.to_string()));
    }
    provider::check_size(order.wire, &sizes).map_err(anyhow::Error::msg)?;
    let text = with(&body.text, &places);
    Ok((body, text))
}

/// A text with other texts in the places of marks, each of which is there once; no mark is looked for in what was put in.
pub(crate) fn with(text: &str, places: &[(&str, String)]) -> String {
    let mut found: Vec<(usize, &str, &str)> = (places.iter())
        .filter_map(|(mark, put)| Some((text.find(mark)?, *mark, put.as_str())))
        .collect();
    found.sort_unstable();
    let more: usize = found.iter().map(|(.., put)| put.len()).sum();
    let mut out = String::with_capacity(text.len() + more);
    let mut from = 0;
    for (place, mark, put) in found {
        out += &text[from..place];
        out += put;
        from = place + mark.len();
    }
    out + &text[from..]
}

/// Says how large the first request is.
pub(super) fn tell_first(host: &mut Host, order: &Order, tasks: &[JobTask]) -> anyhow::Result<()> {
    let Some(task) = tasks.first() else {
        return Ok(());
    };
    let mut pictures = Pictures::inline(order.wire);
    let (body, text) = filled(host, order, &mut pictures, task)?;
    say(&format!(
        "juror: the first request, {}, has {} bytes with {}; nothing was sent",
        super::ended::name(task),
        text.len(),
        counted(
            u32::try_from(body.pictures.len()).unwrap_or(u32::MAX),
            "picture",
            "pictures"
        )
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_in_what_is_put_in_stays_and_marks_may_be_in_any_order() {
        let places = [("@b@", "two @a@".to_owned()), ("@a@", "one".to_owned())];
        assert_eq!(with("1 @a@ 2 @b@ 3", &places), "1 one 2 two @a@ 3");
        assert_eq!(with("none", &places), "none");
    }
}
