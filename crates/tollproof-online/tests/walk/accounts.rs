//! The accounts that the sandbox has for each provider without settings.

/// The account of a provider.
pub(crate) fn account_of(provider: &str) -> &'static str {
    match provider {
        "bird" => "b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
        "twilio" => "AC5a6d0b0c7e1f4d2a9b3c8e7f60718293",
        "bandwidth" => "9900000",
        "plivo" => "MASANDBOX00000000000",
        "aws" => "us-west-2",
        _ => "",
    }
}
