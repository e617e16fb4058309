//! The commands of the README work as printed.
//!
//! In a block ```` ```console ```` a line that begins with `$ ` is a command, and the lines below it are its standard output,
//! which has to be the same. In ```` ```console varies ```` the output may differ. A block ```` ```text NAME ```` is the file of that
//! name. No command may fail: exit codes are 0, 10 or 20.

use crate::support::{Folder, PUTNAM, path};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

/// A command and the output that is printed for it, if that has to be the same.
#[derive(Debug)]
struct Example {
    command: String,
    output: Option<String>,
}

/// The examples, and the files by their names.
fn examples(readme: &str) -> (Vec<Example>, Vec<(String, String)>) {
    let mut examples: Vec<Example> = Vec::new();
    let mut files: Vec<(String, String)> = Vec::new();
    let mut block = None;
    for line in readme.lines() {
        if let Some(info) = line.strip_prefix("```") {
            block = if block.is_none() { Some(info) } else { None };
            if let Some(name) = block.and_then(|info| info.strip_prefix("text ")) {
                files.push((name.into(), String::new()));
            }
        } else if let Some(command) = line.strip_prefix("$ ") {
            let exact = match block {
                Some("console") => true,
                Some("console varies") => false,
                _ => panic!("a command outside a console block: {line}"),
            };
            examples.push(Example { command: command.into(), output: exact.then(String::new) });
        } else if let (Some("console"), Some(output)) = (block, examples.last_mut().and_then(|e| e.output.as_mut())) {
            output.push_str(line);
            output.push('\n');
        } else if let (Some(true), Some((_, text))) = (block.map(|info| info.starts_with("text ")), files.last_mut()) {
            text.push_str(line);
            text.push('\n');
        }
    }
    (examples, files)
}

#[test]
fn the_commands_of_the_readme_work_as_printed() {
    let readme = std::fs::read_to_string(path("../README.md")).unwrap();
    let (examples, files) = examples(&readme);
    assert!(examples.len() >= 10, "{examples:?}");
    let folder = Folder::new();
    symlink(PUTNAM, folder.path("putnam")).unwrap();
    for name in ["tests", "boards", "frontends"] {
        symlink(path("..").join(name), folder.path(name)).unwrap();
    }
    let search = std::env::var("PATH").unwrap_or_default();
    for (name, text) in files {
        folder.write(&name, text);
    }
    for Example { command, output } in examples {
        let run = Command::new("bash")
            .args(["-c", &format!("set -o pipefail; {command}")])
            .current_dir(folder.path(""))
            .env("PATH", format!("{}:{search}", folder.arg("")))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&run.stdout);
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert!(matches!(run.status.code(), Some(0 | 10 | 20)), "{command}\n{:?}\n{stdout}{stderr}", run.status);
        if let Some(output) = output {
            assert_eq!(stdout, output, "{command}");
        }
        assert!(!stdout.is_empty() || command.contains('>'), "{command} prints nothing");
    }
}
