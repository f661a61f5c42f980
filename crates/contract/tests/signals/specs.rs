//! What is wrong with a spec is told with its place.

use thusfar_contract::Signals;

#[test]
fn the_place_and_the_reason_are_told() {
    let cases = [
        (r#"{"targets":[{"name":"v","type":"text","type":"number"}]}"#, "", "member \"type\" stands twice"),
        (r#"{"targets":[],"targets":[]}"#, "", "member \"targets\" stands twice at line 1"),
        (
            r#"{"targets":[{"name":"v","type":"enum","values":["a"],"aliases":{"a":["x"],"a":["y"]}}]}"#,
            "",
            "member \"a\" stands twice",
        ),
        (r#"{"targets":["#, "", "not JSON"),
        (
            r#"{"targets":[{"name":"v","type":"enum","values":["a"],"aliases":{"a":["x",7]}}]}"#,
            "/targets/0/aliases/a/1",
            "text",
        ),
        (
            r#"{"targets":[{"name":"v","type":"enum","values":["a","b"],"aliases":{"a":["x","b"]}}]}"#,
            "/targets/0/aliases/a/1",
            "stands for two values",
        ),
        (
            r#"{"targets":[{"name":"v","type":"enum","values":["a","A"]}]}"#,
            "/targets/0/values/1",
            "stands for two values",
        ),
        (r#"{"targets":[{"name":"v","type":"number","min":5,"max":1}]}"#, "/targets/0/min", "greater than `max`"),
    ];
    for (spec, path, message) in cases {
        let error = Signals::from_spec(spec).map(drop).expect_err(spec);
        assert_eq!(error.path(), path, "{spec}: {error}");
        assert!(error.to_string().contains(message), "{spec}: {error}");
    }
}

#[test]
fn every_kind_of_value_in_a_spec_is_read() {
    let spec =
        r#"{"targets":[{"name":"a","type":"number","min":-1,"max":2.5,"scale":10},{"name":"b","type":"boolean"}]}"#;
    let found = Signals::from_spec(spec).expect("a spec").extract("a: 2.5/10\nb: no", thusfar_core::Ending::Stop);
    assert!(found.is_ok(), "{found:?}");
}
