#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;

fn params(extra: &Value) -> Params {
    Params {
        model: "m".to_owned(),
        temperature: Some(0.1),
        max_tokens: Some(800),
        extra: extra.as_object().cloned().unwrap_or_default(),
    }
}

const CONTENT: [Content<'_>; 4] = [
    Content::Text("Look:"),
    Content::Image {
        media_type: "image/png",
        base64: "@@picture-0@@",
    },
    Content::Text(""),
    Content::ImageUrl("file:///data/a.jpg"),
];

fn text(wire: Wire, extra: &Value, system: Option<&str>) -> String {
    body(wire, &params(extra), system, &CONTENT).to_string()
}

#[test]
fn each_wire_has_its_body_with_keys_in_order_and_base64_verbatim() {
    let extra = json!({"max_completion_tokens": 8192});
    assert_eq!(
        text(Wire::OpenAi, &extra, Some("Judge.")),
        r#"{"max_completion_tokens":8192,"messages":[{"content":"Judge.","role":"system"},{"content":[{"text":"Look:","type":"text"},{"image_url":{"url":"data:image/png;base64,@@picture-0@@"},"type":"image_url"},{"image_url":{"url":"file:///data/a.jpg"},"type":"image_url"}],"role":"user"}],"model":"m","temperature":0.1}"#
    );
    assert_eq!(
        text(Wire::Anthropic, &json!({"top_k": 1}), Some("Judge.")),
        r#"{"max_tokens":800,"messages":[{"content":[{"text":"Look:","type":"text"},{"source":{"data":"@@picture-0@@","media_type":"image/png","type":"base64"},"type":"image"},{"source":{"type":"url","url":"file:///data/a.jpg"},"type":"image"}],"role":"user"}],"model":"m","system":"Judge.","temperature":0.1,"top_k":1}"#
    );
    let extra = json!({"topK": 1, "safetySettings": [], "thinkingConfig": {"thinkingBudget": 0}});
    assert_eq!(
        text(Wire::Gemini, &extra, Some("Judge.")),
        r#"{"contents":[{"parts":[{"text":"Look:"},{"inlineData":{"data":"@@picture-0@@","mimeType":"image/png"}},{"fileData":{"fileUri":"file:///data/a.jpg","mimeType":"image/jpeg"}}],"role":"user"}],"generationConfig":{"maxOutputTokens":800,"temperature":0.1,"thinkingConfig":{"thinkingBudget":0},"topK":1},"safetySettings":[],"systemInstruction":{"parts":[{"text":"Judge."}]}}"#
    );
}

#[test]
fn parameters_that_are_not_set_are_not_sent_but_anthropics_required_one() {
    let bare = Params {
        model: "m".to_owned(),
        ..Params::default()
    };
    let keys = |wire| {
        let body = body(wire, &bare, None, &[Content::Text("a")]);
        let keys: Vec<String> = body.as_object().unwrap().keys().cloned().collect();
        keys.join(" ")
    };
    assert_eq!(keys(Wire::OpenAi), "messages model");
    assert_eq!(keys(Wire::Anthropic), "max_tokens messages model");
    assert_eq!(keys(Wire::Gemini), "contents");
}

#[test]
fn extra_parameters_cannot_change_what_is_asked() {
    for (wire, key) in [
        (Wire::OpenAi, "messages"),
        (Wire::Anthropic, "system"),
        (Wire::Gemini, "contents"),
    ] {
        let plain = text(wire, &Value::Null, None);
        let extra = json!({ key: [] });
        assert_eq!(text(wire, &extra, None), plain);
        assert!(
            params(&extra)
                .check(wire)
                .unwrap_err()
                .to_string()
                .contains(key)
        );
        assert_eq!(params(&json!({"seed": 1})).check(wire), Ok(()));
    }
    assert!(Params::default().check(Wire::OpenAi).is_err());
}

#[test]
fn a_generation_config_adds_to_the_parameters_and_wipes_none_out() {
    let extra = json!({"generationConfig": {"topP": 0.5}});
    let body = body(Wire::Gemini, &params(&extra), None, &CONTENT);
    let config = &body["generationConfig"];
    assert_eq!(
        config.to_string(),
        r#"{"maxOutputTokens":800,"temperature":0.1,"topP":0.5}"#
    );
}

#[test]
fn addresses_are_completed() {
    let openai = |base| url(Wire::OpenAi, base, "m");
    for (base, full) in [
        ("", "https://api.openai.com/v1/chat/completions"),
        (
            "https://api.openai.com",
            "https://api.openai.com/v1/chat/completions",
        ),
        (
            "http://localhost:8000/v1/",
            "http://localhost:8000/v1/chat/completions",
        ),
        (
            "localhost:1234",
            "http://localhost:1234/v1/chat/completions",
        ),
        (
            "api.mistral.ai/v1",
            "https://api.mistral.ai/v1/chat/completions",
        ),
        (
            "https://openrouter.ai/api/v1",
            "https://openrouter.ai/api/v1/chat/completions",
        ),
        (
            "https://h/v1/chat/completions",
            "https://h/v1/chat/completions",
        ),
        (
            "https://h/v1beta/openai/",
            "https://h/v1beta/openai/chat/completions",
        ),
        ("https://v1.host", "https://v1.host/v1/chat/completions"),
        (
            "https://h/openai/v1?api-version=x",
            "https://h/openai/v1/chat/completions?api-version=x",
        ),
    ] {
        assert_eq!(openai(base), full, "{base}");
    }
    assert_eq!(
        url(Wire::Anthropic, "https://api.anthropic.com/", "m"),
        "https://api.anthropic.com/v1/messages"
    );
    let gemini =
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent";
    assert_eq!(url(Wire::Gemini, "", "gemini-2.5-flash"), gemini);
    assert_eq!(
        url(
            Wire::Gemini,
            "https://generativelanguage.googleapis.com",
            "models/gemini-2.5-flash"
        ),
        gemini
    );
    // A name cannot lead to another address.
    assert!(url(Wire::Gemini, "", "x?key=1#").ends_with("/models/x%3Fkey%3D1%23:generateContent"));
}

#[test]
fn keys_go_into_headers() {
    assert_eq!(auth(Wire::OpenAi).prefix, "Bearer ");
    let anthropic = auth(Wire::Anthropic);
    assert_eq!(anthropic.header, "x-api-key");
    let direct = ("anthropic-dangerous-direct-browser-access", "true");
    assert!(anthropic.fixed.contains(&direct));
    assert_eq!(auth(Wire::Gemini).header, "x-goog-api-key");
}

#[track_caller]
fn replies(wire: Wire, body: &Value, text: &str, finish: &str, tokens: (u64, u64)) {
    let expected = Answer::Reply {
        text: text.to_owned(),
        model: "m-1".to_owned(),
        finish: finish.to_owned(),
        input_tokens: Some(tokens.0),
        output_tokens: Some(tokens.1),
    };
    assert_eq!(read(wire, 200, &body.to_string()), expected);
}

#[test]
fn an_answer_in_pieces_is_put_together() {
    let events = |pieces: &[Value]| {
        let events = pieces.iter().map(|piece| format!("data: {piece}\n\n"));
        events.collect::<String>()
    };
    let openai = [
        json!({"model": "m-1", "choices": [{"delta": {"role": "assistant", "content": "Score"}, "finish_reason": null}]}),
        json!({"model": "m-1", "choices": [{"delta": {"content": ": 7"}, "finish_reason": null}]}),
        json!({"model": "m-1", "choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}),
    ];
    let reply = |text: &str, finish: &str, input, output| Answer::Reply {
        text: text.to_owned(),
        model: "m-1".to_owned(),
        finish: finish.to_owned(),
        input_tokens: input,
        output_tokens: output,
    };
    let whole = reply("Score: 7", "stop", Some(3), Some(2));
    let text = events(&openai);
    assert_eq!(
        read(
            Wire::OpenAi,
            200,
            &format!(": hello\n\n{text}data: [DONE]\n\n")
        ),
        whole
    );
    let lines: Vec<String> = openai.iter().map(Value::to_string).collect();
    assert_eq!(read(Wire::OpenAi, 200, &lines.join("\n")), whole);
    // Without its end nobody knows what follows.
    fails(
        Wire::OpenAi,
        200,
        &events(&openai[..2]),
        FailureKind::CutOff,
    );
    fails(
        Wire::OpenAi,
        200,
        &text[..text.len() / 2],
        FailureKind::CutOff,
    );
    let anthropic = [
        json!({"type": "message_start", "message": {"model": "m-1", "content": [], "usage": {"input_tokens": 4, "output_tokens": 1}}}),
        json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "7"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ];
    assert_eq!(
        read(Wire::Anthropic, 200, &events(&anthropic)),
        reply("7", "end_turn", Some(4), Some(9))
    );
    let gemini = [
        json!({"candidates": [{"content": {"parts": [{"text": "Sco"}]}}], "modelVersion": "m-1"}),
        json!({"candidates": [{"content": {"parts": [{"text": "re 7"}]}, "finishReason": "STOP"}], "modelVersion": "m-1"}),
    ];
    assert_eq!(
        read(Wire::Gemini, 200, &events(&gemini)),
        reply("Score 7", "STOP", None, None)
    );
}

#[test]
fn a_reply_that_was_cut_off_is_a_failure_on_each_wire() {
    let openai = |finish: &str| json!({"model": "m-1", "choices": [{"message": {"content": "Visual Quality: 1"}, "finish_reason": finish}], "usage": {"completion_tokens": 64}});
    for finish in ["length", "abort", "model_length"] {
        let message = fails(
            Wire::OpenAi,
            200,
            &openai(finish).to_string(),
            FailureKind::CutOff,
        );
        assert!(
            message.contains(&format!("({finish}, after 64 tokens)")),
            "{message}"
        );
        assert!(message.ends_with("Visual Quality: 1"), "{message}");
    }
    assert!(matches!(
        read(Wire::OpenAi, 200, &openai("stop").to_string()),
        Answer::Reply { .. }
    ));
    let anthropic = json!({"content": [{"type": "text", "text": "Score: 1"}], "stop_reason": "max_tokens", "usage": {}});
    fails(
        Wire::Anthropic,
        200,
        &anthropic.to_string(),
        FailureKind::CutOff,
    );
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "Score: 1"}]}, "finishReason": "MAX_TOKENS"}]});
    fails(Wire::Gemini, 200, &gemini.to_string(), FailureKind::CutOff);
}

#[test]
fn a_reason_to_end_that_nobody_knows_is_named_and_the_reply_counts_for_nobody() {
    let openai = |finish: Value| {
        json!({"choices": [{"message": {"content": "Score: 1"}, "finish_reason": finish}]})
            .to_string()
    };
    for finish in [
        "network_error",
        "timeout",
        "context_length_exceeded",
        "user_cancelled",
        "tool_calls",
        "load",
        "repetition",
        "other",
    ] {
        for body in [openai(json!(finish)), openai(json!({"type": finish}))] {
            let message = fails(Wire::OpenAi, 200, &body, FailureKind::CutOff);
            assert!(message.contains(&format!("({finish})")), "{message}");
        }
    }
    for finish in ["sensitive", "content_filter", "SAFETY"] {
        let body = openai(json!(finish));
        let message = fails(Wire::OpenAi, 200, &body, FailureKind::ContentFilter);
        assert!(message.contains(finish), "{message}");
    }
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "Score: 1"}]}, "finishReason": "UNEXPECTED_TOOL_CALL"}]});
    fails(Wire::Gemini, 200, &gemini.to_string(), FailureKind::CutOff);
    let anthropic = json!({"content": [{"type": "text", "text": "Score: 1"}], "stop_reason": "tool_use", "usage": {}});
    fails(
        Wire::Anthropic,
        200,
        &anthropic.to_string(),
        FailureKind::CutOff,
    );
    // Words for a whole reply, and none at all, as servers of one's own give.
    for finish in [
        json!("stop"),
        json!("STOP"),
        json!("eos_token"),
        json!("end_turn"),
        json!("stop_sequence"),
        json!("COMPLETE"),
        json!({"type": "stop"}),
        json!(""),
        json!(null),
    ] {
        let answer = read(Wire::OpenAi, 200, &openai(finish));
        assert!(matches!(answer, Answer::Reply { .. }), "{answer:?}");
    }
}

#[test]
fn of_two_choices_that_differ_none_counts_and_of_two_that_are_the_same_the_first_by_number() {
    let choice = |index: u32, text: &str| json!({"index": index, "message": {"content": text}, "finish_reason": "stop"});
    let body = |choices: [Value; 2]| json!({"choices": choices}).to_string();
    for two in [
        [choice(0, "Score: 2"), choice(1, "Score: 9")],
        [choice(1, "Score: 9"), choice(0, "Score: 2")],
    ] {
        let message = fails(Wire::OpenAi, 200, &body(two), FailureKind::BadRequest);
        assert!(message.contains("2 choices that differ"), "{message}");
    }
    let candidates: Vec<Value> = ["Score: 2", "Score: 9"]
        .iter()
        .map(|text| json!({"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}))
        .collect();
    let gemini = json!({ "candidates": candidates }).to_string();
    fails(Wire::Gemini, 200, &gemini, FailureKind::BadRequest);
    let piece = |index: u32, text: &str| {
        format!(
            "data: {}\n\n",
            json!({"choices": [{"index": index, "delta": {"content": text}, "finish_reason": "stop"}]})
        )
    };
    let stream = [piece(0, "Score: 2"), piece(1, "Score: 9")].concat();
    fails(Wire::OpenAi, 200, &stream, FailureKind::BadRequest);
    let same = body([choice(1, "Score: 2"), choice(0, "Score: 2")]);
    let answer = read(Wire::OpenAi, 200, &same);
    assert!(
        matches!(&answer, Answer::Reply { text, .. } if text == "Score: 2"),
        "{answer:?}"
    );
}

#[test]
fn what_a_model_says_on_its_way_is_no_part_of_its_answer() {
    let message = |text: &str, phase: Value, status: &str| json!({"type": "message", "phase": phase, "status": status, "content": [{"type": "output_text", "text": text}]});
    let body = |output: Vec<Value>| json!({"status": "completed", "output": output}).to_string();
    let on_its_way = message("Score: 9", json!("commentary"), "completed");
    let last = message("Score: 2", json!("final_answer"), "completed");
    let answer = read(Wire::OpenAi, 200, &body(vec![on_its_way.clone(), last]));
    assert!(
        matches!(&answer, Answer::Reply { text, .. } if text == "Score: 2"),
        "{answer:?}"
    );
    // Nothing but commentary is no answer; parts of one answer stay together.
    fails(
        Wire::OpenAi,
        200,
        &body(vec![on_its_way]),
        FailureKind::Empty,
    );
    let parts = ["Score", ": 2"].map(|text| message(text, json!(null), "completed"));
    let answer = read(Wire::OpenAi, 200, &body(parts.to_vec()));
    assert!(
        matches!(&answer, Answer::Reply { text, .. } if text == "Score: 2"),
        "{answer:?}"
    );
    let half = message("Score: 2", json!(null), "incomplete");
    fails(Wire::OpenAi, 200, &body(vec![half]), FailureKind::CutOff);
}

#[test]
fn a_reply_that_was_cut_off_is_a_failure_however_a_library_writes_the_reason() {
    let ended = |key: &str, finish: Value| {
        json!({"candidates": [{"content": {"parts": [{"text": "Score: 1"}]}, key: finish}]})
            .to_string()
    };
    for (finish, kind) in [
        (json!("MAX_TOKENS"), FailureKind::CutOff),
        (json!("FinishReason.MAX_TOKENS"), FailureKind::CutOff),
        (json!(2), FailureKind::CutOff),
        (json!("OTHER"), FailureKind::CutOff),
        (json!("MALFORMED_FUNCTION_CALL"), FailureKind::CutOff),
        (json!(10), FailureKind::CutOff),
        (json!("SAFETY"), FailureKind::ContentFilter),
        (json!(3), FailureKind::ContentFilter),
    ] {
        for key in ["finishReason", "finish_reason"] {
            fails(Wire::Gemini, 200, &ended(key, finish.clone()), kind);
        }
    }
    for finish in [
        json!("STOP"),
        json!(1),
        json!("FinishReason.STOP"),
        json!("FINISH_REASON_STOP"),
        json!("1"),
        json!(null),
    ] {
        let answer = read(Wire::Gemini, 200, &ended("finish_reason", finish));
        assert!(matches!(answer, Answer::Reply { .. }), "{answer:?}");
    }
    let blocked = json!({"prompt_feedback": {"block_reason": "SAFETY"}}).to_string();
    fails(Wire::Gemini, 200, &blocked, FailureKind::ContentFilter);
}

#[test]
fn a_response_that_did_not_come_to_its_end_is_no_reply() {
    let ended = |status: &str| {
        json!({"status": status, "output": [{"type": "message", "content": [{"type": "output_text", "text": "Score: 1"}]}]}).to_string()
    };
    for status in ["failed", "cancelled", "in_progress", "queued", "incomplete"] {
        fails(Wire::OpenAi, 200, &ended(status), FailureKind::CutOff);
    }
    let whole = read(Wire::OpenAi, 200, &ended("completed"));
    assert!(matches!(whole, Answer::Reply { .. }));
}

#[test]
fn replies_are_read_on_each_wire() {
    let openai = json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-1", "choices": [{"index": 0, "message": {"role": "assistant", "content": "{\"score\": 7}", "refusal": null, "annotations": []}, "logprobs": null, "finish_reason": "stop"}], "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}});
    replies(Wire::OpenAi, &openai, "{\"score\": 7}", "stop", (11, 5));
    let parts = json!({"model": "m-1", "error": null, "choices": [{"message": {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "reasoning_content": "hm"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 2}});
    replies(Wire::OpenAi, &parts, "ab", "stop", (1, 2));
    let anthropic = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "Score: 7"}], "stop_reason": "end_turn", "stop_sequence": null, "usage": {"input_tokens": 10, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 6}});
    replies(Wire::Anthropic, &anthropic, "Score: 7", "end_turn", (17, 6));
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "thinking", "thought": true}, {"text": "Score: "}, {"text": "7"}], "role": "model"}, "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 20, "candidatesTokenCount": 3, "thoughtsTokenCount": 9, "totalTokenCount": 32}, "modelVersion": "m-1", "responseId": "r"});
    replies(Wire::Gemini, &gemini, "Score: 7", "STOP", (20, 12));
}

#[test]
fn thoughts_that_a_service_sends_apart_are_no_part_of_the_reply() {
    let draft = "Visual Quality: 2";
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 2});
    for message in [
        json!({"content": "Score: 7", "reasoning_content": draft}),
        json!({"content": "Score: 7", "reasoning": draft, "reasoning_details": [{"type": "reasoning.text", "text": draft}]}),
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": draft}]}, {"type": "text", "text": "Score: 7"}]}),
        json!({"content": [{"type": "reasoning", "text": draft}, {"type": "text", "text": "Score: 7"}]}),
    ] {
        let body = json!({"model": "m-1", "choices": [{"message": message, "finish_reason": "stop"}], "usage": usage});
        replies(Wire::OpenAi, &body, "Score: 7", "stop", (1, 2));
    }
    let responses = json!({"model": "m-1", "status": "completed", "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": draft}], "content": [{"type": "reasoning_text", "text": draft}]},
        {"type": "message", "content": [{"type": "output_text", "text": "Score: 7"}]}],
        "usage": {"input_tokens": 1, "output_tokens": 2}});
    replies(Wire::OpenAi, &responses, "Score: 7", "completed", (1, 2));
    // Thoughts alone are no reply.
    let alone = json!({"model": "m-1", "choices": [{"message": {"content": null, "reasoning_content": "Score: 7"}, "finish_reason": "stop"}]});
    fails(Wire::OpenAi, 200, &alone.to_string(), FailureKind::Empty);
}

#[track_caller]
fn fails(wire: Wire, status: u16, body: &str, kind: FailureKind) -> String {
    match read(wire, status, body) {
        Answer::Failed(failure) => {
            assert_eq!(failure.kind, kind, "{}", failure.message);
            failure.message
        }
        Answer::Reply { text, .. } => panic!("expected {kind:?}, found the reply {text:?}"),
    }
}

#[test]
fn failures_of_the_openai_wire_have_their_kind() {
    let wire = Wire::OpenAi;
    let key = fails(
        wire,
        401,
        r#"{"error": {"message": "Incorrect API key provided: sk-proj-1234*****abcd. You can find your API key at https://platform.openai.com/account/api-keys.", "type": "invalid_request_error", "param": null, "code": "invalid_api_key"}}"#,
        FailureKind::BadKey,
    );
    assert_eq!(
        key,
        "Incorrect API key provided: [key removed]. You can find your API key at https://platform.openai.com/account/api-keys."
    );
    fails(
        wire,
        429,
        r#"{"error": {"message": "You exceeded your current quota, please check your plan and billing details.", "type": "insufficient_quota", "param": null, "code": "insufficient_quota"}}"#,
        FailureKind::Quota,
    );
    fails(
        wire,
        429,
        r#"{"error": {"message": "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000. Please try again in 1.2s.", "type": "tokens", "param": null, "code": "rate_limit_exceeded"}}"#,
        FailureKind::RateLimited,
    );
    fails(
        wire,
        402,
        r#"{"error": {"message": "Insufficient credits", "code": 402}}"#,
        FailureKind::Quota,
    );
    fails(
        wire,
        403,
        r#"{"error": {"code": 403, "message": "Input was flagged", "metadata": {"reasons": ["violence"]}}}"#,
        FailureKind::ContentFilter,
    );
    fails(
        wire,
        404,
        r#"{"error": {"message": "The model `gpt-9` does not exist or you do not have access to it.", "type": "invalid_request_error", "param": null, "code": "model_not_found"}}"#,
        FailureKind::NotFound,
    );
    fails(
        wire,
        404,
        r#"{"error":"model 'qwen9' not found"}"#,
        FailureKind::NotFound,
    );
    fails(
        wire,
        404,
        r#"{"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","param":null,"code":404}"#,
        FailureKind::NotFound,
    );
    fails(
        wire,
        404,
        r#"{"detail":"Not Found"}"#,
        FailureKind::NotFound,
    );
    fails(
        wire,
        400,
        r#"{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "type": "invalid_request_error", "param": "max_tokens", "code": "unsupported_parameter"}}"#,
        FailureKind::BadRequest,
    );
    fails(
        wire,
        400,
        r#"{"error": {"message": "This model's maximum context length is 128000 tokens.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}}"#,
        FailureKind::TooLarge,
    );
    fails(
        wire,
        400,
        r#"{"error": {"message": "The response was filtered", "type": null, "param": "prompt", "code": "content_filter", "status": 400, "innererror": {"code": "ResponsibleAIPolicyViolation"}}}"#,
        FailureKind::ContentFilter,
    );
}

#[test]
fn servers_of_the_openai_wire_fail_in_many_ways() {
    let wire = Wire::OpenAi;
    fails(
        wire,
        500,
        r#"{"error": {"message": "The server had an error while processing your request.", "type": "server_error"}}"#,
        FailureKind::Server,
    );
    fails(wire, 503, "no available server", FailureKind::Server);
    fails(wire, 504, "", FailureKind::Timeout);
    fails(
        wire,
        200,
        r#"{"error": {"message": "Rate limited upstream", "code": 429}, "user_id": "u"}"#,
        FailureKind::RateLimited,
    );
    fails(
        wire,
        200,
        r#"{"choices": [{"error": {"code": 502, "message": "Upstream"}, "finish_reason": "error", "message": {"role": "assistant", "content": ""}}]}"#,
        FailureKind::Server,
    );
    fails(
        wire,
        200,
        r#"{"choices": [{"message": {"role": "assistant", "content": null, "refusal": "I can't help with that."}, "finish_reason": "stop"}]}"#,
        FailureKind::Refused,
    );
    fails(
        wire,
        200,
        r#"{"choices": [{"message": {"role": "assistant", "content": "The"}, "finish_reason": "content_filter"}]}"#,
        FailureKind::ContentFilter,
    );
    fails(
        wire,
        200,
        r#"{"choices": [{"message": {"role": "assistant", "content": ""}, "finish_reason": "length"}]}"#,
        FailureKind::Empty,
    );
    fails(wire, 200, r#"{"choices": []}"#, FailureKind::Empty);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of failures")]
fn failures_of_the_anthropic_wire_have_their_kind() {
    let wire = Wire::Anthropic;
    let error = |kind: &str, message: &str| {
        json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011"}).to_string()
    };
    fails(
        wire,
        401,
        &error("authentication_error", "invalid x-api-key"),
        FailureKind::BadKey,
    );
    fails(
        wire,
        403,
        &error("permission_error", "Your API key does not have permission."),
        FailureKind::BadKey,
    );
    fails(
        wire,
        400,
        &error(
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API.",
        ),
        FailureKind::Quota,
    );
    fails(
        wire,
        400,
        &error(
            "invalid_request_error",
            "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
        ),
        FailureKind::TooLarge,
    );
    fails(
        wire,
        400,
        &error("invalid_request_error", "max_tokens: Field required"),
        FailureKind::BadRequest,
    );
    fails(
        wire,
        404,
        &error("not_found_error", "model: claude-9"),
        FailureKind::NotFound,
    );
    fails(
        wire,
        413,
        &error("request_too_large", "Request exceeds the maximum size"),
        FailureKind::TooLarge,
    );
    fails(
        wire,
        429,
        &error(
            "rate_limit_error",
            "This request would exceed your rate limit.",
        ),
        FailureKind::RateLimited,
    );
    fails(
        wire,
        500,
        &error("api_error", "Internal server error"),
        FailureKind::Server,
    );
    fails(
        wire,
        529,
        &error("overloaded_error", "Overloaded"),
        FailureKind::Server,
    );
    fails(
        wire,
        200,
        &error("overloaded_error", "Overloaded"),
        FailureKind::Server,
    );
    fails(
        wire,
        200,
        r#"{"type": "message", "role": "assistant", "content": [], "stop_reason": "refusal"}"#,
        FailureKind::Refused,
    );
    fails(
        wire,
        200,
        r#"{"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn"}"#,
        FailureKind::Empty,
    );
}

#[test]
fn failures_of_the_gemini_wire_have_their_kind() {
    let wire = Wire::Gemini;
    let key = fails(
        wire,
        400,
        r#"{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT", "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}]}}"#,
        FailureKind::BadKey,
    );
    assert!(key.starts_with("API key not valid."));
    let quota = |id: &str| {
        json!([{"error": {"code": 429, "message": "You exceeded your current quota, please check your plan and billing details.", "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": id}]}, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}}]).to_string()
    };
    fails(
        wire,
        429,
        &quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
        FailureKind::Quota,
    );
    fails(
        wire,
        429,
        &quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
        FailureKind::RateLimited,
    );
    assert_eq!(wait_secs(&quota("x")), Some(34.5));
    fails(
        wire,
        403,
        r#"{"error": {"code": 403, "message": "Method doesn't allow unregistered callers", "status": "PERMISSION_DENIED"}}"#,
        FailureKind::BadKey,
    );
    fails(
        wire,
        404,
        r#"{"error": {"code": 404, "message": "models/gemini-9 is not found for API version v1beta", "status": "NOT_FOUND"}}"#,
        FailureKind::NotFound,
    );
    fails(
        wire,
        400,
        r#"{"error": {"code": 400, "message": "Request payload size exceeds the limit: 20971520 bytes.", "status": "INVALID_ARGUMENT"}}"#,
        FailureKind::TooLarge,
    );
    fails(
        wire,
        503,
        r#"{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}"#,
        FailureKind::Server,
    );
    fails(
        wire,
        504,
        r#"{"error": {"code": 504, "message": "Deadline expired", "status": "DEADLINE_EXCEEDED"}}"#,
        FailureKind::Timeout,
    );
    fails(
        wire,
        200,
        r#"{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 9}}"#,
        FailureKind::ContentFilter,
    );
    fails(
        wire,
        200,
        r#"{"candidates": [{"finishReason": "SAFETY", "index": 0, "safetyRatings": []}]}"#,
        FailureKind::ContentFilter,
    );
    fails(
        wire,
        200,
        r#"{"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS", "index": 0}], "usageMetadata": {"thoughtsTokenCount": 800}}"#,
        FailureKind::Empty,
    );
    fails(
        wire,
        200,
        r#"{"usageMetadata": {"promptTokenCount": 9}}"#,
        FailureKind::Empty,
    );
}

#[test]
fn what_is_not_the_answer_of_the_wire_is_named() {
    for wire in Wire::ALL {
        let page = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>";
        assert_eq!(
            fails(wire, 200, page, FailureKind::NotJson),
            "Expected JSON, found a web page: Sign in"
        );
        assert_eq!(
            fails(
                wire,
                502,
                "<html><title>502 Bad Gateway</title>",
                FailureKind::Server
            ),
            "The server answers 502: 502 Bad Gateway"
        );
        assert_eq!(
            fails(wire, 200, r#"{"choices": [{"mess"#, FailureKind::NotJson),
            "The answer ends in the middle, after 19 bytes."
        );
        fails(wire, 200, "", FailureKind::NotJson);
        fails(wire, 200, "data: {}\n\n", FailureKind::NotJson);
        fails(wire, 200, "42", FailureKind::NotJson);
        fails(wire, 200, r#"{"result": "ok"}"#, FailureKind::NotJson);
        fails(wire, 204, "null", FailureKind::NotJson);
        fails(wire, 429, "slow down", FailureKind::RateLimited);
        fails(wire, 418, "{}", FailureKind::BadRequest);
    }
    // The answer of another wire is not taken for a reply.
    let gemini =
        r#"{"candidates": [{"content": {"parts": [{"text": "7"}]}, "finishReason": "STOP"}]}"#;
    fails(Wire::OpenAi, 200, gemini, FailureKind::NotJson);
    fails(Wire::Anthropic, 200, gemini, FailureKind::NotJson);
}

#[test]
fn kinds_say_what_a_run_does_next_and_each_has_a_hint() {
    use FailureKind::{BadKey, Quota, RateLimited, Refused, Server};
    assert!(Server.retries() && RateLimited.retries());
    assert!(!BadKey.retries() && !Refused.retries());
    assert!(BadKey.stops_the_run() && Quota.stops_the_run() && !RateLimited.stops_the_run());
    assert!(FailureKind::Network.hint().contains("CORS"));
}

#[test]
fn nothing_that_looks_like_a_key_gets_into_a_message() {
    let keys = [
        "sk-proj-abcDEF123_-xyz789",
        "sk-ant-api03-AbCdEf-0123456789",
        "sk-or-v1-0123456789abcdef0123456789abcdef",
        concat!("AIza", "SyA-1234567890abcdefghijklmnopqrstu"),
        "gsk_AbCdEfGh1234",
        "0123456789abcdef0123456789abcdef",
        "123e4567-e89b-12d3-a456-426614174000",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-123_xyz",
    ];
    for key in keys {
        for around in [
            "key {} is wrong",
            "{\"authorization\":\"{}\"}",
            "https://h/v1?a={}&b=1",
            "{}.",
            "«{}»",
        ] {
            let clean = Failure::new(FailureKind::BadKey, &around.replace("{}", key)).message;
            assert!(!clean.contains(&key[..12]), "{clean}");
            assert!(clean.contains("[key removed]"), "{clean}");
        }
    }
    for short in [
        "Authorization: Bearer hunter2",
        "GET /v1beta/models?key=hunter2",
        "x-api-key: hunter2",
    ] {
        assert!(!redact(short).contains("hunter2"));
    }
    for harmless in [
        "The model `Qwen/Qwen3-VL-32B-Instruct` does not exist",
        "claude-sonnet-4-5-20250929 is overloaded",
        "messages.0.content.1.image.source.base64: image exceeds 5 MB",
        "see https://platform.openai.com/account/api-keys and max_completion_tokens",
    ] {
        assert_eq!(redact(harmless), harmless);
    }
    let long = Failure::new(FailureKind::Server, &"word ".repeat(200)).message;
    assert_eq!(long.chars().count(), 300);
    assert!(long.ends_with('…'));
    // A key that the cut would halve is gone before the cut.
    let at_cut = format!("{} sk-proj-abcDEF123456", "word ".repeat(58));
    assert!(
        !Failure::new(FailureKind::Server, &at_cut)
            .message
            .contains("sk-proj")
    );
}

#[test]
fn a_reply_is_kept_although_its_tokens_are_counted_beyond_all_bounds() {
    for count in ["100000000000000000", "18446744073709551615", "1e300", "-4"] {
        let body = format!(
            r#"{{"model": "m-1", "choices": [{{"message": {{"content": "Score: 7"}}, "finish_reason": "stop"}}], "usage": {{"prompt_tokens": {count}, "completion_tokens": 5}}}}"#
        );
        let Answer::Reply {
            text,
            input_tokens,
            output_tokens,
            ..
        } = read(Wire::OpenAi, 200, &body)
        else {
            panic!("{count}")
        };
        assert_eq!(
            (text.as_str(), input_tokens, output_tokens),
            ("Score: 7", None, Some(5)),
            "{count}"
        );
    }
}

#[test]
fn sizes_are_held_against_each_providers_limits() {
    const MIB: u64 = 1 << 20;
    assert_eq!(check_size(Wire::OpenAi, &[20 * MIB; 9]), Ok(()));
    assert!(check_size(Wire::OpenAi, &[100 * MIB; 4]).is_err());
    assert!(check_size(Wire::OpenAi, &[1; 1501]).is_err());
    assert_eq!(check_size(Wire::Anthropic, &[3 * MIB; 7]), Ok(()));
    let message = check_size(Wire::Anthropic, &[1, 4 * MIB])
        .unwrap_err()
        .to_string();
    assert!(message.contains("picture 2"), "{message}");
    assert!(check_size(Wire::Anthropic, &[3 * MIB; 9]).is_err());
    assert!(check_size(Wire::Anthropic, &[1; 101]).is_err());
    assert_eq!(check_size(Wire::Gemini, &[15 * MIB]), Ok(()));
    assert!(check_size(Wire::Gemini, &[16 * MIB]).is_err());
    assert!(check_size(Wire::Gemini, &[u64::MAX; 2]).is_err());
    // What goes as files of a form has its own limits.
    assert_eq!(
        check_picture_size(PictureWire::OpenAi, &[20 * MIB; 16]),
        Ok(())
    );
    assert!(check_picture_size(PictureWire::OpenAi, &[1; 17]).is_err());
    assert_eq!(
        check_picture_size(PictureWire::Gemini, &vec![1; 3600]),
        Ok(())
    );
    assert!(check_picture_size(PictureWire::Gemini, &vec![1; 3601]).is_err());
    let message = check_picture_size(PictureWire::OpenAi, &[1, 50 * MIB])
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("below 50.0 MB") && message.contains("picture 2"),
        "{message}"
    );
    assert!(check_picture_size(PictureWire::Gemini, &[16 * MIB]).is_err());
}

/// What is read of a body with status 200: the text, or the kind of failure.
fn read_200(wire: Wire, body: &str) -> Result<String, FailureKind> {
    match read(wire, 200, body) {
        Answer::Reply { text, .. } => Ok(text),
        Answer::Failed(failure) => Err(failure.kind),
    }
}

#[test]
fn an_answer_that_came_on_two_lines_is_read_once_and_of_two_that_differ_neither() {
    let whole = |text: &str| {
        json!({"model": "m", "choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
            .to_string()
    };
    let twice = format!("{}\n{}\n", whole("7"), whole("7"));
    assert_eq!(read_200(Wire::OpenAi, &twice), Ok("7".to_owned()));
    let more = format!("{}\n{{\"usage\": {{\"prompt_tokens\": 3}}}}\n", whole("7"));
    assert_eq!(read_200(Wire::OpenAi, &more), Ok("7".to_owned()));
    let differ = format!("{}\n{}\n", whole("7"), whole("8"));
    assert_eq!(read_200(Wire::OpenAi, &differ), Err(FailureKind::NotJson));
    let broken = format!("{}\n{{\"usage\": {{", whole("7"));
    assert_eq!(read_200(Wire::OpenAi, &broken), Ok("7".to_owned()));
}

#[test]
fn a_body_that_breaks_off_behind_the_reply_is_read_and_one_that_breaks_off_in_it_counts_as_cut_off()
{
    let bodies = [
        (
            Wire::OpenAi,
            r#"{"id": "c", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Score: 10"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}"#,
            r#""finish_reason": "stop""#,
        ),
        (
            Wire::Anthropic,
            r#"{"id": "c", "type": "message", "model": "m", "content": [{"type": "text", "text": "Score: 10"}], "stop_reason": "end_turn", "usage": {"input_tokens": 5, "output_tokens": 2}}"#,
            r#""stop_reason": "end_turn""#,
        ),
        (
            Wire::Gemini,
            r#"{"candidates": [{"content": {"parts": [{"text": "Score: 10"}], "role": "model"}, "finishReason": "STOP"}], "modelVersion": "m"}"#,
            r#""finishReason": "STOP""#,
        ),
    ];
    for (wire, body, reason) in bodies {
        let known = body.find(reason).map_or(0, |at| at + reason.len());
        for end in 1..body.len() {
            let found = read_200(wire, &body[..end]);
            if end > known {
                assert_eq!(found, Ok("Score: 10".to_owned()), "{}", &body[..end]);
            } else {
                assert!(found.is_err(), "{}: {found:?}", &body[..end]);
            }
        }
        assert_eq!(
            read_200(wire, &body[..body.len() - 1]),
            Ok("Score: 10".to_owned())
        );
        let in_text = body.find("e: 10").unwrap_or(0) + 4;
        assert_eq!(read_200(wire, &body[..in_text]), Err(FailureKind::CutOff));
    }
    // Keys in order put the reason to end before the text.
    let sorted = r#"{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"Score: 1"#;
    assert_eq!(read_200(Wire::OpenAi, sorted), Err(FailureKind::CutOff));
}
