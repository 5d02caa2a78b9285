//! The files of the page, as built by `web/build.sh --page`.

/// A file of the page: its name, its media type and its content.
pub(super) struct File(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static [u8],
);

/// Includes a file of the page.
macro_rules! file {
    ($name:literal, $kind:literal) => {
        File(
            $name,
            $kind,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/site/", $name)),
        )
    };
}

/// The files of the page without those of the WebAssembly engine.
pub(super) const FILES: [File; 4] = [
    file!("index.html", "text/html; charset=utf-8"),
    file!("icon.svg", "image/svg+xml"),
    file!("main.js", "text/javascript; charset=utf-8"),
    file!("style.css", "text/css; charset=utf-8"),
];
