//! Programs in many languages, as people write submissions in them.

use crate::provider::read_fields::ReadField;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

/// The drafts that are read of a file: for each its fields, `?` for a computed one.
pub(super) fn read(name: &str, text: &str) -> Vec<Vec<(String, String)>> {
    let source = Source::new(name, text);
    let parsed = Parsed::of(&source, None);
    assert_eq!(parsed.format(), Format::Program, "{name}");
    let whole = parsed.whole();
    let roots = whole.documents().filter_map(|document| document.document().root.clone());
    let fields = roots.map(|root| {
        let said = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
        let field = |field: ReadField<'_>| {
            (field.name, field.values.iter().map(said).collect::<Vec<_>>().join(" | "))
        };
        ReadField::of(&root).into_iter().map(field).collect::<Vec<_>>()
    });
    fields.filter(|fields| !fields.is_empty()).collect()
}

/// The same fields in each language.
const SAME: [(&str, &str); 21] = [
    (
        "b.ts",
        "const SITE = 'https://juniper.co' as const;\nconst WHO = { businessName: 'Juniper & Co', messageVolume: '10' } satisfies Partial<Draft>;\n\
        const draft = { ...WHO, businessWebsite: SITE, messageVolume: '1,000', useCaseSummary: dedent`\n  We text who asks.\n` };",
    ),
    (
        "c.ts",
        "create({ businessName: 'Juniper & Co', businessWebsite: 'https://juniper.co', messageVolume: '1,000', useCaseSummary: ['We text', 'who asks.'].join(' ') });",
    ),
    (
        "b.php",
        "<?php $summary = <<<'TXT'\n  We text who asks.\n  TXT;\nclass X { const WHO = ['businessName' => 'Juniper & Co', 'businessWebsite' => 'https://juniper.co'];\n\
        function f() { return self::WHO + ['messageVolume' => env('V', '1,000'), 'useCase' => null, 'useCaseSummary' => preg_replace('/\\s+/', ' ', $summary)]; } }",
    ),
    (
        "c.php",
        "<?php $x = ['businessName' => 'Juniper & Co', 'businessWebsite' => 'https://juniper.co', 'messageVolume' => '1,000',\n  'useCaseSummary' => implode(' ', ['We text', 'who asks.'])];",
    ),
    (
        "b.java",
        "var x = Map.of(\"businessName\", \"Juniper & Co\", \"businessWebsite\", \"https://juniper.co\", \"messageVolume\", \"1,000\",\n  \"useCaseSummary\", String.join(\" \", \"We text\", \"who asks.\"));",
    ),
    (
        "b.tf",
        "variable \"site\" {\n  default = \"https://juniper.co\"\n}\nlocals {\n  fields = merge({ x = 1 }, {\n    \"businessName\" = \"Juniper & Co\"\n    \"businessWebsite\" = var.site\n    \
        \"messageVolume\" = format(\"%s\", \"1,000\")\n    \"useCaseSummary\" = trimspace(<<-EOT\n      We text who asks.\n    EOT\n    )\n  })\n}",
    ),
    (
        "a.rs",
        "const SITE: &str = \"https://juniper.co\";\nfn f() -> X { X { business_name: String::from(\"Juniper & Co\"), business_website: SITE.to_owned(), message_volume: r#\"1,000\"#.into(),\n  \
        use_case_summary: concat!(\"We text \", \"who asks.\").into() } }\n#[cfg(test)]\nmod tests { fn g() { X { business_name: \"A\".into(), use_case_summary: \"b\".into(), message_volume: \"1\".into() } } }",
    ),
    (
        "a.sql",
        "INSERT INTO drafts (venue, business_name, business_website, message_volume, use_case_summary)\nVALUES ('x', 'Juniper & Co', 'https://juniper.co', '1,000', 'We text ' || 'who asks.');",
    ),
    (
        "a.ts",
        "await create({ businessName: 'Juniper & Co', businessWebsite: SITE, messageVolume: `1,000`, useCaseSummary: 'We text ' +\n  'who asks.' });\nconst SITE = \"https://juniper.co\";",
    ),
    (
        "a.py",
        "SITE = \"https://juniper.co\"\ncreate(businessName=\"Juniper & Co\", businessWebsite=f\"{SITE}\", messageVolume='1,000', useCaseSummary=(\"We text \"\n  \"who asks.\"))",
    ),
    (
        "a.go",
        "const SITE = \"https://juniper.co\"\nfunc f() {\n  v.Set(\"businessName\", \"Juniper & Co\")\n  v.Set(\"businessWebsite\", SITE)\n  v.Set(\"messageVolume\", `1,000`)\n  v.Set(\"useCaseSummary\", \"We text \"+\n    \"who asks.\")\n}",
    ),
    (
        "a.rb",
        "SITE = 'https://juniper.co'\ncreate(businessName: 'Juniper & Co', 'businessWebsite' => SITE, :messageVolume => '1,000', useCaseSummary: \"We text who asks.\")",
    ),
    (
        "a.php",
        "<?php $site = 'https://juniper.co';\n$x = ['businessName' => 'Juniper & Co', 'businessWebsite' => $site, 'messageVolume' => '1,000', 'useCaseSummary' => 'We text ' . \"who asks.\"];",
    ),
    (
        "a.ps1",
        "$site = 'https://juniper.co'\n$x = @{\n  businessName = 'Juniper & Co'\n  businessWebsite = \"$site\"\n  messageVolume = '1,000'\n  useCaseSummary = 'We text who asks.'\n}",
    ),
    (
        "a.cs",
        "const string Site = \"https://juniper.co\";\nnew Options { businessName = \"Juniper & Co\", businessWebsite = $\"{Site}\", messageVolume = @\"1,000\", useCaseSummary = \"We text \" + \"who asks.\" };",
    ),
    (
        "a.java",
        "String SITE = \"https://juniper.co\";\nb.businessName(\"Juniper & Co\").businessWebsite(SITE).messageVolume(\"1,000\").useCaseSummary(\"We text \" +\n  \"who asks.\");",
    ),
    (
        "a.kt",
        "val SITE = \"https://juniper.co\"\nmapOf(\"businessName\" to \"Juniper & Co\", \"businessWebsite\" to \"$SITE\", \"messageVolume\" to \"1,000\", \"useCaseSummary\" to \"We text who asks.\")",
    ),
    (
        "a.tf",
        "resource \"x\" \"y\" {\n  businessName = \"Juniper & Co\"\n  businessWebsite = \"https://juniper.co\"\n  messageVolume = \"1,000\"\n  useCaseSummary = <<-EOT\n    We text who asks.\n  EOT\n}",
    ),
    (
        "a.sh",
        "SITE='https://juniper.co'\ncurl -d 'businessName=Juniper & Co' --data-urlencode \"businessWebsite=$SITE\" \\\n  -d messageVolume=1,000 -d useCaseSummary='We text who asks.'",
    ),
    (
        "b.sh",
        "SITE=${SITE:-https://juniper.co}\ncurl -d @- <<JSON\n{\"businessName\": \"Juniper & Co\", \"businessWebsite\": \"$SITE\", \"messageVolume\": \"1,000\", \"useCaseSummary\": \"We text who asks.\"}\nJSON",
    ),
    (
        "c.sh",
        "twilio create --business-name 'Juniper & Co' --business-website=https://juniper.co --message-volume 1,000 --use-case-summary \"We text who asks.\"",
    ),
];

#[test]
fn every_language_has_the_same_draft() {
    for (name, text) in SAME {
        let drafts = read(name, text);
        assert_eq!(drafts.len(), 1, "{name}: {drafts:?}");
        let said: Vec<&str> = drafts[0].iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(said, ["Juniper & Co", "https://juniper.co", "1,000", "We text who asks."], "{name}");
    }
}

#[test]
fn what_a_program_computes_is_neither_missing_nor_said() {
    let text = "create({ businessName: tenant.name, businessWebsite: process.env.SITE ?? 'https://a.co', messageVolume: '100',\n  \
        useCaseSummary: `Guests of ${tenant.name} who asked for it get a text.`, notificationEmail: mail(), optInType: 'VERBAL' })";
    let drafts = read("a.mjs", text);
    let of = |name: &str| drafts[0].iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
    assert_eq!(of("businessName"), Some("?"));
    assert_eq!(of("businessWebsite"), Some("https://a.co"));
    assert_eq!(of("useCaseSummary"), Some("Guests of … who asked for it get a text."));
    assert_eq!(of("notificationEmail"), Some("?"));
}

/// The value that is read of a field of the only draft.
fn only(name: &str, text: &str, field: &str) -> Option<String> {
    let drafts = read(name, text);
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    drafts[0].iter().find(|(own, _)| own == field).map(|(_, value)| value.clone())
}

#[test]
fn texts_that_a_shell_reads_are_followed() {
    for (name, begin, value) in [
        ("cat", "T=$(cat <<'X'\nWe text who asks.\nX\n)\n", "$T"),
        ("quoted", "T=\"$(cat <<X\nWe text who asks.\nX\n)\"\n", "$T"),
        ("read", "IFS= read -r -d '' T <<'X' || true\nWe text who asks.\nX\n", "$T"),
        ("inside", "", "$(cat <<X\nWe text who asks.\nX\n)"),
    ] {
        let text = format!(
            "{begin}curl -d businessName=Juniper -d messageVolume=100 -d businessCity=Ely --data-urlencode \"useCaseSummary={value}\"\n"
        );
        assert_eq!(only("a.sh", &text, "useCaseSummary").as_deref(), Some("We text who asks."), "{name}");
    }
    let command = "T=$(date)\ncurl -d businessName=Juniper -d messageVolume=100 -d businessCity=Ely -d useCaseSummary=$T\n";
    assert_eq!(only("a.sh", command, "useCaseSummary").as_deref(), Some("?"));
    let jq = "jq -n --arg name \"Juniper & Co\" '{businessName: $name, messageVolume: \"100\", useCaseSummary: \"We text.\"}'\n";
    assert_eq!(only("a.sh", jq, "businessName").as_deref(), Some("Juniper & Co"));
}

#[test]
fn addresses_that_are_computed_in_part_are_not_judged_and_literals_in_holes_are_literals() {
    let text = "create({ businessName: `Juniper ${'{x}'}`, businessWebsite: `https://${domain}`, businessContactEmail: `a@${domain}`, \
        privacyPolicyUrl: `https://a.co/${page}`, messageVolume: '100', useCaseSummary: 'We text who asks.' })";
    assert_eq!(only("a.ts", text, "businessName").as_deref(), Some("Juniper {x}"));
    assert_eq!(only("a.ts", text, "businessWebsite").as_deref(), Some("?"));
    assert_eq!(only("a.ts", text, "businessContactEmail").as_deref(), Some("?"));
    assert_eq!(only("a.ts", text, "privacyPolicyUrl").as_deref(), Some("https://a.co/…"));
}

#[test]
fn fields_that_methods_set_have_the_names_of_the_provider() {
    let java = "class A { void f() {\n var v = TollfreeVerification.creator(\"Juniper\", \"https://juniper.co\", \"a@juniper.co\", List.of(\"MARKETING\"),\n  \
        \"We text who asks.\", \"Juniper: hello.\", List.of(\"https://juniper.co/a\"), TollfreeVerification.OptInType.WEB_FORM, \"100\", sid)\n  \
        .setBusinessCity(\"Ely\").create();\n}}";
    assert_eq!(only("a.java", java, "BusinessCity").as_deref(), Some("Ely"));
}

#[test]
fn what_a_draft_is_made_of_is_put_together() {
    let kotlin = "// Bandwidth\nval at = Address()\nat.setName(\"Juniper\")\nat.setCity(\"Lenox\")\nval who = Contact().apply {\n  firstName = \"Ada\"\n}\n\
        r.setBusinessAddress(at)\nr.setBusinessContact(who)\nr.setUseCase(\"Alerts\")\n\
        r.setUseCaseSummary(\"\"\"\n  |We text\n  |who asks.\n  \"\"\".trimMargin())\nr.setPrivacyPolicyUrl(at.url)";
    assert_eq!(only("a.kt", kotlin, "useCaseSummary").as_deref(), Some("We text\nwho asks."));
    assert_eq!(only("a.kt", kotlin, "businessAddress.city").as_deref(), Some("Lenox"));
    assert_eq!(only("a.kt", kotlin, "businessContact.firstName").as_deref(), Some("Ada"));
    let python = "# Refused in May.\nFIRST = {'useCase': 'Mixed', 'messageVolume': '9', 'useCaseSummary': 'Texts'}\n\
        def f():\n  p: dict = {'businessName': 'Juniper'}\n  p['useCase'], p['messageVolume'] = 'Alerts', '100'\n  \
        p['useCaseSummary'] = 'We text who asks.'\n  if TRIAL:\n    p['additionalInformation'] = 'TEST'\n";
    assert_eq!(only("a.py", python, "businessName").as_deref(), Some("Juniper"));
    assert_eq!(only("a.py", python, "messageVolume").as_deref(), Some("100"));
    assert_eq!(only("a.py", python, "additionalInformation"), None);
    let shell = "SITE=https://juniper.co\ncat > fields.yaml <<YAML\ncompanyInfo:\n  companyName: Juniper\n  website: ${SITE}\n  \
        city: \"${CITY:-Lenox}\"\n  state: $(state)\nYAML\n";
    assert_eq!(only("a.sh", shell, "companyInfo.website").as_deref(), Some("https://juniper.co"));
    assert_eq!(only("a.sh", shell, "companyInfo.city").as_deref(), Some("Lenox"));
    assert_eq!(only("a.sh", shell, "companyInfo.state").as_deref(), Some("?"));
    let powershell = "$x = @{\n  BusinessName = 'Juniper'\n  MessageVolume = '100'\n  UseCaseSummary = 'We text who asks.'\n  \
        OptInImageUrls = @(\n    'https://a.co/1'\n    'https://a.co/2'\n  )\n}\n";
    assert_eq!(
        only("a.ps1", powershell, "OptInImageUrls").as_deref(),
        Some("https://a.co/1 | https://a.co/2")
    );
    let spread = "const WHO = { businessName: 'Juniper', businessCity: 'Lenox', businessCountry: 'US' };\n\
        const draft = { ...WHO, messageVolume: '100', useCaseSummary: 'We text who asks.' };\n\
        const _previous = { ...draft, useCaseSummary: 'Texts' };";
    assert_eq!(only("a.ts", spread, "useCaseSummary").as_deref(), Some("We text who asks."));
    let swift = "let b = [\"messageVolume\": \"100\", \"businessName\": \"Juniper\", \"useCaseSummary\": \"We text \\(who) today.\"]";
    assert_eq!(only("a.swift", swift, "useCaseSummary").as_deref(), Some("We text … today."));
}

#[test]
fn objects_from_elsewhere_are_noted_where_they_are_put_into_others() {
    let rest = "messageVolume: '100', useCaseSummary: 'We text who asks.', optInType: 'VERBAL'";
    let texts = [
        ("a.ts", format!("import {{ WHO }} from './who';\nsend({{ ...WHO, {rest} }});"), "...WHO"),
        ("a.js", format!("send(Object.assign({{}}, who.all, {{ {rest} }}));"), "...who.all"),
        ("a.py", format!("send(**WHO, {})", rest.replace(':', "=")), "...WHO"),
    ];
    for (name, text, wanted) in texts {
        let source = Source::new(name, text.as_str());
        let parsed = Parsed::of(&source, None);
        let whole = parsed.whole();
        let said = whole.documents().flat_map(|document| document.document().untaken().to_vec());
        assert_eq!(said.map(|part| part.name).collect::<Vec<_>>(), [wanted], "{text}");
    }
}

#[test]
fn a_notebook_is_read_as_its_program_is() {
    let code = "site = \"https://juniper.co\"\npayload = {\n  \"businessName\": \"Juniper\", \"businessWebsite\": f\"{site}/\", \"messageVolume\": 100,\n  \
        \"useCaseSummary\": (\"We text \\\"who\\\" \"\n    \"asks for it today.\"),\n}\n";
    let cell = |kind: &str, code: &str| {
        let lines: Vec<String> =
            code.split_inclusive('\n').map(|line| serde_json::Value::from(line).to_string()).collect();
        format!("{{\"cell_type\": \"{kind}\", \"source\": [\n  {}\n]}}", lines.join(",\n  "))
    };
    let text =
        format!("{{\"cells\": [{}, {}]}}", cell("markdown", "businessName: \"No\""), cell("code", code));
    let drafts = read("a.ipynb", &text);
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    let said: Vec<&str> = drafts[0].iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(said, ["Juniper", "https://juniper.co/", "100", "We text \"who\" asks for it today."]);
    let source = Source::new("a.ipynb", text.as_str());
    let parsed = Parsed::of(&source, None);
    let only = parsed.only().expect("there is one");
    let node =
        only.document().root.as_ref().and_then(|root| root.get("useCaseSummary")).expect("it is there");
    let said = node.as_str().expect("it is a text");
    for word in ["text", "asks"] {
        let at = said.find(word).expect("it is said");
        let span = crate::syntax::string_map::inner_span(&text, node, at..at + word.len());
        assert_eq!(&text[span.range()], word);
    }
}

#[test]
fn arguments_by_order_and_constants_of_closed_lists_are_read() {
    let java = "TollfreeVerification.creator(\"Juniper\", \"https://juniper.co\", \"a@juniper.co\", List.of(\"EVENTS\"),\n  \
        \"We text who asks.\", \"Juniper: your table is free.\", List.of(\"https://juniper.co/1.png\"), OptInType.WEB_FORM, \"1,000\", sid)\n  \
        .setBusinessCity(\"Lenox\").create();";
    for (field, value) in [
        ("BusinessName", "Juniper"),
        ("UseCaseSummary", "We text who asks."),
        ("OptInType", "WEB_FORM"),
        ("TollfreePhoneNumberSid", "?"),
        ("BusinessCity", "Lenox"),
    ] {
        let drafts = read("a.java", java);
        let found = drafts[0]
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(field))
            .map(|(_, value)| value.as_str());
        assert_eq!((drafts.len(), found), (1, Some(value)), "{field}: {drafts:?}");
    }
}

#[test]
fn what_an_old_function_makes_is_not_todays() {
    let made = |name: &str, summary: &str| {
        format!(
            "{name}\n    %{{\"BusinessName\" => \"Juniper\", \"MessageVolume\" => \"100\", \"BusinessWebsite\" => @site, \"UseCaseSummary\" => \"{summary}\"}}\n  end\n"
        )
    };
    let today = made("  def attrs do", "We text who asks.");
    for old in ["  def old_attrs do", "  # Rejected in May.\n  defp attrs(2) do"] {
        let text = format!("  @site \"https://juniper.co\"\n{}\n{today}", made(old, "We text."));
        let drafts = read("a.exs", &text);
        assert_eq!(drafts.len(), 1, "{drafts:?}");
        let said: Vec<&str> = drafts[0].iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(said, ["Juniper", "100", "https://juniper.co", "We text who asks."]);
    }
}

#[test]
fn fields_of_types_have_their_names_in_json_and_options_may_follow_a_value() {
    let go = "type Draft struct {\n\tName   string `json:\"businessName\"`\n\tSite   string `json:\"corporateWebsite\"`\n\tNumber string `json:\"businessRegistrationNumber,omitempty\"`\n\
        \tSteps  string `json:\"messageVolume\"`\n}\n\nvar draft = Draft{\n\tName:   \"Juniper & Co\",\n\tSite:   \"https://juniper.co\",\n\tNumber: \"12-3456789\",\n\tSteps:  \"100\",\n}\n";
    assert_eq!(only("a.go", go, "businessRegistrationNumber").as_deref(), Some("12-3456789"));
    assert_eq!(only("a.go", go, "businessName").as_deref(), Some("Juniper & Co"));
    let form = "function fill() {\n  setValue('businessName', 'Juniper & Co', { shouldDirty: true });\n  setValue('businessWebsite', 'https://juniper.co');\n\
        \x20 setValue(\n    'useCaseSummary',\n    'We text ' +\n      'who asks.',\n    { shouldValidate: true },\n  );\n  setValue('messageVolume', '100');\n}\n";
    assert_eq!(only("a.jsx", form, "businessName").as_deref(), Some("Juniper & Co"));
    assert_eq!(only("a.jsx", form, "useCaseSummary").as_deref(), Some("We text who asks."));
}

#[test]
fn a_sign_that_a_recipe_of_make_has_twice_is_one() {
    let make = "verify:\n\tcurl -u \"$$SID:$$TOKEN\" -d \"BusinessName=Juniper & Co\" -d \"MessageVolume=100\" \\\n\t  \
        -d \"UseCaseSummary=We text who owes (\\$$6.00 or $$7).\" -d \"BusinessWebsite=https://juniper.co/$$PAGE\"\n";
    assert_eq!(only("a.sh", make, "UseCaseSummary").as_deref(), Some("We text who owes ($6.00 or $7)."));
    assert_eq!(only("a.sh", make, "BusinessWebsite").as_deref(), Some("https://juniper.co/$…"));
}

#[test]
fn classes_variables_of_settings_and_workflows_may_have_a_draft() {
    let python = "class Draft(BaseModel):\n    businessName: str = Field(\"Juniper\", max_length=500)\n    corporateWebsite: str = Field(\n        \
        default=\"https://juniper.co\"\n    )\n    messageVolume: str = \"100\"\n    text = \"\"\"Left\nof all.\"\"\"\n    useCaseSummary: str = (\n        \"We text \"\n        \"who asks.\"\n    )\n";
    let settings = "TWILIO_AUTH_TOKEN=x\nTFV_BUSINESS_NAME=\"Juniper\"\nTFV_BUSINESS_WEBSITE=https://juniper.co\nTFV_MESSAGE_VOLUME=100 # a month\nTFV_USE_CASE_SUMMARY='We text who asks.'\n";
    let workflow = "on: push\njobs:\n  a:\n    steps:\n      - run: |\n          curl https://api.twilio.com \\\n            -d \"BusinessName=Juniper\" \\\n            -d \"MessageVolume=100\" \\\n            \
        -d \"BusinessWebsite=https://juniper.co\" \\\n            -d \"UseCaseSummary=We text who asks.\"\n";
    let dart = "final x = {\n  'businessName': r'Juniper',\n  'messageVolume': '100',\n  'corporateWebsite': 'https://juniper.co',\n  'useCaseSummary': '''\nWe text who asks.''',\n};\n";
    let typed = "type Draft = { businessName: string; messageVolume: string; useCaseSummary: string };\nconst x = { businessName: 'Juniper', messageVolume: '100', \
        corporateWebsite: 'https://juniper.co', useCaseSummary: 'We text who asks.' };\n";
    for (name, text) in
        [("a.py", python), (".env.sms", settings), ("a.yml", workflow), ("a.dart", dart), ("a.ts", typed)]
    {
        let drafts = read(name, text);
        assert_eq!(drafts.len(), 1, "{name}: {drafts:?}");
        let said: std::collections::BTreeSet<&str> =
            drafts[0].iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(said, ["100", "Juniper", "We text who asks.", "https://juniper.co"].into(), "{name}");
    }
}

#[test]
fn digits_of_numbers_may_be_divided() {
    let text = "x = { businessName: 'Juniper', messageVolume: 10_000, useCaseSummary: 'We text who asks.' }";
    let volume = ("messageVolume".to_owned(), "10000".to_owned());
    assert!(read("a.rb", text)[0].contains(&volume), "{:?}", read("a.rb", text));
}

#[test]
fn forms_types_and_messages_are_no_drafts() {
    for text in [
        "create({ usecase: 'CARE', messageFlow: 'People tick a box.', helpMessage: 'Juniper: call us.', optinMessage: 'You are in.', subscriberOptin: true,\n  \
            privacyPolicyLink: 'https://a.co/p', termsAndConditionsLink: 'https://a.co/t', embeddedLink: false });",
        "const LABELS = { businessName: 'Business name', useCaseSummary: 'Use case summary', businessContactEmail: 'Contact email' };",
        "interface X { businessName: string; useCaseSummary: string; corporateWebsite: string; messageVolume: string }",
        "const s = z.object({ businessName: z.string(), useCaseSummary: z.string(), corporateWebsite: z.string().url() });",
        "const empty = { businessName: '', useCaseSummary: '', corporateWebsite: '', messageVolume: '' };",
        "const ERRORS = { BusinessName: 'Business name does not match the letter', BusinessWebsite: 'The website could not be opened', \
            UseCaseSummary: 'The summary does not say who gets which messages', OptInType: 'The opt-in type does not fit the picture' };",
        "const placeholders = { BusinessName: 'e.g. Juniper LLC', NotificationEmail: 'you@juniper.co', UseCaseSummary: 'Describe the messages that you send, and how people agreed to get them', \
            OptInType: 'How do people agree?', MessageVolume: 'About how many a month?', UseCaseCategories: 'Pick one or more' };",
        "const en = { businessName: 'Legal business name', businessCity: 'City', businessZip: 'ZIP or postal code', messageVolume: 'Messages per month', \
            useCaseSummary: 'Describe in two or three sentences which messages you send and to whom.' };",
        "// await create({ businessName: 'A', useCaseSummary: 'B', corporateWebsite: 'https://c.co', messageVolume: '10' });",
    ] {
        assert_eq!(read("a.ts", text), Vec::<Vec<(String, String)>>::new(), "{text}");
    }
}

#[test]
fn escapes_lead_back_to_their_bytes() {
    let text = "x = { businessName: \"A\", messageVolume: \"10\", useCaseSummary: \"Say \\\"yes\\\" \" +\n  'and it\\'s on.' }";
    let source = Source::new("a.js", text);
    let parsed = Parsed::of(&source, None);
    let only = parsed.only().expect("there is one");
    let root = only.document().root.as_ref().expect("it was read");
    let node = root.get("useCaseSummary").expect("it is there");
    let said = node.as_str().expect("it is a text");
    assert_eq!(said, "Say \"yes\" and it's on.");
    for (word, written) in [("yes\"", "yes\\\""), ("it's", "it\\'s"), ("on", "on")] {
        let at = said.find(word).expect("it is said");
        let span = crate::syntax::string_map::inner_span(text, node, at..at + word.len());
        assert_eq!(&text[span.range()], written);
    }
}

#[test]
fn hostile_programs_are_read_within_limits() {
    let deep = format!("x = {}", "{a: [".repeat(20_000));
    let open = "x = { businessName: \"".to_owned() + &"a".repeat(100_000);
    let holes = format!("x = `{}`", "${a".repeat(20_000));
    let joined = format!("x = {{ businessName: {} 'a' }}", "'a' + ".repeat(20_000));
    let loops =
        "a = b\nb = a\nx = { businessName: a, useCaseSummary: b, corporateWebsite: a, messageVolume: '1' }"
            .to_owned();
    let odd = "\0'\u{feff}\"`<<X\n${\"é…".repeat(2_000);
    let filled = format!("@a = {}\nPOST b\n\nbusinessName={}", "x".repeat(50_000), "{{a}}".repeat(50_000));
    let lists = format!("{{{}{}", "\"formdata\": [{".repeat(200), "}]".repeat(200));
    // None of these ends.
    for (name, open) in [
        ("a.ps1", "@'\n"),
        ("a.ps1", "@\"\n"),
        ("a.rs", "r#\"\n"),
        ("a.ts", "\\\" "),
        ("a.py", "\"\"\"\\"),
        ("a.ts", "/["),
        ("a.sh", "'{'"),
        ("a.rb", "<<X\n"),
        ("a.go", "a = "),
        ("a.sh", "a="),
    ] {
        let _ = read(name, &open.repeat(5_000));
    }
    for text in [deep, open, holes, joined, loops, odd, filled, lists] {
        for name in [
            "a.ts",
            "a.py",
            "a.sh",
            "a.rb",
            "a.php",
            "a.ps1",
            "a.cs",
            "a.kt",
            "a.tf",
            "a.rs",
            "a.sql",
            "a.http",
            "a.postman_collection.json",
        ] {
            let _ = read(name, &text);
        }
    }
}

/// A request as editors send it, and collections of Postman with the same.
fn requests() -> [(&'static str, String); 5] {
    let form = "BusinessName=Juniper%20%26%20Co\n&BusinessWebsite={{ site }}\n&MessageVolume=1%2C000\n&UseCaseSummary=We text \"who\" asks.\n&PrivacyPolicyUrl={{site}}/privacy\n&ExternalReferenceId={{$guid}}";
    let json = "{\n  \"BusinessName\": \"Juniper & Co\",\n  \"BusinessWebsite\": \"{{site}}\",\n  \"MessageVolume\": \"1,000\",\n  \"UseCaseSummary\": \"We text \\\"who\\\" asks.\",\n  \
        \"PrivacyPolicyUrl\": \"{{site}}/privacy\",\n  \"ExternalReferenceId\": {{$guid}}\n}";
    let file = |body: &str| {
        format!(
            "# tollproof: ignore\n@site = https://juniper.co\n\n### List\nGET https://api.twilio.com/a?BusinessName=x\n\n### Send\n# @name send\nPOST https://api.twilio.com/a\n\
             Authorization: Basic {{{{key}}}}\n\n{body}\n\n> {{%\n  client.global.set(\"UseCaseSummary\", \"no\");\n%}}\n\n### Text\nPOST https://api.twilio.com/b\n\nBody=Hello\n"
        )
    };
    let collection = |body: &str| {
        let body = format!("{{\"url\": {{\"raw\": \"https://api.twilio.com\"}}, \"body\": {body}}}");
        format!(
            "{{\"item\": [{{\"request\": {body}, \"response\": [{{\"originalRequest\": {body}, \"body\": \"{{}}\"}}]}}],\n  \"variable\": [{{\"key\": \"site\", \"value\": \"https://juniper.co\"}}]}}"
        )
    };
    let raw = format!("{{\"mode\": \"raw\", \"raw\": {}}}", serde_json::Value::from(json));
    let pairs =
        form.replace("%20", " ").replace("%26", "&").replace("%2C", ",").replace("{{ site }}", "{{site}}");
    let pair = |pair: &str| {
        let (key, value) = pair.trim().split_once('=').expect("it is one");
        format!("{{\"key\": {:?}, \"value\": {value:?}, \"type\": \"text\"}}", key.trim_start_matches('&'))
    };
    let pairs: Vec<String> = pairs.split('\n').map(pair).collect();
    let off = "{\"key\": \"BusinessCity\", \"value\": \"Lenox\", \"disabled\": true}";
    let pairs = format!("{{\"mode\": \"urlencoded\", \"urlencoded\": [{off}, {}]}}", pairs.join(", "));
    [
        ("a.http", file(form)),
        ("a.rest", file(json)),
        ("a.md", format!("# Twilio\n\n```http\n{}```\n", file(json))),
        ("a.postman_collection.json", collection(&raw)),
        ("b.postman_collection.json", collection(&pairs)),
    ]
}

#[test]
fn requests_that_are_kept_in_files_are_read_at_their_bytes() {
    for (name, text) in requests() {
        let source = Source::new(name, text.as_str());
        let parsed = Parsed::of(&source, None);
        let only = parsed.only().expect("there is one");
        let root = only.document().root.as_ref().expect("it was read");
        let said = |name: &str| root.get(name).map(|node| node.as_str().unwrap_or("?"));
        let wanted = [
            ("BusinessName", "Juniper & Co", "Juniper"),
            ("BusinessWebsite", "https://juniper.co", "https://juniper.co"),
            ("MessageVolume", "1,000", "000"),
            ("UseCaseSummary", "We text \"who\" asks.", "asks"),
            ("PrivacyPolicyUrl", "https://juniper.co/privacy", "privacy"),
            ("ExternalReferenceId", "?", ""),
        ];
        assert_eq!(root.members().len(), wanted.len(), "{name}: {root:?}");
        assert!(!root.style.is_data(), "{name}");
        for (field, value, word) in wanted {
            assert_eq!(said(field), Some(value), "{name}: {field}");
            let node = root.get(field).expect("it is there");
            let at = value.find(word).expect("it is said");
            let span = crate::syntax::string_map::inner_span(&text, node, at..at + word.len());
            assert!(
                word.is_empty() || &text[span.range()] == word,
                "{name}: {field} {:?}",
                &text[span.range()]
            );
        }
    }
}
