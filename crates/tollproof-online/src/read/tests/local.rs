//! Models of servers on this machine, in the shapes that the servers have.

use super::*;
use crate::read::LocalModel;

fn port(server: &TestServer) -> u16 {
    let url: url::Url = server.url.parse().expect("it is an address");
    url.port().expect("it has a port")
}

#[test]
fn the_largest_model_that_answers_is_first() {
    let llama = server(&[http(
        200,
        "",
        r#"{"object":"list","data":[{"id":"SmolLM2-135M-Instruct.gguf","owned_by":"llamacpp","meta":{"n_params":134515008}}]}"#,
    )]);
    let studio = server(&[http(
        200,
        "",
        r#"{"object":"list","data":[{"id":"qwen/qwen3-30b-a3b","object":"model"},{"id":"text-embedding-nomic-embed-text-v1.5","object":"model"},{"id":"mystery","object":"model"}]}"#,
    )]);
    let ollama = server(&[
        http(
            200,
            "",
            r#"{"object":"list","data":[{"id":"qwen3:latest","object":"model","created":1,"owned_by":"library"}]}"#,
        ),
        http(
            200,
            "",
            r#"{"models":[{"name":"qwen3:latest","size":5200000000,"details":{"format":"gguf","parameter_size":"8.2B"}}]}"#,
        ),
    ]);
    let other = server(&[http(404, "", "no")]);
    let ports = [port(&llama), port(&studio), port(&ollama), port(&other), 1];
    let found = LocalModel::all(Some(&ports));
    let names: Vec<(&str, bool)> =
        found.iter().map(|model| (model.name.as_str(), model.is_too_small())).collect();
    assert_eq!(
        names,
        [
            ("qwen/qwen3-30b-a3b", false),
            ("qwen3:latest", false),
            ("SmolLM2-135M-Instruct.gguf", true),
            ("mystery", false)
        ]
    );
    assert_eq!(found[0].url, format!("http://127.0.0.1:{}/v1", port(&studio)));
    assert_eq!((found[1].server, found[1].billions), ("Ollama", Some(8.2)));
    assert_eq!((found[2].server, found[2].url.is_empty()), ("llama.cpp", false));
    assert!(ollama.requests()[1].starts_with("GET /api/tags HTTP/1.1\r\n"));
    for server in [&llama, &studio, &other] {
        let [request] = &server.requests()[..] else { panic!("one request is enough") };
        assert!(request.starts_with("GET /v1/models HTTP/1.1\r\n"), "{request}");
        assert!(!request.to_lowercase().contains("authorization"), "{request}");
    }
}
