//! A reply is `Verdict: win`, `tie` or `loss`, worth 10, 5 and 0, or a number from 0 to 10.

use std::collections::BTreeMap;

use juror_model::options::Profile;
use juror_model::reply::{Fault, ParsedReply, Read, Verdict};
use juror_model::sample::Sample;
use juror_protocols::contract::Reading;

use super::Duel;

pub(super) fn number(kind: &str, reply: &str) -> Result<f64, Fault> {
    if kind == "duel" {
        return match reply.trim().strip_prefix("Verdict: ") {
            Some("win") => Ok(10.0),
            Some("tie") => Ok(5.0),
            Some("loss") => Ok(0.0),
            _ => Err(Fault::Unparsable),
        };
    }
    let number: f64 = reply.trim().parse().map_err(|_| Fault::Unparsable)?;
    if (0.0..=10.0).contains(&number) {
        Ok(number)
    } else {
        Err(Fault::OutOfRange)
    }
}

pub(super) fn verdict(kind: &str, reply: &str) -> Verdict {
    let reading = || number(kind, reply).map(|number| vec![number].into_boxed_slice());
    Verdict {
        paper: reading(),
        released: reading(),
    }
}

impl Reading for Duel {
    fn read(&self, _sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        Read::Several(verdict(request, reply))
    }

    fn parse(
        &self,
        _sample: Option<&Sample>,
        request: &str,
        _profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        match number(request, reply) {
            Ok(score) => ParsedReply::Ok {
                criteria: BTreeMap::from([(request.to_owned(), score)]),
                score: Some(score),
                reason: String::new(),
            },
            Err(_) => ParsedReply::Incident {
                kind: "unparsable".to_owned(),
                detail: self.grammar(None, request),
            },
        }
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        match request {
            "duel" => "Verdict: win, tie or loss".to_owned(),
            _ => "a number from 0 to 10".to_owned(),
        }
    }
}
