//! Text that is large, or that lies across the window through which it is read.

use putnam_formats::{Document, ReadError, ReadOptions, read_from};
use putnam_formula::{Cnf, Lit};
use std::io::{Cursor, Read, repeat};

fn read(reader: impl Read) -> Result<Document, ReadError> {
    read_from(reader, "x.cnf", &ReadOptions::default())
}

/// `text` over and over, `times` times, without ever holding it.
fn repeated(text: &'static str, times: usize) -> impl Read {
    struct Repeated(&'static [u8], usize, usize);
    impl Read for Repeated {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let mut written = 0;
            while self.2 > 0 && written < buffer.len() {
                let piece = &self.0[self.1..];
                let length = piece.len().min(buffer.len() - written);
                buffer[written..written + length].copy_from_slice(&piece[..length]);
                written += length;
                self.1 += length;
                if self.1 == self.0.len() {
                    (self.1, self.2) = (0, self.2 - 1);
                }
            }
            Ok(written)
        }
    }
    Repeated(text.as_bytes(), 0, times)
}

#[test]
fn a_clause_of_100_000_literals() {
    let mut text = String::from("p cnf 100000 1\n");
    for number in 1..=100_000 {
        text += &format!("{} ", if number % 3 == 0 { -number } else { number });
    }
    let cnf = read((text + "0\n").as_bytes()).unwrap().cnf;
    assert_eq!((cnf.num_vars(), cnf.num_clauses(), cnf.num_literals()), (100_000, 1, 100_000));
    assert_eq!(cnf.clause(0)[99_998].to_dimacs(), -99_999);
}

#[test]
fn a_line_of_many_megabytes() {
    let cnf = read(Cursor::new("p cnf 3 1000000\n").chain(repeated("1 -2 3 0 ", 1_000_000))).unwrap().cnf;
    assert_eq!((cnf.num_vars(), cnf.num_clauses(), cnf.num_literals()), (3, 1_000_000, 3_000_000));
}

#[test]
fn a_comment_of_many_megabytes() {
    let comment = repeat(b'x').take(50_000_000);
    let text =
        Cursor::new("c ").chain(comment).chain(Cursor::new("\np cnf 1 1\nc ")).chain(repeat(b'0').take(5_000_000));
    let cnf = read(text.chain(Cursor::new("\n1 0\n"))).unwrap().cnf;
    assert_eq!((cnf.num_vars(), cnf.num_clauses()), (1, 1));
}

#[test]
fn blanks_of_many_megabytes() {
    let text = Cursor::new("p cnf 1 1\n1 ").chain(repeat(b' ').take(20_000_000)).chain(Cursor::new("0 x"));
    let error = read(text).unwrap_err().to_string();
    assert!(error.starts_with("x.cnf:2:20000005: `x` is not an integer\n    ... "), "{error}");
}

#[test]
fn a_back_matter_of_many_megabytes() {
    let text = Cursor::new("1 2\n0\n").chain(repeated("2 two\n", 1_000_000));
    let document = read(text).unwrap();
    assert_eq!((document.cnf.num_clauses(), document.back_matter.len()), (1, 6_000_000));
    assert_eq!(document.symbols.len(), 1);
}

#[test]
fn clauses_behind_a_lone_zero_of_many_megabytes() {
    let document = read(repeated("1\n-2 3\n0\n", 300_000)).unwrap();
    assert_eq!((document.cnf.num_clauses(), document.cnf.num_literals()), (300_000, 900_000));
}

#[test]
fn an_unclosed_clause_far_back_is_named() {
    let text = Cursor::new("p cnf 3 2\n1 0\n ").chain(repeated("2 3\n", 1_000_000));
    let error = read(text).unwrap_err().to_string();
    assert_eq!(
        error,
        "x.cnf:3:2: the clause that begins here is not closed by 0\n    cut short, or the last 0 was forgotten"
    );
}

/// The clauses, the back matter and the names.
type Content = (Cnf, Vec<u8>, Vec<(u32, String)>);

/// Everything that is read, or the message.
fn outcome(text: &[u8]) -> Result<Content, String> {
    let document = read(text).map_err(|e| e.to_string())?;
    let names = document.symbols.iter().map(|(var, name)| (var.to_dimacs(), name.to_owned())).collect();
    Ok((document.cnf, document.back_matter, names))
}

/// Every kind of token comes to lie across the end of the window, at each of its characters.
#[test]
fn no_token_is_torn_at_the_end_of_the_window() {
    let pieces = ["c 12 Jump(1,2,4,1)\n-123456 -78901 0\r\n234567 0\nc x\n7 -8\n0\n", "1 2 0\n%\n0\n"];
    for piece in pieces {
        let expected = outcome(format!("p cnf 200000 4\n{piece}").as_bytes()).unwrap();
        for shift in 0..200 {
            let comment = "-".repeat((1 << 17) - shift);
            let found = outcome(format!("c {comment}\np cnf 200000 4\n{piece}").as_bytes()).unwrap();
            assert_eq!(found, expected, "{shift}");
        }
    }
}

/// The same for an error: line, column and excerpt do not depend on where the window ends.
#[test]
fn messages_do_not_depend_on_the_window() {
    let tail = "1 2 0\n3 -4 0 5 six 0\n7 0\n";
    for shift in 0..150 {
        let error = outcome(format!("p cnf 7 9\nc {}\n{tail}", "-".repeat((1 << 17) - shift)).as_bytes()).unwrap_err();
        let cause = "atoms are numbers; names may stand in comments";
        assert_eq!(
            error,
            format!("x.cnf:4:10: `six` is not an integer\n    3 -4 0 5 six 0\n    {:>10}\n    {cause}", '^')
        );
    }
}

#[test]
fn lone_large_numbers_take_no_room() {
    let cnf = read(&b"2 40000000 0\n"[..]).unwrap().cnf;
    assert_eq!((cnf.num_vars(), cnf.num_literals()), (40_000_000, 2));
    assert_eq!(cnf.clause(0)[1], Lit::from_dimacs(40_000_000).unwrap());
}
