//! The `putnam` command; everything is in the library.

fn main() -> std::process::ExitCode {
    putnam_cli::main()
}
