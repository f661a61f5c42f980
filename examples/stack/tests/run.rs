//! Every example runs: each asserts what it shows.

#[path = "../agent.rs"]
mod agent;
#[path = "../beside_async_openai.rs"]
mod beside_async_openai;
#[path = "../early.rs"]
mod early;
#[path = "../proxy.rs"]
mod proxy;

#[test]
fn early_hangs_up() {
    early::main().expect("it shows what it says");
}

#[test]
fn the_proxy_ends_what_is_lost() {
    proxy::main().expect("it shows what it says");
}

#[test]
fn the_agent_asks_again() {
    agent::main().expect("it shows what it says");
}

#[test]
fn a_cut_is_told_beside_async_openai() {
    beside_async_openai::main().expect("it shows what it says");
}

#[test]
fn nothing_brings_tls() {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).expect("a file");
    let has = |name: &str| lock.contains(&format!("\nname = \"{name}\"\n"));
    assert!(has("reqwest") && has("async-openai"), "names are found");
    for name in ["rustls", "native-tls", "openssl", "openssl-sys", "ring", "aws-lc-rs"] {
        assert!(!has(name), "{name} is there");
    }
}
