//! No two modules import each other: the rooms of each crate, as its `use` lines and paths connect them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree};

/// The floors of the library: a room is one above the highest room that it imports.
const FLOORS: usize = 9;

/// Imports between rooms of a crate, each with its first file. A room is a module at the top of its crate.
#[derive(Default)]
struct Graph {
    rooms: BTreeSet<String>,
    /// Exports of the root: the name, and the room that it comes from.
    exports: BTreeMap<String, String>,
    imports: BTreeMap<(String, String), String>,
    /// Names of the root itself, which no room should need.
    strangers: BTreeSet<String>,
}

impl Graph {
    /// Reads a crate from the file of its root, module by module, without those of its tests.
    fn of(root: &Path) -> Self {
        let mut graph = Self::default();
        let mut open: Vec<(PathBuf, Vec<String>)> = vec![(root.to_owned(), Vec::new())];
        let mut uses = Vec::new();
        while let Some((file, module)) = open.pop() {
            let text = fs::read_to_string(&file).expect("a module has a file");
            let parsed = syn::parse_file(&text).expect("the crate compiles");
            let mut reader = Reader { module: module.clone(), children: Vec::new(), named: BTreeSet::new() };
            reader.visit_file(&parsed);
            for child in reader.children {
                open.push((file_of(&file, &module, &child), child));
            }
            match module.first() {
                Some(room) => uses.push((room.clone(), file, reader.named)),
                None => graph.read_root(&parsed.items),
            }
        }
        for (room, file, named) in uses {
            for name in named {
                let target = match graph.exports.get(&name) {
                    _ if graph.rooms.contains(&name) => name,
                    Some(from) => from.clone(),
                    None => {
                        graph.strangers.insert(format!("{} in {}", name, file.display()));
                        continue;
                    }
                };
                if target != room {
                    graph.imports.entry((room.clone(), target)).or_insert_with(|| file.display().to_string());
                }
            }
        }
        graph
    }

    fn read_root(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mod(module) => drop(self.rooms.insert(module.ident.to_string())),
                Item::Use(item) => {
                    let mut paths = Vec::new();
                    leaves(&item.tree, &mut Vec::new(), &mut paths);
                    for (path, name) in paths {
                        let room =
                            path.into_iter().find(|segment| !["crate", "self"].contains(&segment.as_str()));
                        self.exports.insert(name, room.expect("a path names something"));
                    }
                }
                _ => {}
            }
        }
    }

    /// The pairs of rooms that import each other.
    fn pairs(&self) -> Vec<(&String, &String)> {
        let edges = self.imports.keys().filter(|(from, to)| from < to);
        let both = edges.filter(|(from, to)| self.imports.contains_key(&(to.clone(), from.clone())));
        both.map(|(from, to)| (from, to)).collect()
    }

    /// The rooms that a room needs, and those that these need.
    fn reached_from<'g>(&'g self, room: &'g String) -> BTreeSet<&'g String> {
        let (mut reached, mut open) = (BTreeSet::new(), vec![room]);
        while let Some(from) = open.pop() {
            let next = self.imports.keys().filter(|(it, _)| it == from).map(|(_, to)| to);
            open.extend(next.filter(|to| reached.insert(*to)));
        }
        reached
    }

    /// The floor of a room, from 1. The graph has no circles.
    fn floor(&self, room: &String) -> usize {
        let below = self.imports.keys().filter(|(from, _)| from == room).map(|(_, to)| self.floor(to));
        below.max().unwrap_or(0) + 1
    }

    /// The sets of rooms that all need each other.
    fn circles(&self) -> BTreeSet<BTreeSet<&String>> {
        let reached: BTreeMap<_, _> = self.rooms.iter().map(|it| (it, self.reached_from(it))).collect();
        let together =
            |one: &String, other: &String| reached[one].contains(other) && reached[other].contains(one);
        let circle_of = |one| self.rooms.iter().filter(|it| together(one, it)).collect::<BTreeSet<_>>();
        self.rooms.iter().map(circle_of).filter(|it| it.len() > 1).collect()
    }
}

/// The file of a module that another file declares.
fn file_of(parent: &Path, module: &[String], child: &[String]) -> PathBuf {
    let below = child[module.len()..].join("/");
    let stem = parent.file_stem().expect("a file has a name");
    let folder = parent.parent().expect("a file lies in a folder");
    let folder = match stem.to_str() {
        Some("lib" | "main" | "mod") => folder.to_owned(),
        _ => folder.join(stem),
    };
    let file = folder.join(format!("{below}.rs"));
    if file.exists() { file } else { folder.join(below).join("mod.rs") }
}

/// The paths that a `use` names, each with the name that it gets.
fn leaves(tree: &UseTree, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    let mut leaf = |name: String, alias: String| {
        let mut path = path.clone();
        path.push(name);
        found.push((path, alias));
    };
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            leaves(&part.tree, path, found);
            path.pop();
        }
        UseTree::Name(name) => leaf(name.ident.to_string(), name.ident.to_string()),
        UseTree::Rename(rename) => leaf(rename.ident.to_string(), rename.rename.to_string()),
        UseTree::Glob(_) => leaf("*".to_owned(), "*".to_owned()),
        UseTree::Group(group) => group.items.iter().for_each(|it| leaves(it, path, found)),
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Reads one file: what it names at the top of its crate, and the modules that it declares.
struct Reader {
    module: Vec<String>,
    children: Vec<Vec<String>>,
    named: BTreeSet<String>,
}

impl Reader {
    /// Takes a path as it is written; one that begins with neither `crate` nor `super` leads to no other room.
    fn take(&mut self, path: &[String]) {
        let mut module = self.module.clone();
        let mut rest = path;
        match rest.first().map(String::as_str) {
            Some("crate") => (module, rest) = (Vec::new(), &rest[1..]),
            Some("super") => {}
            _ => return,
        }
        while rest.first().is_some_and(|it| it == "super") {
            module.pop();
            rest = &rest[1..];
        }
        if let (true, Some(name)) = (module.is_empty(), rest.first().filter(|it| *it != "self")) {
            self.named.insert(name.clone());
        }
    }

    /// Paths in the arguments of a macro, which are not Rust until it is expanded.
    fn take_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) if colons == 2 => path.push(word.to_string()),
                TokenTree::Ident(word) => {
                    self.take(&path);
                    path = vec![word.to_string()];
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => self.take_tokens(group.stream()),
                _ => self.take(&std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.take(&path);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Fn(it) => &it.attrs,
            Item::Impl(it) => &it.attrs,
            Item::Mod(it) => &it.attrs,
            Item::Struct(it) => &it.attrs,
            Item::Use(it) => &it.attrs,
            _ => return syn::visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        match item.content {
            Some(_) => syn::visit::visit_item_mod(self, item),
            None => self.children.push(self.module.clone()),
        }
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut paths = Vec::new();
        leaves(&item.tree, &mut Vec::new(), &mut paths);
        for (path, _) in paths {
            self.take(&path);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        self.take(&words);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.take_tokens(item.tokens.clone());
        syn::visit::visit_macro(self, item);
    }
}

/// The crates of this workspace by name, each with the file of its root.
fn crates() -> Vec<(String, PathBuf)> {
    let folder = Path::new("crates");
    let folders = fs::read_dir(folder).expect("tests run at the top of the repository");
    let mut crates = Vec::new();
    for folder in folders.map(|entry| entry.expect("it can be read").path()) {
        let root = [folder.join("src/lib.rs"), folder.join("main.rs")].into_iter().find(|it| it.exists());
        let name = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
        crates.extend(root.map(|root| (name, root)));
    }
    crates.sort();
    assert!(crates.len() >= 3, "{crates:?}");
    crates
}

#[test]
fn no_two_modules_import_each_other() {
    let mut found = Vec::new();
    for (name, root) in crates() {
        let graph = Graph::of(&root);
        assert!(graph.strangers.is_empty(), "rooms of {name} use its root: {:?}", graph.strangers);
        for (one, other) in graph.pairs() {
            let file = |from: &String, to: &String| &graph.imports[&(from.clone(), to.clone())];
            let (there, back) = (file(one, other), file(other, one));
            found.push(format!("{name}: {one} and {other} import each other: {there} and {back}"));
        }
        for circle in graph.circles() {
            let rooms: Vec<&str> = circle.into_iter().map(String::as_str).collect();
            found.push(format!("{name}: each of these reaches the others: {}", rooms.join(", ")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_library_has_a_dozen_rooms_on_nine_floors() {
    let graph = Graph::of(Path::new("crates/tollproof-core/src/lib.rs"));
    assert_eq!(graph.rooms.iter().map(|room| graph.floor(room)).max(), Some(FLOORS));
    assert!(graph.rooms.len() <= 14, "{:?}", graph.rooms);
}

/// The reader sees each way to name another room, and nothing else.
#[test]
fn every_way_to_name_a_module_is_read() {
    let text = "
        use crate::a::{self, b::C};
        use super::super::d as e;
        use std::fs;
        mod inner { fn f() { super::super::super::g::h() } }
        #[cfg(test)] mod tests { use crate::not_this; }
        #[cfg(test)] use crate::nor_this;
        fn f(i: crate::i::I) -> Vec<crate::j::J> { vec![(crate::k::K, self::l), super::own()] }
        impl crate::m::M for super::super::n::N<'_> { const O: u8 = crate::O; }
    ";
    let mut reader = Reader {
        module: vec!["room".to_owned(), "file".to_owned()],
        children: Vec::new(),
        named: BTreeSet::new(),
    };
    reader.visit_file(&syn::parse_file(text).expect("it is Rust"));
    let named: Vec<&str> = reader.named.iter().map(String::as_str).collect();
    assert_eq!(named, ["O", "a", "d", "g", "i", "j", "k", "m", "n"]);
}
