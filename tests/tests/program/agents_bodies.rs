//! The requests of `juror agents`, to the byte those of the page: what `juror_session::agent_body` says, with its pictures.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_agents::{AgentBody, AgentKey, AgentServices, Record};
use juror_judging::base64;
use juror_judging::provider::PictureWire;
use juror_model::judge::{Params, Wire};
use juror_session::Session;
use juror_tests::generate::open;
use juror_tests::program::Folder;
use serde_json::{Value, json};

use super::agents::{chat, is_plan, kept, made, openai, run, suite, words};
use super::service::{self, Seen, Service};

fn gemini(picture: &[u8]) -> String {
    let part = json!({"inlineData": {"mimeType": "image/png", "data": base64(picture)}});
    let body = json!({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]});
    service::answer(200, "", &body.to_string())
}

fn benchmark(folder: &Folder) -> (Session, Vec<(String, Vec<u8>)>) {
    let names = ["001_prompt.txt", "001_0.png", "001_1.png"];
    let files = names.map(|name| {
        let path = format!("bench/add/{name}");
        let bytes = std::fs::read(folder.path(&path)).unwrap();
        (path, bytes)
    });
    (open(&files), files.to_vec())
}

/// The bytes of the pictures of a call: references by their paths, the generated one by its content.
fn pictures(folder: &Folder, body: &AgentBody, records: &[Record]) -> Vec<Vec<u8>> {
    let bytes = body.pictures.iter().map(|picture| {
        let made = records.iter().filter_map(|record| record.picture.as_ref());
        let mut made = made.filter(|made| Some(&made.sha256) == picture.sha256.as_ref());
        let path = match made.next() {
            Some(made) => folder.path("out").join(&made.path),
            None => folder.path(&picture.path),
        };
        std::fs::read(path).unwrap()
    });
    bytes.collect()
}

/// Whether what was sent is what the page would send.
fn is_same(seen: &Seen, body: &AgentBody, pictures: &[Vec<u8>]) -> bool {
    let path = body.url.splitn(4, '/').nth(3).unwrap();
    if !seen.head.starts_with(&format!("POST /{path} ")) {
        return false;
    }
    let Some(json) = &body.json else {
        return is_same_form(seen, body, pictures);
    };
    let mut expected = json.clone();
    for (picture, bytes) in body.pictures.iter().zip(pictures) {
        expected = expected
            .replacen(&picture.media_token, "image/png", 1)
            .replacen(&picture.token, &base64(bytes), 1);
    }
    seen.body == expected
}

fn is_same_form(seen: &Seen, body: &AgentBody, pictures: &[Vec<u8>]) -> bool {
    let fields = body.fields.iter().all(|(name, value)| {
        let field = format!("name=\"{name}\"\r\n\r\n{value}\r\n");
        seen.body.contains(&field)
    });
    let mut from = 0;
    let files = (1..).zip(pictures).all(|(number, bytes)| {
        let field = &body.pictures[0].field;
        let name = format!("name=\"{field}\"; filename=\"{number}.png\"");
        let mut windows = seen.bytes[from..].windows(bytes.len());
        let found = windows.position(|part| part == bytes);
        from += found.unwrap_or_default() + bytes.len();
        found.is_some() && seen.body.contains(&name)
    });
    let num_parts = seen.body.matches("form-data; name=").count();
    fields && files && num_parts == body.fields.len() + pictures.len()
}

fn services(address: &str, wire: PictureWire) -> AgentServices {
    let params = |model: &str, temperature, extra: Value| Params {
        model: model.to_owned(),
        temperature,
        max_tokens: None,
        extra: serde_json::from_value(extra).unwrap(),
    };
    AgentServices {
        planner_wire: Wire::OpenAi,
        planner_base: format!("http://{address}"),
        planner: params("p", Some(0.5), json!({"seed": 1})),
        generator_wire: wire,
        generator_base: format!("http://{address}"),
        generator: params("g", None, json!({"quality": "low"})),
    }
}

/// Compares every request of a run with what the page would send; how many pictures each has.
fn compared(folder: &Folder, seen: &[Seen], services: &AgentServices) -> Vec<usize> {
    let records = kept(folder);
    assert_eq!((seen.len(), records.len()), (5, 5));
    let (mut session, files) = benchmark(folder);
    let mut sent = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let key = AgentKey {
            set: record.set.clone(),
            sample: record.sample.clone(),
            steps: 3,
        };
        for file in juror_session::agent_call(&session.linked(), &key)
            .unwrap()
            .needs
        {
            let path = session.path(file).to_owned();
            let (_, bytes) = files.iter().find(|(known, _)| *known == path).unwrap();
            juror_session::provide_picture(&mut session, file, bytes);
        }
        let body = juror_session::agent_body(&session.linked(), &key, services);
        let body = body.unwrap().unwrap();
        assert!(record.request.is_some());
        assert_eq!(body.record.request, record.request);
        assert_eq!(body.record.parameters, record.parameters);
        let shown = pictures(folder, &body, &records);
        for (other, seen) in seen.iter().enumerate() {
            let is_it = is_same(seen, &body, &shown);
            assert_eq!(is_it, at == other, "{at}, {other}: {}", seen.body);
        }
        sent.push(shown.len());
        juror_session::add_trajectories(&mut session, vec![record.clone()]);
    }
    sent
}

#[test]
fn requests_of_every_framework_and_wire_are_the_pages() {
    for (framework, wire) in ["ipr", "cafg", "sra"]
        .into_iter()
        .flat_map(|one| [(one, PictureWire::OpenAi), (one, PictureWire::Gemini)])
    {
        let folder = suite();
        // Each plan is another one, so that no request is another's.
        let service = Service::start(move |number, seen| {
            let plan = format!("{{\"indices\": [1], \"prompt\": \"Brighter by {number}.\"}}");
            Some(match (is_plan(seen), wire) {
                (true, _) => chat(&plan),
                (false, PictureWire::OpenAi) => openai(&made(number)),
                (false, PictureWire::Gemini) => gemini(&made(number)),
            })
        });
        let more = "--limit 1 --concurrency 1 --planner-temperature 0.5 --planner-extra {\"seed\":1} --generator-extra {\"quality\":\"low\"}";
        let asked = words(&service, framework, more);
        let asked = match wire {
            PictureWire::OpenAi => asked,
            PictureWire::Gemini => {
                asked.replace("--generator-wire openai", "--generator-wire gemini")
            }
        };
        run(&folder, &asked, 0);
        let services = services(&service.address.to_string(), wire);
        // Both references at first and for the planner; then as the framework has it.
        let later = if framework == "cafg" { 3 } else { 2 };
        let sent = compared(&folder, &service.seen(), &services);
        assert_eq!(sent, [2, 3, later, 3, later], "{framework}");
    }
}
