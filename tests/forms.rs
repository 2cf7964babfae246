//! Drafts in notes and programs, as the command line reads them.

use proptest::prelude::*;

use crate::support::{Folder, cases, formats};

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
           optInType: 'NONE', messageVolume: '7', tollfreePhoneNumberSid: 'PN55aa31c0de94a4b6f8a3be1702cd9f55',\n  ...auth('{token}'),\n\
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
         \n{sid}: the account\n\ntoken: {token}\n**Sample message:** Fern Cafe: your table is free.\n\n```sh\ncurl -u \"fern:{five}\" https://api.example.com\n```\n"
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

/// The text of a program in a language with a website in one of its literals.
fn literal(language: &str, quote: &str) -> String {
    let (open, close) = match language {
        "ts" => ("await client.messaging.v1.tollfreeVerifications.create({\n", "});\n"),
        "py" => ("client.messaging.v1.tollfree_verifications.create(**{\n", "})\n"),
        "rb" => ("client.messaging.v1.tollfree_verifications.create({\n", "})\n"),
        _ => ("var form = map[string]string{\n", "}\n"),
    };
    let fields = [("BusinessName", "Fern Cafe LLC"), ("MessageVolume", "100"), ("OptInType", "WEB_FORM")];
    let arrow = if language == "rb" { "=>" } else { ":" };
    let fields: String =
        fields.iter().map(|(name, value)| format!("  \"{name}\"{arrow} \"{value}\",\n")).collect();
    format!("{open}{fields}  \"BusinessWebsite\"{arrow} {quote}VALUE{quote},\n{close}")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_literal_is_fixed_as_its_language_writes_it(
        // Signs that quotation marks, escapes and values in strings begin with.
        path in proptest::collection::vec(prop_oneof!["[a-z]{1,3}", "[$#'`{}~()]", Just("${a}".to_owned())], 0..8),
        language in prop_oneof![Just(("ts", "'")), Just(("ts", "`")), Just(("py", "'")), Just(("rb", "'")), Just(("rb", "\"")), Just(("go", "`"))],
    ) {
        let (language, quote) = language;
        let path: String = path.concat();
        // As a person writes it in such a literal, without the scheme.
        let escaped: String = path.chars().map(|sign| match sign {
            '$' | '#' | '\'' | '`' if quote == "`" && language == "ts" || quote == sign.to_string() => format!("\\{sign}"),
            '#' if language == "rb" && quote == "\"" => "\\#".to_owned(),
            sign => sign.to_string(),
        }).collect();
        prop_assume!(!(language == "go" && path.contains('`')));
        let value = format!("www.ferncafe.com/{path}");
        let name = format!("verify.{language}");
        let text = literal(language, quote).replace("VALUE", &format!("www.ferncafe.com/{escaped}"));
        let folder = Folder::new("forms-literals").file(&name, &text);
        let website = || {
            let ran = folder.run(&["drafts", &name, "--output-format", "json"]);
            let list: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
            list[0]["drafts"][0]["fields"]["BusinessWebsite"]["value"].as_str().map(str::to_owned)
        };
        prop_assert_eq!(website(), Some(value.clone()), "{}", text);
        folder.run(&["check", "--fix", &name]);
        let fixed = std::fs::read_to_string(folder.0.join(&name)).expect("UTF-8");
        let now = website();
        prop_assert!(now == Some(value.clone()) && fixed == text || now == Some(format!("https://{value}")), "{}\n{}", text, fixed);
        if path.chars().all(|sign| sign.is_ascii_lowercase()) {
            prop_assert_eq!(now, Some(format!("https://{value}")), "{}", fixed);
        }
    }
}

#[test]
fn what_is_joined_or_computed_is_left_with_its_reason() {
    let fields = "  businessName: 'Fern Cafe LLC',\n  messageVolume: '100',\n  optInType: 'web form',\n";
    let program =
        |more: &str| format!("client.messaging.v1.tollfreeVerifications.create({{\n{fields}{more}}});\n");
    for (value, reason) in [
        ("'ferncafe' + '.com'", "this text is not written in one piece"),
        ("`ferncafe.com/${page}`", "the program computes a part of this text"),
    ] {
        let text = program(&format!("  businessWebsite: {value},\n"));
        let folder = Folder::new("forms-joined").file("verify.ts", &text);
        let ran = folder.run(&["check", "verify.ts", "--fix", "--output-format", "json"]);
        assert!(ran.out.contains(&format!("{reason}, so `--fix` leaves it to you")), "{}", ran.out);
        let fixed = std::fs::read_to_string(folder.0.join("verify.ts")).expect("UTF-8");
        assert_eq!(fixed, text.replace("'web form'", "'WEB_FORM'"), "the others are fixed");
    }
}

#[test]
fn notes_that_name_no_provider_say_so_and_take_the_one_that_is_named() {
    let notes = "# Texts\n\n**Business name:** Fern Cafe LLC\n**Website:** https://ferncafe.com\n**Volume:** 100/mo\n\
        **Opt-in type:** Web form\n**Use case description:** Guests who asked for it get a text when their table is …\n";
    let folder = Folder::new("forms-provider").file("notes.md", notes);
    let run = |args: &[&str]| {
        let ran = folder.run(args);
        (ran.out, ran.err)
    };
    let (out, _) = run(&["check", "notes.md"]);
    assert!(out.contains("No provider is named in notes.md, so Bird's fields are assumed"), "{out}");
    let (out, _) = run(&["drafts", "notes.md"]);
    assert!(out.contains("no provider named: Bird's fields are assumed"), "{out}");
    let (_, err) = run(&["new", "--from", "notes.md", "-o", "-"]);
    assert!(err.contains("names no provider, so the draft is for Bird"), "{err}");
    assert!(err.contains("`useCaseSummary` has `…` in it"), "{err}");
    for (provider, name) in
        [("twilio", "BusinessWebsite"), ("aws", "companyInfo.website"), ("telnyx", "corporateWebsite")]
    {
        let named = |args: &[&str]| run(&[args, &["--provider", provider]].concat());
        let (out, _) = named(&["check", "notes.md", "--min-severity", "info", "--output-format", "concise"]);
        let is_other = |line: &&str| line.contains("unknown-kind") || line.contains("unknown-field");
        let others: Vec<&str> =
            out.lines().filter(is_other).filter(|line| !line.contains("optInType")).collect();
        assert!(others.is_empty() && !out.contains("No provider is named"), "{provider}: {out}");
        let (out, _) = named(&["drafts", "notes.md"]);
        assert!(out.contains(&format!("({provider})")) && out.contains(name), "{out}");
        let (out, err) = named(&["new", "--from", "notes.md", "-o", "-"]);
        let last = name.rsplit('.').next().expect("it has a part");
        assert!(out.contains(last) && out.contains("100/mo"), "{provider}: {out}{err}");
        let (out, _) = named(&["explain", "notes.md", "--text", "The business name does not match."]);
        assert!(!out.contains("unknown-kind"), "{out}");
    }
    // So does the provider of the settings.
    let folder = folder.file("tollproof.yaml", "provider: twilio\n");
    let ran = folder.run(&["check", "notes.md", "--output-format", "concise"]);
    assert!(ran.out.contains("for Twilio") && !ran.out.contains("unknown-field"), "{}", ran.out);
    // Another provider than the assumed one may have a field.
    let folder =
        folder.file("policy.md", format!("{notes}**Privacy policy:** https://ferncafe.com/privacy\n"));
    let ran = folder.run(&["check", "policy.md", "--no-config", "--output-format", "concise"]);
    assert!(ran.out.contains("policy.md:") && !ran.out.contains("unknown-field"), "{}", ran.out);
}

#[test]
fn payloads_below_any_key_are_found_by_their_fields() {
    let payload = r#"{ "BusinessName": "Fern Cafe LLC", "BusinessWebsite": "https://ferncafe.com", "MessageVolume": "100",
        "OptInType": "WEB_FORM", "UseCaseSummary": "Guests who asked for it get a text when their table is free.",
        "ProductionMessageSample": "Fern Cafe: your table is free." }"#;
    for (text, count) in [
        (format!(r#"{{ "verificationParams": {payload} }}"#), 1),
        (format!(r#"{{ "name": "Fern", "region": "US", "tollFree": {payload} }}"#), 1),
        (format!(r#"{{ "app": {{ "texting": {{ "twilio": {payload} }} }} }}"#), 1),
        (format!(r#"{{ "cafe": {payload}, "inn": {payload} }}"#), 2),
        (format!(r#"{{ "clients": [{payload}, {payload}] }}"#), 2),
    ] {
        let folder = Folder::new("forms-wrappers").file("config.json", &text);
        for path in ["config.json", "."] {
            let ran = folder.run(&["check", path, "--output-format", "json"]);
            let report: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
            assert_eq!(report["summary"]["documents"], count, "{path} {text}: {}", ran.out);
            assert!(ran.out.contains("message/missing-opt-out"), "{text}: {}", ran.out);
        }
    }
    // Words and types of the same fields are not drafts.
    for other in [
        r#"{ "en": { "BusinessName": "Business name", "BusinessWebsite": "Website", "MessageVolume": "Message volume", "OptInType": "Opt-in type", "UseCaseSummary": "Use case summary" } }"#,
        r#"{ "properties": { "BusinessName": { "type": "string" }, "BusinessWebsite": { "type": "string" }, "MessageVolume": { "type": "string" }, "OptInType": { "type": "string" }, "UseCaseSummary": { "type": "string" } } }"#,
        r#"{ "types": { "BusinessName": "string", "BusinessWebsite": "string", "NotificationEmail": "string", "MessageVolume": "string", "OptInType": "string", "UseCaseSummary": "string" } }"#,
    ] {
        let folder = Folder::new("forms-no-wrappers").file("other.json", other);
        let ran = folder.run(&["check", ".", "--output-format", "concise"]);
        assert_eq!(ran.out, "", "{other}: {}", ran.out);
    }
}

#[test]
fn a_short_draft_in_a_program_is_found_in_its_folder() {
    let program = r#"await client.messaging.v1.tollfreeVerifications.create({
  tollfreePhoneNumberSid: process.env.NUMBER_SID, businessName: "Fern Cafe LLC", businessWebsite: "https://ferncafe.com",
  notificationEmail: "office@ferncafe.com", useCaseCategories: ["DELIVERY_NOTIFICATIONS"], messageVolume: "100",
  useCaseSummary: "We text customers.", productionMessageSample: "Your order is ready for pickup.", optInType: "WEB_FORM",
});
"#;
    let labels = r#"export const labels = {
  businessName: "Business name", businessWebsite: "Website", notificationEmail: "E-mail", messageVolume: "Messages a month",
  useCaseCategories: "Use case", useCaseSummary: "Summary", productionMessageSample: "Sample message", optInType: "Opt-in",
};
"#;
    let folder = Folder::new("forms-short").file("verify.ts", program).file("labels.ts", labels);
    let ran = folder.run(&["check", ".", "--output-format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(report["summary"]["documents"], 1, "{}", ran.out);
    assert!(
        ran.out.contains("use-case/vague-summary") || ran.out.contains("message/missing-brand"),
        "{}",
        ran.out
    );
}

#[test]
fn what_a_text_lacks_may_be_in_the_part_that_the_program_computes() {
    let program = r#"await client.messaging.v1.tollfreeVerifications.create({
  businessName: "Fern Cafe LLC",
  businessWebsite: "https://ferncafe.com",
  notificationEmail: "office@ferncafe.com",
  optInType: "WEB_FORM",
  messageVolume: "1,000",
  productionMessageSample: SAMPLE,
});
"#;
    for (sample, rules) in [
        ("`${brand}: your table is free. ${footer}`", &[][..]),
        ("brand + \": your table is free. \" + footer", &[]),
        ("\"Your table is free.\"", &["message/missing-brand", "message/missing-opt-out"]),
    ] {
        let folder = Folder::new("forms-computed").file("verify.ts", program.replace("SAMPLE", sample));
        let ran = folder.run(&["check", "verify.ts", "--output-format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        let findings = report["findings"].as_array().expect("a list").iter();
        assert!(findings.clone().all(|finding| finding["format"] == "program"), "{sample}: {}", ran.out);
        let mut found: Vec<&str> = findings.filter_map(|finding| finding["rule"].as_str()).collect();
        found.retain(|rule| rule.starts_with("message/"));
        assert_eq!(found, rules, "{sample}: {}", ran.out);
    }
}
