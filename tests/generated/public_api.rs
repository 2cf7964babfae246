//! `crates/public-api.txt`: what the libraries export, so that a change of it is seen in review.

use std::collections::BTreeSet;
use std::path::Path;

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, ItemUse, TraitItem, Type, UseTree, Visibility};

use super::generated;

const LIBRARIES: [&str; 5] =
    ["tollproof-core", "tollproof-history", "tollproof-project", "tollproof-browser", "tollproof-online"];

/// The files of tollproof-data with what tollproof-core exports.
const EXPORTED_DATA: [&str; 9] = [
    "provider/kind_role.rs",
    "provider/kind_set.rs",
    "rule/file.rs",
    "rule/question.rs",
    "severity.rs",
    "seen.rs",
    "suggest.rs",
    "syntax_error.rs",
    "text/terms/vocabulary.rs",
];

/// As many names as the engine exports; a new one is for a reason.
const MOST: usize = 141;

#[test]
fn the_public_api_is_up_to_date() {
    let mut text = String::from("What the libraries export. `UPDATE=1 cargo test` writes this file.\n");
    for library in LIBRARIES {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(library).join("src");
        let names = exported(&source);
        assert!(library != "tollproof-core" || names.len() <= MOST, "{} names", names.len());
        let mut lines = BTreeSet::new();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/tollproof-data/src");
        let of_core = if library == "tollproof-core" { &EXPORTED_DATA[..] } else { &[] };
        for file in files(&source).into_iter().chain(of_core.iter().map(|file| data.join(file))) {
            let file = std::fs::read_to_string(file).expect("a module can be read");
            syn::parse_file(&file)
                .expect("it compiles")
                .items
                .iter()
                .for_each(|it| list(it, &names, &mut lines));
        }
        text += &format!("\n{library}: {} names\n", names.len());
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    generated("crates/public-api.txt", &text);
}

/// The names that a library exports at its root and in its public modules.
fn exported(source: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![source.join("lib.rs")];
    while let Some(file) = open.pop() {
        let text = std::fs::read_to_string(&file).expect("a module can be read");
        for item in syn::parse_file(&text).expect("it compiles").items {
            match &item {
                Item::Use(ItemUse { vis: Visibility::Public(_), tree, .. }) => leaves(tree, &mut names),
                Item::Mod(module) if matches!(module.vis, Visibility::Public(_)) => {
                    open.push(module_file(&file, &module.ident.to_string()));
                }
                _ => names.extend(public_name(&item)),
            }
        }
    }
    // A module that is exported under its name brings its own items.
    for module in names.clone() {
        let file = files(source).into_iter().find(|path| {
            path.file_stem().is_some_and(|stem| stem == module.as_str())
                || path.ends_with(format!("{module}/mod.rs"))
        });
        let Some(file) =
            file.filter(|_| module.chars().all(|character| character.is_lowercase() || character == '_'))
        else {
            continue;
        };
        let text = std::fs::read_to_string(file).expect("a module can be read");
        let items = syn::parse_file(&text).expect("it compiles").items;
        let is_function =
            items.iter().any(|item| matches!(item, Item::Fn(item) if item.sig.ident == module.as_str()));
        if !is_function {
            names.remove(&module);
            names.extend(items.iter().filter_map(public_name));
            for item in &items {
                if let Item::Use(ItemUse { vis: Visibility::Public(_), tree, .. }) = item {
                    leaves(tree, &mut names);
                }
            }
        }
    }
    names
}

fn module_file(parent: &Path, name: &str) -> std::path::PathBuf {
    let folder = parent.parent().expect("a file is in a folder");
    let file = folder.join(format!("{name}.rs"));
    if file.exists() { file } else { folder.join(name).join("mod.rs") }
}

fn public_name(item: &Item) -> Option<String> {
    let (vis, name) = match item {
        Item::Struct(it) => (&it.vis, &it.ident),
        Item::Enum(it) => (&it.vis, &it.ident),
        Item::Trait(it) => (&it.vis, &it.ident),
        Item::Fn(it) => (&it.vis, &it.sig.ident),
        Item::Const(it) => (&it.vis, &it.ident),
        Item::Type(it) => (&it.vis, &it.ident),
        _ => return None,
    };
    matches!(vis, Visibility::Public(_)).then(|| name.to_string())
}

fn leaves(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => {
            if let UseTree::Name(name) = &*path.tree
                && name.ident == "self"
            {
                names.insert(path.ident.to_string());
            } else {
                group(&path.ident.to_string(), &path.tree, names);
            }
        }
        other => group("", other, names),
    }
}

fn group(parent: &str, tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Name(it) if it.ident == "self" => drop(names.insert(parent.to_owned())),
        UseTree::Name(it) => drop(names.insert(it.ident.to_string())),
        UseTree::Rename(it) => drop(names.insert(it.rename.to_string())),
        UseTree::Group(it) => it.items.iter().for_each(|it| group(parent, it, names)),
        UseTree::Path(_) => leaves(tree, names),
        UseTree::Glob(_) => {}
    }
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The lines of an item that is exported: itself, its public fields, variants and methods.
fn list(item: &Item, names: &BTreeSet<String>, lines: &mut BTreeSet<String>) {
    let is_public = |it: &Visibility| matches!(it, Visibility::Public(_));
    match item {
        Item::Struct(it) if is_public(&it.vis) && names.contains(&it.ident.to_string()) => {
            lines.insert(format!("struct {}", it.ident));
            if let Fields::Named(fields) = &it.fields {
                for field in
                    fields.named.iter().filter(|field| is_public(&field.vis) && !is_hidden(&field.attrs))
                {
                    let name = field.ident.as_ref().expect("the field has a name");
                    lines.insert(format!("{}.{name}: {}", it.ident, tokens(&field.ty)));
                }
            }
        }
        Item::Enum(it) if is_public(&it.vis) && names.contains(&it.ident.to_string()) => {
            lines.insert(format!("enum {}", it.ident));
            it.variants.iter().for_each(|variant| {
                lines.insert(format!("{}::{}", it.ident, variant.ident));
            });
        }
        Item::Trait(it) if is_public(&it.vis) && names.contains(&it.ident.to_string()) => {
            lines.insert(format!("trait {}", it.ident));
            for item in &it.items {
                if let TraitItem::Fn(method) = item {
                    lines.insert(format!("{}::{}", it.ident, tokens(&method.sig)));
                }
            }
        }
        Item::Fn(it) if is_public(&it.vis) && names.contains(&it.sig.ident.to_string()) => {
            lines.insert(tokens(&it.sig));
        }
        Item::Const(it) if is_public(&it.vis) && names.contains(&it.ident.to_string()) => {
            lines.insert(format!("const {}: {}", it.ident, tokens(&it.ty)));
        }
        Item::Impl(it) if it.trait_.is_none() => {
            let Type::Path(path) = &*it.self_ty else { return };
            let name = path.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
            for item in it.items.iter().filter(|_| names.contains(&name)) {
                if let ImplItem::Fn(method) = item
                    && is_public(&method.vis)
                    && !is_hidden(&method.attrs)
                {
                    lines.insert(format!("{name}::{}", tokens(&method.sig)));
                }
            }
        }
        _ => {}
    }
}

/// Whether an item of tollproof-data is for tollproof-core alone.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("hidden"))
    })
}

/// Code on one line.
fn tokens(code: &impl ToTokens) -> String {
    let mut text = code.to_token_stream().to_string();
    for (spaced, tight) in [
        (" :: ", "::"),
        (" < ", "<"),
        (" > ", "> "),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" :", ":"),
    ] {
        text = text.replace(spaced, tight);
    }
    text
}
