//! The headers that stand in front of a tapped body: what they say of it stays true.

use alloc::string::String;

use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use http::{HeaderMap, Response};
use http_body::Body;

use super::{Tap, TapOptions};
use crate::body::Framing;
use crate::session::{SessionEvent, Summary};

/// What else depends on every byte of a body: RFC 9530, and what it replaced.
const DIGESTS: [&str; 4] = ["content-digest", "repr-digest", "digest", "content-md5"];

impl<On: FnMut(SessionEvent<'_>), End: FnOnce(Summary)> TapOptions<On, End> {
    /// Taps the body of a response.
    ///
    /// * Where the tap acts, `Content-Length`, `ETag` and digests go: the body may become another. Other headers stay, and if it
    ///   only watches all of them.
    /// * A body in a content coding (`Content-Encoding`) goes on untouched, and is neither watched nor acted upon, whatever was
    ///   asked for: [`Tap::watching`] says so.
    /// * Unless it was said before, `Content-Type` says what the framing is.
    pub fn response<B: Body>(mut self, response: Response<B>) -> Response<Tap<B, On, End>> {
        let (mut parts, body) = response.into_parts();
        if is_encoded(&parts.headers) {
            return Response::from_parts(parts, Tap::of(body, None, None));
        }
        if self.act.is_some() {
            parts.headers.remove(CONTENT_LENGTH);
            parts.headers.remove(ETAG);
            DIGESTS.iter().for_each(|digest| drop(parts.headers.remove(*digest)));
        }
        let named = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        self.session.framing = self.session.framing.or_else(|| Framing::of_content_type(named?));
        Response::from_parts(parts, self.body(body))
    }
}

/// Whether a body is in a content coding. What cannot be read names one.
fn is_encoded(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(CONTENT_ENCODING).iter();
    let is_coding = |word: &str| !word.trim().is_empty() && !word.trim().eq_ignore_ascii_case("identity");
    codings.map(|value| String::from_utf8_lossy(value.as_bytes())).any(|value| value.split(',').any(is_coding))
}
