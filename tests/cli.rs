//! The command line: arguments, exit codes, output, limits and signals.
