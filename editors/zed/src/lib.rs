//! Starts `tollproof lsp` for Zed: the program in the settings, or else the one in the PATH.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{register_extension, Command, Extension, LanguageServerId, Result, Worktree};

struct Tollproof;

impl Extension for Tollproof {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree).ok();
        let binary = settings.and_then(|it| it.binary);
        let named = binary.as_ref().and_then(|it| it.path.clone());
        let command = named.or_else(|| worktree.which("tollproof")).ok_or(
            "`tollproof` is not in your PATH: install it, or set `lsp.tollproof.binary.path` in the settings",
        )?;
        let args = binary.and_then(|it| it.arguments).unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }
}

register_extension!(Tollproof);
