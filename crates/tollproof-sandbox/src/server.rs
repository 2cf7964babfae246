//! The server: connections with limits, and the routes of all providers.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request};
use axum::http::{HeaderValue, Response};
use axum::routing::{MethodFilter, any, on};
use hyper::body::Frame;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use crate::api::{ApiError, ApiRoute, ApiSurface, Received};
use crate::control;
use crate::engine::Engine;
use crate::fault::Fault;
use crate::guard::is_welcome;
use crate::page;
use crate::providers::chosen;
use crate::reply::ApiReply;

/// The most connections served at a time; others wait. One that says nothing costs little.
const MAX_CONNECTIONS: usize = 2_048;

/// The most bodies read at a time, so that memory is bounded; others wait.
pub(crate) const MAX_BODIES: usize = 256;

/// The time the headers of a request may take, and the time a connection may wait for the next request.
const HEADER_TIME: Duration = Duration::from_secs(10);

/// The time a body may take.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The most bytes of a body.
const MAX_BODY: usize = 1 << 20;

/// The most bytes of the headers of a request.
const MAX_HEADERS: usize = 64 << 10;

/// Serves until the task is dropped.
pub(crate) async fn serve(listener: TcpListener, address: SocketAddr, engine: Arc<Engine>) {
    let routes = TowerToHyperService::new(routes(&engine));
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let permit = Arc::clone(&free).acquire_owned().await.expect("the semaphore is never closed");
        let Ok((stream, _)) = listener.accept().await else {
            // For example, the process has too many open files.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let routes = routes.clone();
        tokio::spawn(async move {
            connection(stream, address, routes).await;
            drop(permit);
        });
    }
}

async fn connection(stream: TcpStream, address: SocketAddr, routes: TowerToHyperService<Router>) {
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let routes = routes.clone();
        async move {
            if !is_welcome(request.headers(), address) {
                let body =
                    "the sandbox answers requests for its own address only, and none of other web pages\n";
                return Ok(response(ApiReply::text(403, "text/plain", body.to_owned()), None));
            }
            let answer: Result<_, Infallible> = routes.call(request.map(Body::new)).await;
            let Ok(answer) = answer;
            match answer.extensions().get::<LostAnswer>() {
                // An error of the service ends the connection before a byte is sent.
                Some(lost) => Err(*lost),
                None => Ok(answer),
            }
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(MAX_HEADERS);
    // What a client does wrong on its connection does not affect others.
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

/// The answer that is never sent.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the answer is lost, as was asked for")]
struct LostAnswer;

fn routes(engine: &Arc<Engine>) -> Router {
    let mut router = Router::new();
    for surface in chosen(&engine.options) {
        let mut of_path: BTreeMap<(String, &str), Vec<Arc<ApiRoute>>> = BTreeMap::new();
        for route in (surface.routes)(&engine.options) {
            let path = format!("/{}{}", surface.name, route.path);
            of_path.entry((path, route.method)).or_default().push(Arc::new(route));
        }
        for ((path, method), routes) in of_path {
            let filter = filter(method);
            let engine = Arc::clone(engine);
            let handler = move |params: Result<RawPathParams, _>, request: Request| {
                let mut routes = routes.iter();
                let route = routes.find(|route| route.is_for(request.headers())).cloned();
                // A parameter that is not UTF-8 is that of no path.
                let route = route.filter(|_| params.is_ok());
                call(Arc::clone(&engine), surface, route, named(params), request)
            };
            router = router.route(&path, on(filter, handler));
        }
    }
    let control = Arc::clone(engine);
    let page = Arc::clone(engine);
    let unknown = Arc::clone(engine);
    let other_method = Arc::clone(engine);
    router
        .route(
            "/_sandbox/{what}",
            any(move |request: Request| own(Arc::clone(&control), request, control::answer)),
        )
        .route("/", any(move |request: Request| own(Arc::clone(&page), request, page::answer)))
        .fallback(move |request: Request| not_found(Arc::clone(&unknown), request))
        .method_not_allowed_fallback(move |request: Request| not_found(Arc::clone(&other_method), request))
}

/// The parameters of a path, by their names.
fn named(params: Result<RawPathParams, RawPathParamsRejection>) -> Vec<(String, String)> {
    params.iter().flatten().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn filter(method: &str) -> MethodFilter {
    match method {
        "GET" => MethodFilter::GET,
        "POST" => MethodFilter::POST,
        "PUT" => MethodFilter::PUT,
        "PATCH" => MethodFilter::PATCH,
        "DELETE" => MethodFilter::DELETE,
        _ => unreachable!("the tables of routes have no other method"),
    }
}

/// A path that no route has: an error of the provider below whose name it is.
async fn not_found(engine: Arc<Engine>, request: Request) -> Response<Body> {
    let first = request.uri().path().split('/').nth(1).unwrap_or_default().to_owned();
    let surface = chosen(&engine.options).find(|it| it.name == first);
    match surface {
        Some(surface) => call(engine, surface, None, Vec::new(), request).await,
        None => {
            let names: Vec<String> = chosen(&engine.options).map(|it| format!("/{}", it.name)).collect();
            let body = format!("nothing is here; the providers are below {}\n", names.join(", "));
            response(ApiReply::text(404, "text/plain", body), None)
        }
    }
}

async fn call(
    engine: Arc<Engine>,
    surface: &'static ApiSurface,
    route: Option<Arc<ApiRoute>>,
    params: Vec<(String, String)>,
    request: Request,
) -> Response<Body> {
    let received = match receive(&engine, request, params).await {
        Ok(received) => received,
        Err(error) => return response((surface.error)(error), None),
    };
    let answered = spawn_blocking(move || engine.answer(surface, route.as_deref(), &received)).await;
    let (reply, fault) = answered.unwrap_or_else(|_| ((surface.error)(ApiError::Server), None));
    if let Some(Fault::Slow(time)) = fault {
        sleep(time).await;
    }
    response(reply, fault)
}

/// Answers a call of the sandbox's own interface, or a request for its page.
async fn own(
    engine: Arc<Engine>,
    request: Request,
    answer: fn(&Engine, &Received) -> ApiReply,
) -> Response<Body> {
    let reply = match receive(&engine, request, Vec::new()).await {
        Ok(received) => spawn_blocking(move || answer(&engine, &received)).await,
        Err(error) => Ok(control::refusal(error.status(), error.message())),
    };
    response(reply.unwrap_or_else(|_| control::refusal(500, "internal error")), None)
}

/// Reads a request within the limits.
async fn receive(
    engine: &Engine,
    request: Request,
    params: Vec<(String, String)>,
) -> Result<Received, ApiError<'static>> {
    let (parts, body) = request.into_parts();
    let _turn = if body.is_end_stream() {
        None
    } else {
        Some(engine.bodies.acquire().await.expect("the semaphore is never closed"))
    };
    let body = match timeout(BODY_TIME, to_bytes(body, MAX_BODY)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return Err(ApiError::TooLarge),
        Err(_) => return Err(ApiError::TooSlow),
    };
    Ok(Received {
        method: parts.method.as_str().to_owned(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        params,
        headers: parts.headers,
        body,
    })
}

/// An answer as it is sent.
fn response(reply: ApiReply, fault: Option<Fault>) -> Response<Body> {
    let is_assumed = !reply.assumed.is_empty();
    let length = reply.body.len();
    let body = match fault {
        Some(Fault::CutBody) => Body::new(CutBody(Some(Bytes::from(reply.body).slice(..length / 2)))),
        _ => Body::from(reply.body),
    };
    let mut response = Response::new(body);
    *response.status_mut() = reply.status.try_into().expect("providers answer with real statuses");
    if fault == Some(Fault::LostAnswer) {
        response.extensions_mut().insert(LostAnswer);
    }
    let headers = response.headers_mut();
    let mut add = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    add("x-tollproof-sandbox", if is_assumed { "assumed" } else { "documented" });
    if is_assumed {
        let ids: Vec<&str> = reply.assumed.iter().map(|it| it.fact().id).collect();
        add("x-tollproof-sandbox-assumption", &ids.join(", "));
    }
    if let Some(content_type) = reply.content_type {
        add("content-type", content_type);
    }
    if fault == Some(Fault::CutBody) {
        add("content-length", &length.to_string());
    }
    reply.headers.iter().for_each(|(name, value)| add(name, value));
    response
}

/// A body that ends before all of it was sent.
struct CutBody(Option<Bytes>);

impl HttpBody for CutBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let next = self.0.take();
        Poll::Ready(Some(next.map(Frame::data).ok_or_else(|| io::ErrorKind::ConnectionAborted.into())))
    }
}
