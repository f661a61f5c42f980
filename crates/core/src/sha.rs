//! SHA-256 (FIPS 180-4), piece by piece: by a crate without dependencies, or, with the feature `sha2`, by one that has the
//! instructions of the processor. Both give the same.

#[cfg(not(feature = "sha2"))]
type Hash = hmac_sha256::Hash;
#[cfg(feature = "sha2")]
type Hash = sha2::Sha256;

/// The hash of the bytes so far.
#[derive(Clone)]
pub(crate) struct Sha(Hash);

impl Sha {
    /// Of some bytes, to which more come.
    #[inline]
    pub(crate) fn begun(prefix: impl AsRef<[u8]>) -> Self {
        Self(Hash::new()).and(prefix)
    }

    /// With more bytes.
    #[inline]
    pub(crate) fn and(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.update(bytes);
        self
    }

    /// Takes more bytes.
    #[inline]
    pub(crate) fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// All 32 bytes of it.
    pub(crate) fn finalize(self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(&self.0.finalize());
        hash
    }
}

#[cfg(feature = "sha2")]
use sha2::Digest as _;

#[cfg(test)]
mod tests {
    use super::Sha;

    /// The examples of FIPS 180-2, appendix B, in pieces; and the two crates beside each other.
    #[test]
    fn it_is_sha_256() {
        let hex =
            |hash: [u8; 32]| hash.iter().map(|byte| alloc::format!("{byte:02x}")).collect::<alloc::string::String>();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(Sha::begun("a").and("").and("bc").finalize()), abc);
        let long = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        let text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(text.chars().fold(Sha::begun(""), |sha, char| sha.and([char as u8])).finalize()), long);
        for len in 0..300 {
            let bytes = alloc::vec![len as u8; len];
            assert_eq!(
                Sha::begun(&bytes[..len / 3]).and(&bytes[len / 3..]).finalize(),
                hmac_sha256::Hash::hash(&bytes)
            );
        }
    }
}
