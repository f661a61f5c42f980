//! What a policy says: that of the kind, and no words of the model where it must not.

use super::*;

#[test]
fn what_is_said_is_that_of_the_kind() {
    let words = Wording::ALL.iter().fold(Words::default(), |words, wording| {
        words.with(*wording, format!("{}: {{message}}{{schema}}", wording.as_str())).expect("known placeholders")
    });
    let options = budget(100, 1000).words(words);
    for (name, wanted) in [
        ("literal", Some("malformation: not a JSON value")),
        ("comma", Some("malformation: expected `,` or a closer, found `2`")),
        ("ambiguous", Some("ambiguous: the reply holds different documents")),
        ("mismatch", Some("schema_mismatch: the reply does not follow the schema")),
        ("veto", Some("schema_mismatch: the reply was refused [no_numbers]")),
        ("unclosed", Some("unclosed: not closed yet")),
        ("nothing", Some("nothing_found: no document in the reply")),
        ("cut", None),
        ("slow", None),
        ("runaway", None),
    ] {
        let mut retry = Retry::new(options.clone());
        let Step::Call(call) = retry.after(&came(name).case(), NOW, 0) else { panic!("{name}") };
        assert_eq!(call.text.as_deref(), wanted, "{name}");
        assert_eq!(call.prefill, None);
    }
    let mut retry = Retry::new(options.schema("{}"));
    let Step::Call(call) = retry.after(&came("nothing").case(), NOW, 0) else { panic!("restated") };
    assert_eq!(call.text.as_deref(), Some("restate_schema: no document in the reply```\n{}\n```"));
}

#[test]
fn what_is_said_holds_no_words_of_the_model_if_it_must_not() {
    let options = budget(1, 9).quote(Quote::Nothing).repaired(Repaired::ReAsk);
    for text in
        ["{\"canary\": canary}", "{\"canary\": [\"canary\"", "canary", "{\"n\": 7, \"canary\": 1}", "{\"canary\": 1,}"]
    {
        let mut retry = Retry::new(options.clone());
        let came = read(text, Ending::Stop);
        let Step::Call(call) = retry.after(&came.case(), NOW, 0) else { panic!("{text}") };
        let said = call.text.expect("something is said");
        assert!(!said.contains("canary"), "{said}");
    }
}
