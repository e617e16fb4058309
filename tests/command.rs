//! The `putnam` command as the tests run it.

fn main() -> std::process::ExitCode {
    putnam_cli::main()
}
