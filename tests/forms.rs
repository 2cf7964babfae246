//! Drafts in notes and programs, as the command line reads them.

use crate::support::{Folder, formats};

const NOTES: &str = include_str!("cases/forms.in/notes.md");
const PROGRAM: &str = include_str!("cases/forms.in/verify.ts");

#[test]
fn text_on_standard_input_is_read_as_the_file() {
    let folder = Folder::new("forms-stdin").file("notes.md", NOTES).file("verify.ts", PROGRAM);
    for (name, text) in [("notes.md", NOTES), ("verify.ts", PROGRAM)] {
        let concise = ["--output-format", "concise"];
        let named = folder.run(&[&["check", name], &concise[..]].concat());
        let piped = folder.pipe(&[&["check", "-"], &concise[..]].concat(), text);
        assert!(named.out.contains("Twilio"), "{}", named.out);
        assert_eq!(piped.out.replace("<stdin>", name), named.out);
    }
}

/// Passwords, tokens and keys beside a draft, in the ways in which programs and notes have them.
const SECRETS: [&str; 9] = [
    "AC8f3b1c0de94a4b6f8a3be1702cd9f4a1",
    "77aa31c0de94a4b6f8a3be1702cd9f42",
    "KEY0187C5A1B2C3D4E5F60718293A4B5C6_q7Xy12",
    "marzipan-1",
    "marzipan-2",
    "marzipan/3+Kq",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6",
    "marzipan-4",
    "marzipan-5",
];

/// A program whose findings have a secret above, below, before and after them in the same line.
fn program_with_secrets() -> String {
    let [sid, token, key, one, two, three, jwt, four, five] = SECRETS;
    format!(
        "const client = twilio('{sid}', '{token}');\n\
         const basic = {{ user: 'api', password: '{one}' }};\n\
         const telnyx = new Telnyx({{ apiKey: '{key}' }});\n\
         headers.set('Authorization', 'Bearer {jwt}');\n\
         await client.messaging.v1.tollfreeVerifications.create({{\n  \
           businessName: 'Fern Cafe LLC', authToken: '{two}',\n  \
           secretAccessKey: '{three}', businessWebsite: 'ferncafe.com', // password: {five}\n  \
           notificationEmail: 'fern@ferncafe', useCaseCategories: ['CAFE'], webhookSecret: '{four}',\n  \
           useCaseSummary: 'Guests who asked for it get a text when their table is free, and nothing else at all.',\n  \
           productionMessageSample: 'Fern Cafe: your table is free, come in when you like.',\n  \
           optInType: 'NONE', messageVolume: '7', tollfreePhoneNumberSid: 'PN55aa31c0de94a4b6f8a3be1702cd9f55',\n\
         }});\n"
    )
}

/// Notes with the same number, so that a finding of each shows the other file.
fn notes_with_secrets() -> String {
    let [sid, token, key, one, two, three, jwt, four, five] = SECRETS;
    format!(
        "# Twilio\n\n| Auth token | {one} |\n|---|---|\n\n\
         API key: {key}\n**Business name:** Fern Cafe LLC · **Password:** {two}\n\
         **Website:** ferncafe.com\n**Account SID:** {sid}\n**Volume:** 7\nSecret: {three}\n\
         **Opt-in type:** none\nAuthorization: Bearer {jwt}\n**Number:** PN55aa31c0de94a4b6f8a3be1702cd9f55\n\
         password = {four}\n**Use case description:** Guests who asked for it get a text when their table is free.\n\
         token: {token}\n**Sample message:** Fern Cafe: your table is free.\n\n```sh\ncurl -u \"fern:{five}\" https://api.example.com\n```\n"
    )
}

#[test]
fn keys_beside_a_draft_are_in_no_report() {
    let folder = Folder::new("forms-secrets")
        .file("verify.ts", program_with_secrets())
        .file("notes.md", notes_with_secrets());
    let hides = |what: &str, text: &str| {
        let shown = SECRETS.iter().find(|secret| text.contains(**secret));
        assert_eq!(shown, None, "{what}: {text}");
    };
    let commands = [
        &["drafts", "notes.md", "verify.ts"][..],
        &["drafts", "notes.md", "verify.ts", "--output-format", "json"],
        &["new", "--from", "verify.ts", "-o", "-"],
        &["new", "--from", "notes.md", "-o", "-"],
        &["convert", "verify.ts", "--to", "telnyx"],
        &["preview", "verify.ts"],
    ];
    for args in commands {
        let ran = folder.run(args);
        hides(&args.join(" "), &format!("{}{}", ran.out, ran.err));
    }
    for format in formats() {
        for more in [&[][..], &["--redact"]] {
            let args =
                ["check", "verify.ts", "notes.md", "--min-severity", "info", "--output-format", format];
            let ran = folder.run(&[&args[..], more].concat());
            hides(format, &format!("{}{}", ran.out, ran.err));
            assert!(ran.out.contains("website/malformed-url"), "{format}: {}{}", ran.out, ran.err);
            let line = "secretAccessKey: **************', businessWebsite:";
            assert!(format != "full" || !more.is_empty() || ran.out.contains(line), "{}", ran.out);
        }
    }
}
