//! Compresses the rules, vocabulary, providers and languages of the page that `tollproof page` writes, and says where the
//! built page is: in the repository, or in the folder that TOLLPROOF_PAGE names.

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // `strip` of a profile is lost for a package that has its own `opt-level`, as this one has; symbols are a fifth of the
    // program.
    if env("PROFILE") == "release" && env("CARGO_CFG_TARGET_OS") == "linux" {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
    #[cfg(feature = "page")]
    page::compress_all();
}

#[cfg(feature = "page")]
mod page {
    use std::fs::{self, File};
    use std::io::Write as _;
    use std::path::{Path, PathBuf};
    use std::{env, io};

    use lzma_rust2::{CheckType, LzmaOptions, XzOptions, XzWriter};

    pub(super) fn compress_all() {
        println!("cargo::rerun-if-env-changed=TOLLPROOF_PAGE");
        let in_repository = || Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/cli/page");
        let page = env::var_os("TOLLPROOF_PAGE").map_or_else(in_repository, PathBuf::from);
        println!("cargo::rustc-env=TOLLPROOF_PAGE={}", page.display());
        // The build script of tollproof-core prepared them.
        let prepared = env::var("DEP_TOLLPROOF_RULES_PAGE").expect("tollproof-core says where they are");
        println!("cargo::rerun-if-changed={prepared}");
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let bytes = fs::read(prepared).expect("tollproof-core wrote it");
        compress(&bytes, &out.join("rules.xz")).expect("OUT_DIR is writable");
        let languages =
            env::var("DEP_TOLLPROOF_RULES_LANGUAGES").expect("tollproof-core says where they are");
        for code in ["es", "fr"] {
            let prepared = PathBuf::from(&languages).join(format!("{code}.bin"));
            println!("cargo::rerun-if-changed={}", prepared.display());
            let bytes = fs::read(prepared).expect("tollproof-core wrote it");
            compress(&bytes, &out.join(format!("{code}.xz"))).expect("OUT_DIR is writable");
        }
    }

    /// Compresses bytes as `xz -6e --check=none` does: a check of the sum is a seventh of the time to unpack.
    fn compress(bytes: &[u8], path: &Path) -> io::Result<()> {
        let mut options = XzOptions::with_preset(6);
        options.lzma_options.nice_len = LzmaOptions::NICE_LEN_MAX;
        options.lzma_options.depth_limit = 512;
        options.set_check_sum_type(CheckType::None);
        let mut writer = XzWriter::new(File::create(path)?, options)?;
        writer.write_all(bytes)?;
        writer.finish()?.flush()
    }
}
