//! Files, standard input and compressed data.

use crate::ReadError;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How messages call standard input.
const STDIN: &str = "<stdin>";

/// How messages call `path`.
pub(crate) fn display_name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { STDIN.into() } else { path.to_string_lossy() }
}

/// Opens a file, or standard input for `-`, as a stream of its decompressed bytes.
///
/// # Errors
/// When the file cannot be opened or its first bytes cannot be read.
pub fn open_text(path: impl AsRef<Path>) -> Result<Box<dyn Read>, ReadError> {
    let path = path.as_ref();
    let name = display_name(path);
    if path == Path::new("-") {
        return decompress(io::stdin().lock(), &name);
    }
    match File::open(path) {
        Ok(file) => decompress(file, &name),
        Err(source) => Err(ReadError::Open { path: name.into(), source }),
    }
}

/// The decompressed bytes of `reader`: gzip, xz, bzip2 and zstd are known by their first bytes, anything else is passed on.
pub(crate) fn decompress<'a>(mut reader: impl Read + 'a, name: &str) -> Result<Box<dyn Read + 'a>, ReadError> {
    let mut magic = [0; 6];
    let mut length = 0;
    while length < magic.len() {
        match reader.read(&mut magic[length..]) {
            Ok(0) => break,
            Ok(n) => length += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => return Err(ReadError::Read { path: name.into(), source }),
        }
    }
    let whole = io::Cursor::new(magic).take(length as u64).chain(reader);
    Ok(match &magic[..length] {
        [0x1f, 0x8b, ..] => Box::new(Archive { kind: "gzip", inner: flate2::read::MultiGzDecoder::new(whole) }),
        [0xfd, b'7', b'z', b'X', b'Z', 0] => {
            Box::new(Archive { kind: "xz", inner: liblzma::read::XzDecoder::new_multi_decoder(whole) })
        }
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => {
            Box::new(Archive { kind: "bzip2", inner: bzip2::read::MultiBzDecoder::new(whole) })
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => match zstd::stream::read::Decoder::new(whole) {
            Ok(inner) => Box::new(Archive { kind: "zstd", inner }),
            Err(source) => return Err(ReadError::Read { path: name.into(), source }),
        },
        _ => Box::new(whole),
    })
}

/// A decoder whose errors say what they were decoding.
struct Archive<R> {
    kind: &'static str,
    inner: R,
}

impl<R: Read> Read for Archive<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|e| {
            let text = format!("the {} data is damaged or cut short ({e})", self.kind);
            io::Error::new(e.kind(), text)
        })
    }
}
