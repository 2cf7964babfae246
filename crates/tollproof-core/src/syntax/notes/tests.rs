//! Notes as people write them.

use crate::provider::read_fields::ReadField;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

fn read(name: &str, text: &str) -> Vec<Vec<(String, String)>> {
    let source = Source::new(name, text);
    let parsed = Parsed::of(&source, None);
    assert_eq!(parsed.format(), Format::Notes, "{name}");
    let whole = parsed.whole();
    let roots = whole.documents().filter_map(|document| document.document().root.clone());
    let fields = roots.map(|root| {
        let field = |field: ReadField<'_>| {
            let values: Vec<String> = field.values.into_iter().flatten().collect();
            (field.name, values.join(" | "))
        };
        ReadField::of(&root).into_iter().map(field).collect::<Vec<_>>()
    });
    fields.filter(|fields| !fields.is_empty()).collect()
}

const SUMMARY: &str = "Guests who asked for it get a text when the table is free.";

/// The same draft in several shapes.
const SAME: [(&str, &str); 30] = [
    (
        "za.md",
        "# Texts\n\n- Business name: Fern Cafe LLC\n- Volume: 100/mo\n- Website: https://fern.cafe\n\n<details>\n<summary>Rejected in May</summary>\n\n**Use case summary:** We text people.\n\n</details>\n\n\
         <details><summary><b>Use case summary</b></summary>\n\nGuests who asked for it get a text\nwhen the table is free.\n\n</details>\n\nThe end.\n",
    ),
    (
        "x.md",
        "# Texts\n\n**Q: What is the legal name of the business?**\nA: Fern Cafe LLC\n\n**Q: How many texts per month?**\nA: 100/mo\n\n**Q: What is the website?**\nA: https://fern.cafe\n\n\
         **Q: What is the summary of the use case?**\nA: Guests who asked for it\nget a text when the table is free.\n\n**Q: When do you open?**\nA: In May.\n",
    ),
    (
        "y.md",
        "# Texts\n\n## What is your legal business name?\n\nFern Cafe LLC\n\n## How many messages per month?\n\n100/mo\n\n## What is your website?\n\nhttps://fern.cafe\n\n\
         ## What is your use case?\n\nGuests who asked for it get a text\nwhen the table is free.\n\n## Who else reads this?\n\nJo, in May.\n",
    ),
    (
        "z.md",
        "1. **What is the legal name of the business?** Fern Cafe LLC\n2. **How many texts per month?** 100/mo\n3. **What is the website?** https://fern.cafe\n\
         4. **What is the summary of the use case?** Guests who asked for it get a text when the table is free.\n5. **Who signs?** Jo.\n",
    ),
    (
        "t.txt",
        "[04/02/26, 8:01:10] Ana: el formulario de textos, ya\n[04/02/26, 8:01:40] Ana: Nombre legal de la empresa?\n[04/02/26, 8:02:00] Jo: Fern Cafe LLC\n\
         [04/02/26, 8:02:11] Ana: cuántos mensajes al mes?\n[04/02/26, 8:03:00] Jo: 100/mo\n[04/02/26, 8:04:00] Ana: sitio web: https://fern.cafe\n\
         [04/02/26, 8:05:00] Ana: Descripción del caso de uso:\nGuests who asked for it\nget a text when the table is free.\n[04/02/26, 8:06:00] Jo: muy bien así\n",
    ),
    (
        "u.txt",
        "#texts\n\nMay Fern  8:01 AM\nlegal name please\n\nJo Ash  8:02 AM\nFern Cafe LLC\n:+1: 2\n\nMay Fern  8:02 AM\nmonthly volume?\n\nJo Ash  8:03 AM\n100/mo\n\n\
         May Fern  8:04 AM\nwebsite?\n\nJo Ash  8:05 AM\nhttps://fern.cafe\nFern | Cafe\n\nJo Ash  8:07 AM\nuse case summary, a first try:\n> We text the people of the cafe.\n\n\
         May Fern  8:08 AM\nuse case summary, better:\n> Guests who asked for it get a text when the table is free.\n(edited)\n\nJo Ash  8:09 AM\nthat is far too long for a text\n",
    ),
    (
        "v.eml",
        "From: may@fern.cafe\nSubject: Re: texts\n\nMorning,\n\nbelow.\n\n> Hi,\n>\n> 1. What is the legal name of the business?\n\nFern Cafe LLC\n\n> 2. How many texts a month,\n> roughly?\n\n\
         100/mo\n\n> 3. Website?\n\nhttps://fern.cafe\n\n> 4. What is your use case? Who gets the texts?\n> (One line will not do.)\n\nGuests who asked for it\nget a text when the table is free.\n\n\
         > 5. When do you open?\n\nIn May, with some luck.\n",
    ),
    (
        "w.txt",
        "Client: Fern      Taken by: May\n\nQ: Legal business name?\nA: Fern Cafe LLC\n\nQ: How many texts per month?\nA: 100/mo\n\nQ: What is the website?\nA: https://fern.cafe\n\n\
         Q: What is the summary of the use case?\nA: Guests who asked for it\n   get a text when the table is free.\n\nQ: When do we hear from you?\nA: The use case summary takes a week.\n",
    ),
    (
        "x.eml",
        "From: may@fern.cafe\nMIME-Version: 1.0\nContent-Type: multipart/alternative;\n boundary=\"b1\"\n\n--b1\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
         Business name: =46ern Cafe LLC\nVolume: 100/mo\nWebsite: https://fern.=\ncafe\nSummary: Guests who asked for it get a text=\n when the table is free.\n\n--b1\nContent-Type: text/html\n\n\
         <p>Business name: Fern</p>\n--b1--\n",
    ),
    (
        "m.org",
        "#+TITLE: Texts\n* Answers\n** Who\n   - Business name :: Fern Cafe LLC\n   - Volume :: =100/mo=\n   - Website :: [[https://fern.cafe]]\n** Use case summary\n   \
         #+begin_quote\n   Guests who asked for it get a text\n   when the table is free.\n   #+end_quote\n* First try :ARCHIVE:\n   - Use case summary :: We text people about the cafe.\n",
    ),
    (
        "n.adoc",
        "= Texts\n:site: https://fern.cafe\n\n== Who\n\nBusiness name:: Fern Cafe LLC\nVolume::\n  100/mo\nWebsite:: {site}\n\n.Use case summary\n[quote]\n____\n\
         Guests who asked for it get a text\nwhen the table is free.\n____\n\n// Use case summary:: We text people about the cafe.\n",
    ),
    (
        "o.rst",
        "=====\nTexts\n=====\n\nOld, refused in May\n===================\n\n:Volume: 10\n\nToday\n=====\n\nBusiness name\n    Fern Cafe LLC\n\nVolume\n    100/mo\n\nWebsite\n    https://fern.cafe\n\n\
         Use case summary ::\n\n    Guests who asked for it get a text\n    when the table is free.\n",
    ),
    (
        "p.rst",
        "Texts\n=====\n\n.. list-table::\n   :header-rows: 1\n\n   * - Field\n     - Value\n   * - Business name\n     - Fern Cafe LLC\n   * - Volume\n     - 100/mo\n   * - Website\n     - https://fern.cafe\n   \
         * - Use case summary\n     - Guests who asked for it get a text when the table is free.\n\nThe end.\n",
    ),
    (
        "q.wiki",
        "== Texts ==\n{| class=\"wikitable\"\n! Field !! Value\n|-\n| Business name || Fern Cafe LLC\n|-\n| Volume\n| <code>100/mo</code>\n|-\n| Website || https://fern.cafe <!-- was fern.co -->\n|-\n\
         | Use case summary || Guests who asked for it get a text when the table is free.\n|}\n",
    ),
    (
        "r.md",
        "---\ntags: [sms]\nwebsite: https://fern.cafe\n---\n\nBusiness name:: Fern Cafe LLC ^name\nVolume:: ==100/mo== %% they say 90 %%\n\n> [!quote]- Use case summary\n\
         > Guests who asked for it get a text\n> when the table is free.\n\n%%\nUse case summary:: We text people about the cafe.\n%%\n",
    ),
    (
        "s.md",
        "- **Who**\n    - Legal name\n\n        Fern Cafe LLC\n\n    - How many texts a month\n\n        100/mo\n\n- **What**\n    - Website\n\n        https://fern.cafe\n\n        ![form.png](img/form.png)\n\n    \
         - Use case summary\n        - Draft 1\n\n            ~~We text people.~~\n\n        - Final\n\n            Guests who asked for it get a text when the table is free.\n\n    - Owner: Jim\n",
    ),
    (
        "g.md",
        "Business name\n:   Fern Cafe LLC\n\nVolume\n:   100/mo\n\nWebsite\n:   <https://fern.cafe>\n\nUse case summary\n:   Guests who asked for it get a text\n    when the table is free.\n",
    ),
    (
        "h.md",
        "Business name\nFern Cafe LLC\n\nVolume\n100/mo\n\nWebsite\nhttps://fern.cafe\n\n- Use case summary\n\n    Guests who asked for it get a text when the table is free.\n",
    ),
    (
        "i.md",
        "| Legal name | Website | Volume / month | Use case summary |\n|---|---|---|---|\n| Fern Cafe LLC | https://fern.cafe | 100/mo | Guests who asked for it get a text when the table is free. |\n",
    ),
    (
        "j.txt",
        "OPS-1  the `businessName` and all\n\nh2. Form\n\n||Field||Value||\n|Business name|Fern Cafe LLC|\n|Volume|-900- 100/mo|\n|Website|[https://fern.cafe]|\n\nh3. Use case summary\n\n{noformat}\nGuests who asked for it get a text when the table is free.\n{noformat}\n\nh2. Comments\n\nVolume: 900 is what I had.\n",
    ),
    (
        "k.txt",
        "a) Business name: Fern Cafe LLC\nb) Volume: 100/mo   Website: https://fern.cafe\nc) Use case summary:\n   Guests who asked for it\n   get a text when the table is free.\n",
    ),
    (
        "l.md",
        "1. In *Business name*, write `Fern Cafe LLC`.\n2. *Volume* : `100/mo` ; *Website* : `https://fern.cafe`\n3. *Use case summary* : `Guests who asked for it get a text when the table is free.`\n",
    ),
    (
        "a.md",
        "**Business name:** Fern Cafe LLC · **Volume:** 100/mo\n**Website:** https://fern.cafe\n\n**Use case description:**\n\n> Guests who asked for it get a text\n> when the table is free.\n",
    ),
    (
        "b.md",
        "| Field | Value |\n|---|---|\n| Business name | Fern Cafe LLC |\n| Monthly volume | 100/mo |\n| Website | `https://fern.cafe` |\n| Summary | *Guests who asked for it get a text when the table is free.* |\n",
    ),
    (
        "c.md",
        "- Legal name: Fern Cafe LLC\n- volume: 100/mo (our guess)\n- site: <https://fern.cafe>\n- summary:\n  > Guests who asked for it get a text when the table is free.\n",
    ),
    (
        "d.md",
        "### Business name\nFern Cafe LLC\n\n### Monthly volume\n**Answer:** `100/mo`\n\n### Website\n[the site](https://fern.cafe)\n\n### Use case summary\n```\nGuests who asked for it get a text when the table is free.\n```\n",
    ),
    (
        "e.txt",
        "Nom de l'entreprise ..... Fern Cafe LLC\nVolume mensuel .......... 100/mo\nSite web ................ https://fern.cafe\n\nDescription :\nGuests who asked for it get a text\nwhen the table is free.\n",
    ),
    (
        "f.txt",
        "1) Nombre legal: Fern Cafe LLC\n2) Volumen mensual: 100/mo\n3) Sitio web: https://fern.cafe\n4) Descripción del caso de uso:\n   Guests who asked for it get a text when the table is free.\n",
    ),
    (
        "g.html",
        "<table><tr><th>Business name</th><td>Fern Caf&#101; LLC</td></tr><tr><th>Volume</th><td>100/mo</td></tr><tr><th>Website</th><td><a href=\"/\">https://fern.cafe</a></td></tr><tr><th>Summary</th><td><p><s>Old.</s></p><p>Guests who asked for it get a text when the table is free.</p></td></tr></table>",
    ),
    (
        "h.md",
        "**Old summary:** We text deals.\n\n~~**Business name:** Fern~~\n\n**Business name:** Fern Cafe LLC\n**Volume:** 100/mo\n**Website:** https://fern.cafe\n**Summary:** Guests who asked for it get a text when the\ntable is free.\n\n## Previous version (rejected)\n\n**Business name:** Fern\n**Summary:** We text people about the news of the cafe.\n",
    ),
];

#[test]
fn the_same_draft_is_read_in_every_shape() {
    for (name, text) in SAME {
        let drafts = read(name, text);
        assert_eq!(drafts.len(), 1, "{name}: {drafts:?}");
        let of = |role: &str| drafts[0].iter().find(|(own, _)| own == role).map(|(_, value)| value.as_str());
        assert_eq!(of("businessName"), Some("Fern Cafe LLC"), "{name}");
        assert_eq!(of("messageVolume"), Some("100/mo"), "{name}");
        assert_eq!(of("corporateWebsite"), Some("https://fern.cafe"), "{name}");
        assert_eq!(of("useCaseSummary"), Some(SUMMARY), "{name}");
        assert_eq!(drafts[0].len(), 4, "{name}: {drafts:?}");
    }
}

/// Pages of a console as they are copied: with the marks and explanations of a form, as a list, and with empty lines.
const COPIED: [&str; 4] = [
    "Draft saved\n\nLegal entity name\nRequired\nFern Cafe LLC\n\nDoing business as\n(optional)\n\n\nWebsite URL\nRequired\nhttps://fern.cafe\n+ Add another URL\n\nEstimated monthly volume\n\
     Required\n100/mo\n\nUse case category\nRequired\nSelect up to 5\nCustomer care  ×\n\nUse case description\nRequired\nSay who gets your messages.\n\
     Guests who asked for it get a text when the table is free.\n58/500\n\nEmail\nRequired\nmay@fern.cafe\n\nHelp message\n(optional)\n\n0/500\n\nBack    Save\n",
    "Step 1 of 2\n\nLegal entity name *\nAs registered. Example: Owl, Inc.\nFern Cafe LLC\n13 / 255\nWebsite URL *\nhttps://fern.cafe\nStreet address line 2 (optional)\n\n\
     Estimated monthly volume *\n100/mo                  v\n\nUse case category *\nSelect all that apply\n[ ] 2FA   [x] Customer care   [ ] Marketing\n\n\
     Use case description *\nSay who gets your messages. Example: For customers of Owl.\nGuests who asked for it get a text\nwhen the table is free.\n58 / 500\n\n\
     Email *\nWe only use it to ask.\nmay@fern.cafe\n\n[ Submit ]\n",
    "Verification\n\nLegal entity name\nFern Cafe LLC\nIndustry\nHospitality\nWebsite URL\nhttps://fern.cafe\nEstimated monthly volume\n100/mo\nUse case category\nCustomer care\n\
     Use case description\nGuests who asked for it get a text\nwhen the table is free.\nLast change\n3 March\nEmail\nmay@fern.cafe\n",
    "Legal entity name\n\nFern Cafe LLC\n\nWebsite URL\n\nhttps://fern.cafe\n\nEstimated monthly volume\n\n100/mo\n\nUse case category\n\nCustomer care\n\n\
     Use case description\n\nGuests who asked for it get a text when the table is free.\n\nEmail\n\nmay@fern.cafe\n\nClose\n",
];

#[test]
fn pages_that_were_copied_from_a_console_are_read() {
    let wanted = [
        ("businessName", "Fern Cafe LLC"),
        ("corporateWebsite", "https://fern.cafe"),
        ("messageVolume", "100/mo"),
        ("useCase", "Customer care"),
        ("useCaseSummary", SUMMARY),
        ("businessContactEmail", "may@fern.cafe"),
    ];
    for text in COPIED {
        let drafts = read("a.md", text);
        assert_eq!(drafts.len(), 1, "{text}");
        let mut found: Vec<(&str, &str)> =
            drafts[0].iter().map(|(role, value)| (role.as_str(), value.as_str())).collect();
        found.sort_by_key(|(role, _)| wanted.iter().position(|(own, _)| own == role));
        assert_eq!(found, wanted, "{text}");
    }
    let again = COPIED[1].replace("Industry\nHosp", "Registration authority\nEIN\nHosp");
    assert_eq!(read("a.md", &again).len(), 1);
    let guide = "Legal entity name\nThe name as the state has it.\nWebsite URL\nA page such as https://example.com.\nEmail\nOne at your own domain.\n\
        Phone\nWhere a person answers.\nEstimated monthly volume\nThe step you expect.\nUse case description\nWho gets your messages and why.\n";
    assert_eq!(read("a.md", guide).len(), 0);
}

#[test]
fn letters_that_a_mail_encodes_have_the_places_of_their_codes() {
    let text = "Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nBusiness name: Caf=C3=A9 LLC\n\
        Website: https://fern.cafe\nVolume: 100\nSummary: Guests get a text =E2=80=\n=9Csoon=E2=80=9D, caf=E9 or not.\n";
    let source = Source::new("a.eml", text);
    let parsed = Parsed::of(&source, None);
    let whole = parsed.whole();
    let roots: Vec<_> = whole.documents().filter_map(|document| document.document().root.as_ref()).collect();
    let node = |name: &str| roots[0].get(name).expect("it was read");
    assert_eq!(node("businessName").as_str(), Some("Café LLC"));
    assert_eq!(&text[node("businessName").span.range()], "Caf=C3=A9 LLC");
    assert_eq!(node("useCaseSummary").as_str(), Some("Guests get a text “soon”, café or not."));
    // "Twilio\nUse case summary: Guests get a text “soon”.\nVolume: 100\nBusiness name: Café LLC\n"
    let code = "VHdpbGlvClVzZSBjYXNlIHN1bW1hcnk6IEd1ZXN0cyBnZXQgYSB0ZXh0IOKAnHNvb27i\ngJ0uClZvbHVtZTogMTAwCkJ1c2luZXNzIG5hbWU6IENhZsOpIExMQwo=";
    let text = format!("Subject: x\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n{code}\n");
    let source = Source::new("a.eml", text.as_str());
    let parsed = Parsed::of(&source, None);
    let only = parsed.only().expect("there is one");
    let (document, shown) = (only.document(), source.without_keys().expect("it is a mail"));
    assert_eq!(document.declared().provider.map(|(name, _)| name), Some("twilio"));
    let node = |name: &str| document.root.as_ref().and_then(|root| root.get(name)).expect("it was read");
    assert_eq!(node("BusinessName").as_str(), Some("Café LLC"));
    assert_eq!(node("UseCaseSummary").as_str(), Some("Guests get a text “soon”."));
    assert_eq!(&text[node("MessageVolume").span.range()], "MTAw");
    assert!(!shown.text().contains("MTAw") && shown.text().contains("-Encoding: base64"));
}

#[test]
fn a_city_with_its_state_and_a_name_beside_a_first_name_are_divided() {
    for address in [
        "City, state, ZIP: Lenox, MA 01240\nStreet address: 1 Ash Lane\n",
        "Address: 1 Ash Lane, Lenox, Massachusetts 01240\n",
    ] {
        let text = format!(
            "Business name: Fern Cafe LLC      Taken by: Jo\nVolume: 100\nPrénom: May\nNom du contact: Ash\nSummary: {SUMMARY}\n{address}"
        );
        let fields = &read("a.txt", &text)[0];
        let of = |role: &str| fields.iter().find(|(own, _)| own == role).map(|(_, value)| value.as_str());
        assert_eq!(of("businessName"), Some("Fern Cafe LLC"));
        assert_eq!(of("businessContactLastName"), Some("Ash"));
        assert_eq!((of("businessCity"), of("businessZip")), (Some("Lenox"), Some("01240")), "{address}");
        assert!(of("businessState").is_some_and(|state| state.starts_with('M')), "{address}");
    }
    let text = format!(
        "Business name: Fern Cafe LLC\nVolume: 100\nCity, state, ZIP: ask May, or Jo\nSummary: {SUMMARY}\n"
    );
    assert!(!read("a.txt", &text)[0].iter().any(|(role, _)| role == "businessCity" || role == "businessZip"));
}

#[test]
fn talk_about_a_draft_and_questions_without_answers_are_none() {
    for text in [
        "May  8:01 AM\nwebsite?\n\nJo  8:02 AM\nwhich one?\n\nMay  8:03 AM\nthe use case is odd\n\nJo  8:04 AM\nyes, opt in is hard to explain to people\n\nMay  8:05 AM\nlegal name?\n\nJo  8:06 AM\nis it?\n",
        "Q: Is the website needed?\nA: Yes.\n\nQ: How do people opt in?\nA: See above.\n\nQ: Volume?\nA: It depends.\n",
    ] {
        assert_eq!(read("a.txt", text), Vec::<Vec<(String, String)>>::new(), "{text}");
    }
}

#[test]
fn notes_without_a_provider_are_read_in_the_names_of_the_one_that_is_wanted() {
    let text = format!(
        "**Business name:** Fern Cafe LLC\n**Volume:** 100\n**Website:** https://fern.cafe\n**Summary:** {SUMMARY}\n"
    );
    let name = |text: &str, provider| {
        let source = Source::new("a.md", text).for_provider(provider);
        let parsed = Parsed::of(&source, None);
        let whole = parsed.whole();
        let document = whole.documents().next().expect("there is one").document();
        let root = document.root.as_ref().expect("it was read");
        (document.declared().provider.map(|(name, _)| name.to_owned()), root.members()[0].key.to_string())
    };
    assert_eq!(name(&text, None), (None, "businessName".to_owned()));
    assert_eq!(name(&text, Some("twilio")), (Some("twilio".to_owned()), "BusinessName".to_owned()));
    // What the notes say counts more.
    assert_eq!(name(&format!("# Telnyx\n\n{text}"), Some("twilio")).0.as_deref(), Some("telnyx"));
}

#[test]
fn headings_like_labels_are_labels_where_most_are_and_a_choice_is_how_people_agree() {
    let text = "### Business name\n\nFern Cafe LLC\n\n### Expected texts per month\n\n100\n\n### Use case description\n\nGuests who asked for it get a text when the table is free.\n\n\
        ### How do people opt in?\n\n- [x] Web form\n- [ ] Paper form\n\n### Opt-in description\n\nThe form at https://fern.cafe has a box that is not ticked.\n";
    let drafts = read("a.md", text);
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    let found: Vec<(&str, &str)> =
        drafts[0].iter().map(|(role, value)| (role.as_str(), value.as_str())).collect();
    let consent = "The form at https://fern.cafe has a box that is not ticked.";
    for field in [("messageVolume", "100"), ("optInType", "Web form"), ("optInWorkflowDescription", consent)]
    {
        assert!(found.contains(&field), "{field:?}: {found:?}");
    }
}

#[test]
fn labels_beside_each_other_have_as_many_values() {
    let text = "- [x] **Business name**: Fern Cafe LLC\n- [x] **City** / **State** / **ZIP**: Lenox / MA / 01240\n- [x] **Volume**: 100\n\
        - [x] **Summary**: see below\n\n---\n\nNew `useCaseSummary`:\n\n> Guests who asked for it get a text when the table is free.\n";
    let drafts = read("a.md", text);
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    for (role, value) in [
        ("businessCity", "Lenox"),
        ("businessState", "MA"),
        ("businessZip", "01240"),
        ("useCaseSummary", SUMMARY),
    ] {
        let is_it = |(own, said): &&(String, String)| own.ends_with(role) && said == value;
        assert!(drafts[0].iter().any(|field| is_it(&field)), "{role}: {drafts:?}");
    }
}

#[test]
fn several_drafts_are_told_apart_and_the_provider_is_the_one_that_is_named() {
    let one = |name: &str| {
        format!(
            "## {name}\n\n| Field | Value |\n|---|---|\n| BusinessName | {name} LLC |\n| BusinessWebsite | https://{name}.co |\n| OptInType | VERBAL |\n| UseCaseSummary | People who asked {name} for it get a text. |\n\n"
        )
    };
    let drafts =
        read("a.md", &format!("# Twilio\n\n{}{}{}", one("alder"), one("birch"), one("cedar (withdrawn)")));
    let names: Vec<&str> = drafts.iter().map(|fields| fields[0].1.as_str()).collect();
    assert_eq!(names, ["alder LLC", "birch LLC"]);
    assert!(drafts[0].iter().all(|(name, _)| name.starts_with(char::is_uppercase)), "{drafts:?}");
}

#[test]
fn of_providers_with_the_same_names_the_one_that_is_named_is_meant() {
    let text = "# Telnyx\n\n```yaml\nbusinessName: Ash Lane Clinic LLC\nuseCase: Appointments\nmessageVolume: \"100\"\n\
        useCaseSummary: Patients who asked for it get reminders.\n```\n";
    let source = Source::new("a.md", text);
    let parsed = Parsed::of(&source, None);
    let whole = parsed.whole();
    let named = whole.documents().next().and_then(|document| document.document().declared().provider);
    assert_eq!(named.map(|(name, _)| name), Some("telnyx"));
}

#[test]
fn guides_references_and_other_registrations_are_no_drafts() {
    for text in [
        "| Field | Type | Description |\n|---|---|---|\n| businessName | string | Legal name |\n| useCaseSummary | string | Who gets what |\n| corporateWebsite | string | Address |\n",
        "### Sample message\n\nRefused: without a name, without STOP.\n\n### Use case summary\n\nRefused: notifications, texting customers.\n\n### Volume\n\nNothing is refused.\n",
        "# 10DLC campaign\n\n**Business name:** Fern Cafe LLC\n**Volume:** 100\n**Summary:** Guests who asked for it get a text today.\n**Sample:** Fern Cafe: your table is free.\n",
        "# How to verify\n\n- **Business name:** the brand instead of the legal name\n- **Website:** a page of Facebook that is not theirs\n\
            - **Sample message:** no brand, no STOP\n- **Use case summary:** says nothing about who agreed\n- **Opt-in image URL:** a folder that only they can open\n",
        "# Questions\n\n## What is your website?\n\nThe page that we ask for.\n\n## How do customers opt in?\n\nThey tick a box.\n\n## What is your use case?\n\nSee the list.\n",
        "**Status:** done\n**Owner:** Jim\n**Website:** https://foo.co\n**Company:** Foo\n**Description:** the new site\n",
    ] {
        assert_eq!(read("a.md", text), Vec::<Vec<(String, String)>>::new(), "{text}");
    }
}

#[test]
fn a_label_that_is_certain_takes_what_follows_however_short() {
    let text = "# Twilio\n\n- BusinessName: Fern Cafe LLC\n- BusinessWebsite: https://fern.cafe\n- UseCaseSummary: Marketing\n\
        - ProductionMessageSample: Sale today!\n- Opt-in workflow: Online\n- OptInImageUrls: see attached\n- Notification e-mail: n/a\n- BusinessCity: TBD\n";
    let fields = &read("a.md", text)[0];
    let said: Vec<&str> = fields.iter().map(|(_, value)| value.as_str()).collect();
    let all = ["Fern Cafe LLC", "https://fern.cafe", "Marketing", "Sale today!", "Online", "see attached"];
    assert_eq!(said, all, "{fields:?}");
    // A word alone may mean something else.
    let text = "Business name: Fern Cafe LLC\nWebsite: https://fern.cafe\nVolume: 100\nSample: fine\nUse case summary: Texts\n";
    let fields = &read("a.md", text)[0];
    assert!(!fields.iter().any(|(_, value)| value == "fine"), "{fields:?}");
}

#[test]
fn long_texts_of_data_in_a_block_are_read() {
    let text = "# Texts\n\n**Website:** https://fern.cafe\n\n```yaml\nuse_case_summary: >\n  Guests who asked for it get a text\n  when the table is free.\n\
        production_message_sample: |\n  Fern Cafe: your table is free.\nmessage_volume: '100'\nbusiness_name: Fern Cafe LLC\n```\n";
    let fields = &read("a.md", text)[0];
    let has = |said: &str| fields.iter().any(|(_, value)| value == said);
    assert!(has(SUMMARY) && has("Fern Cafe: your table is free."), "{fields:?}");
}

#[test]
fn labels_of_no_field_are_noted_beside_those_of_fields() {
    let text = format!(
        "# Fern\n\nStatus: new\n\n## Draft\n\nBusiness name: Fern Cafe LLC\n\nNickname: the Fern\n\n**API token:** abc\n\n**Opening:** in May\n\n\
         | Field | Value |\n|---|---|\n| Use case summary | {SUMMARY} |\n| Owner | Jo |\n| Address | the office |\n\n\
         Sample 1: Fern Cafe: your table is free.\nSample 2: Fern Cafe: see you at 8.\n\n## Log\n\nDone: nothing\n"
    );
    let source = Source::new("a.md", text.as_str());
    let parsed = Parsed::of(&source, None);
    let whole = parsed.whole();
    let untaken = whole.documents().flat_map(|document| document.document().untaken().to_vec());
    let untaken: Vec<String> = untaken.map(|part| part.name).collect();
    assert_eq!(untaken, ["Nickname", "Opening", "Owner", "Address"]);
    let headings = "# Fern\n\n## Use case summary\n\nGuests who asked for it get a text.\n\n## Business name\n\nFern Cafe LLC\n\n## Website\n\nhttps://fern.cafe\n\n## Colour\n\nGreen\n\n\
        ## Sample message\n\nFern Cafe: your table is free.\n";
    let source = Source::new("a.md", headings);
    let parsed = Parsed::of(&source, None);
    let whole = parsed.whole();
    let only = whole.documents().next().expect("it has one");
    assert_eq!(only.document().untaken().len(), 1, "{:?}", only.document());
}

#[test]
fn addresses_of_canada_are_read() {
    let text = format!(
        "Business name: Fern\nAddress: 12 rue Caron, Magog, QC J1X 2B4\nVolume: 100\nUse case summary: {SUMMARY}\n"
    );
    let fields = read("a.txt", &text).remove(0);
    let zip = fields.iter().find(|(name, _)| name == "businessZip");
    assert_eq!(zip.map(|(_, zip)| zip.as_str()), Some("J1X 2B4"), "{fields:?}");
}

#[test]
fn a_label_without_a_mark_is_one_before_a_value_of_its_form() {
    let text = format!(
        "Negocio: La Ceiba LLC\nPersona: Maribel Ortiz Vega\nEIN 66-0912345\nEmail maribel@laceiba.com\ntel 787 832 4471\n\
         Web www.laceiba.com\nNúmero gratis: 833 555 0199\nCuántos al mes: 300\nUse case summary: {SUMMARY}\n\
         Email us at jo@laceiba.com, Web design by Jo.\nTerms last changed 2026-11-30\n"
    );
    let fields = read("a.txt", &text).remove(0);
    for (role, value) in [
        ("businessContactFirstName", "Maribel"),
        ("businessContactLastName", "Ortiz Vega"),
        ("registrationNumber", "66-0912345"),
        ("businessContactEmail", "maribel@laceiba.com"),
        ("businessContactPhone", "787 832 4471"),
        ("corporateWebsite", "www.laceiba.com"),
        ("phoneNumbers", "833 555 0199"),
        ("messageVolume", "300"),
    ] {
        let is_it = |(own, said): &&(String, String)| own.eq_ignore_ascii_case(role) && said == value;
        assert!(fields.iter().any(|field| is_it(&field)), "{role}: {fields:?}");
    }
    assert!(!fields.iter().any(|(role, _)| role == "termsUrl"), "{fields:?}");
}

#[test]
fn hostile_notes_are_read_within_limits() {
    let texts = [
        "> ".repeat(20_000),
        "- ".repeat(20_000),
        "**a:** ".repeat(20_000),
        "| a: ".repeat(20_000),
        "| a ^b | c |\n|---|---|\n| d ^e | f |\n\n".repeat(1_000),
        "<b>".repeat(20_000),
        "&amp;".repeat(20_000),
        "\0 : é… **Volume:** ".repeat(2_000),
        "[a](".repeat(20_000),
        "{|\n|-\n| é\n".repeat(1_000),
        "____\n:a: {a}\n{a}<!-- é\n".repeat(1_000),
        "#+begin_quote\n* - é\n".repeat(1_000),
        ".. list-table::\n".repeat(1_000),
        "{|\n".repeat(8_000),
        "{| ".repeat(8_000),
        "{code:a}\n{quote:\n".repeat(4_000),
        "#+begin_src\n____\n".repeat(4_000),
        format!(":a: b\n{}", "{a".repeat(8_000)),
        "Q: é name?\nA: a\n".repeat(500),
        "> é name?\nlegal name\n".repeat(500),
        "[1:00] A: é name?\n[1:00] B: a: b\n".repeat(500),
        "A: b\nContent-Type: multipart/x; boundary=a\n\n--a\n".repeat(1_000),
        format!("A: b\nContent-Transfer-Encoding: quoted-printable\n\n{}", "=C3=\n=".repeat(8_000)),
        format!("A: b\nContent-Transfer-Encoding: base64\n\n{}", "4pyT=\n/".repeat(8_000)),
        "Required\n".repeat(8_000),
    ];
    for text in texts {
        for name in ["a.md", "a.txt", "a.eml", "a.html", "a.adoc", "a.org", "a.rst", "a.wiki"] {
            let source = Source::new(name, text.as_str());
            assert!(Parsed::of(&source, Some(Format::Notes)).whole().documents().count() > 0);
        }
    }
}
