//! What a front end is: a way to write some kind of problem as a formula and to read a model as its solution.
//!
//! # How to add a front end
//!
//! 1. Make a crate with a type that implements [`Frontend`]: it has a name, says what its input and its options are, and
//!    [`Frontend::open`] turns an input into a [`Problem`].
//! 2. Implement [`Problem`]: [`Problem::encode`] gives the clauses with the names of their atoms, [`Problem::decode`]
//!    reads a model of them as a [`Solution`].
//! 3. Implement [`Solution`]: [`Solution::verify`] checks the solution against the problem itself and looks at no clause,
//!    so that a mistake in the encoding cannot hide; [`Solution::render`] writes it in each of the front end's styles.
//! 4. Where it matters whether a solution is the only one, implement [`Problem::distinguishing`] and [`Problem::compare`], and
//!    say so in [`Frontend::enumerates`]: the command then also lists all solutions.
//! 5. Add one line to the registry of the command (`frontends/cli/src/registry.rs`). The command then offers
//!    `putnam NAME encode`, `putnam NAME solve` and `putnam NAME decode`, with the front end's options, output in every style
//!    and as JSON, progress, exit codes, and a check of every solution before it is printed.
//!
//! The example is a whole front end: two-colour the edges of a path given by its length, neighbours in different colours.
//!
//! ```
//! use putnam_api::{Encoding, Error, Frontend, OptionSpec, Problem, Settings, Solution};
//! use putnam_formula::{ClauseSink, Model, Var};
//!
//! struct Path;
//!
//! impl Frontend for Path {
//!     fn name(&self) -> &'static str { "path" }
//!     fn about(&self) -> &'static str { "Colours the edges of a path" }
//!     fn input(&self) -> (&'static str, &'static str) { ("LENGTH", "the number of edges") }
//!     fn options(&self) -> &'static [OptionSpec] { &[] }
//!     fn styles(&self) -> &'static [&'static str] { &["text"] }
//!     fn open(&self, input: &str, _: &Settings) -> Result<Box<dyn Problem>, Error> {
//!         let edges = input.parse().map_err(|_| Error::input(input, "the length of a path is a number"))?;
//!         Ok(Box::new(Edges(edges)))
//!     }
//! }
//!
//! struct Edges(u32);
//!
//! impl Problem for Edges {
//!     fn encode(&self) -> Encoding {
//!         let mut encoding = Encoding::default();
//!         let red: Vec<Var> = (1..=self.0).map(|i| encoding.atom(format!("red({i})"))).collect();
//!         for pair in red.windows(2) {
//!             encoding.cnf.add_clause(&[pair[0].positive(), pair[1].positive()]);
//!             encoding.cnf.add_clause(&[pair[0].negative(), pair[1].negative()]);
//!         }
//!         encoding
//!     }
//!     fn decode(&self, model: &Model) -> Result<Box<dyn Solution>, Error> {
//!         Ok(Box::new(Colours((0..self.0).map(|i| model.value(Var::new(i))).collect())))
//!     }
//!     fn no_solution(&self, _style: &str) -> String { "no colouring\n".into() }
//! }
//!
//! struct Colours(Vec<bool>);
//!
//! impl Solution for Colours {
//!     fn verify(&self) -> Result<(), Error> {
//!         match self.0.windows(2).position(|pair| pair[0] == pair[1]) {
//!             Some(i) => Err(Error::Wrong(format!("edges {} and {} have the same colour", i + 1, i + 2))),
//!             None => Ok(()),
//!         }
//!     }
//!     fn render(&self, _style: &str) -> String {
//!         self.0.iter().map(|&red| if red { 'R' } else { 'B' }).collect::<String>() + "\n"
//!     }
//!     fn to_json(&self) -> serde_json::Value { serde_json::json!({ "red": self.0 }) }
//! }
//!
//! let problem = Path.open("3", &Settings::default()).unwrap();
//! let encoding = problem.encode();
//! let mut model = Model::new(encoding.cnf.num_vars());
//! model.assign(encoding.symbols.var("red(2)").unwrap().positive());
//! assert_eq!(model.falsified(&encoding.cnf), None);
//! let solution = problem.decode(&model).unwrap();
//! solution.verify().unwrap();
//! assert_eq!(solution.render("text"), "BRB\n");
//! ```

#![forbid(unsafe_code)]

mod error;
pub mod page;
mod settings;

pub use error::Error;
pub use settings::{OptionKind, OptionSpec, Settings};

use putnam_formula::{ClauseSink, Cnf, Engine, Limits, Model, StopReason, Symbols, Var};

/// A kind of problem that the command can solve: a plug-in of the command line.
pub trait Frontend: Sync {
    /// The name of the front end's subcommand.
    fn name(&self) -> &'static str;

    /// One line for the help text.
    fn about(&self) -> &'static str;

    /// The placeholder of the input argument and what it may be: `("BOARD", "a file or the name of a built-in board")`.
    fn input(&self) -> (&'static str, &'static str);

    /// The options that change which problem is meant, such as `--start`.
    fn options(&self) -> &'static [OptionSpec];

    /// The ways in which a solution can be rendered, the default first. `json` is always there besides.
    fn styles(&self) -> &'static [&'static str];

    /// Whether all solutions can be listed: its problems have [`Problem::distinguishing`] atoms.
    fn enumerates(&self) -> bool {
        false
    }

    /// Whether [`Solution::certificate`] and [`Problem::refutation`] can give anything.
    fn certificates(&self) -> bool {
        false
    }

    /// The pictures of a solution that the command writes to files, one option each.
    fn pictures(&self) -> &'static [PictureSpec] {
        &[]
    }

    /// The problem that an input and its options describe. `input` is what the user wrote: a file's path, `-` for standard
    /// input, or a name that the front end knows.
    ///
    /// # Errors
    /// [`Error::Parse`] with the place for text that cannot be read, [`Error::Io`] for a file that cannot,
    /// [`Error::Input`] for everything else.
    fn open(&self, input: &str, settings: &Settings) -> Result<Box<dyn Problem>, Error>;

    /// The problem that the names of the atoms describe, for a front end whose `decode` needs no other input than the
    /// key in the back matter. Answers none when `decode` needs the problem's own input.
    ///
    /// # Errors
    /// [`Error::Input`] when the names are not of this front end.
    fn open_key(&self, key: &Symbols) -> Option<Result<Box<dyn Problem>, Error>> {
        let _ = key;
        None
    }
}

/// A kind of picture that a front end draws.
#[derive(Clone, Copy, Debug)]
pub struct PictureSpec {
    /// The name of the option that takes the file: `svg`.
    pub name: &'static str,
    /// The help text.
    pub help: &'static str,
}

/// One problem, which is solved by finding a model of its clauses.
pub trait Problem: Send + Sync {
    /// The clauses and the names of their atoms.
    fn encode(&self) -> Encoding;

    /// The solution that a model stands for. The model assigns the variables of [`Problem::encode`] (or of the key).
    ///
    /// # Errors
    /// [`Error::Wrong`] when the model stands for nothing, such as two jumps at once.
    fn decode(&self, model: &Model) -> Result<Box<dyn Solution>, Error>;

    /// Solves the problem in a way of its own, which may ask the engine many times or not at all. The engine is new, and the
    /// limits hold for the whole search. Answers none when the way is one question: the clauses of [`Problem::encode`].
    fn solve(&self, engine: &mut dyn Engine, limits: &Limits) -> Option<Result<Answer, Error>> {
        let _ = (engine, limits);
        None
    }

    /// Options of engine cdcl, by name, whose values suit the clauses better than the defaults. What the user sets wins.
    fn tuning(&self) -> &'static [(&'static str, i64)] {
        &[]
    }

    /// The style in which a solution is printed when the user chose none, where that is not the front end's first.
    fn default_style(&self) -> Option<&'static str> {
        None
    }

    /// Whether [`Problem::encode`] can say the problem in one formula.
    ///
    /// # Errors
    /// [`Error::Input`] that says what to ask instead.
    fn check_encode(&self) -> Result<(), Error> {
        Ok(())
    }

    /// What to print in the given style when there is no solution.
    fn no_solution(&self, style: &str) -> String;

    /// A certificate that there is no solution, which can be checked by itself; none when there is no short one.
    fn refutation(&self) -> Option<serde_json::Value> {
        None
    }

    /// The text of the picture of this name (see [`Frontend::pictures`]) when there is no solution; none when there is nothing to see.
    fn picture(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// The clauses that the engine of this name refuted, when [`Problem::solve`] answered that there is no solution, and a
    /// certificate that names the problem and says how to write these clauses again. The proof that the engine wrote, if it was asked
    /// for one, is for them. Answers none when the answer did not come from clauses.
    fn refuted_clauses(&self, engine: &str) -> Option<(Cnf, serde_json::Value)> {
        let _ = engine;
        None
    }

    /// What the user should know about the input although it can be used, one line each; the command prints them on
    /// standard error.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// The problem as it was understood, for a user who wants to see whether it was; the command prints it with `-v`.
    fn describe(&self) -> Option<String> {
        None
    }

    /// For a problem that should have one solution only: the variables of [`Problem::encode`] in which two models must
    /// differ to be two solutions. The command then looks for a second one and hands both to [`Problem::compare`].
    /// Answers none when any solution will do.
    fn distinguishing(&self) -> Option<Vec<Var>> {
        None
    }

    /// What to print after a solution in the given style when a second one was looked for: that there is none, or where
    /// the second one differs. Both models were decoded and verified before.
    fn compare(&self, first: &Model, second: Option<&Model>, style: &str) -> String {
        let _ = (first, second, style);
        String::new()
    }
}

/// What [`Problem::solve`] found.
pub enum Answer {
    /// A solution, which the caller verifies.
    Solution(Box<dyn Solution>),
    /// There is none.
    NoSolution,
    /// A limit was reached.
    Unknown(StopReason),
}

/// A solution of a problem, which it knows.
pub trait Solution: Send {
    /// Checks the solution against the rules of the problem, without a look at clauses.
    ///
    /// # Errors
    /// [`Error::Wrong`] says which rule is broken.
    fn verify(&self) -> Result<(), Error>;

    /// The text of the solution in one of [`Frontend::styles`], closed by a line end.
    fn render(&self, style: &str) -> String;

    /// As [`Solution::render`], with colours (ANSI escapes) for a terminal.
    fn render_coloured(&self, style: &str) -> String {
        self.render(style)
    }

    /// The text of the picture of this name, see [`Frontend::pictures`].
    fn picture(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// The solution for programs.
    fn to_json(&self) -> serde_json::Value;

    /// The solution with its problem, to be checked by itself.
    fn certificate(&self) -> Option<serde_json::Value> {
        None
    }
}

/// A problem as clauses, with the names of the atoms that its variables stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// The clauses.
    pub cnf: Cnf,
    /// The names. Auxiliary variables have none.
    pub symbols: Symbols,
}

impl Encoding {
    /// A fresh variable for the atom with this name.
    ///
    /// # Panics
    /// If the name is taken: two atoms of one encoding never share a name.
    pub fn atom(&mut self, name: impl Into<String>) -> Var {
        let var = self.cnf.new_var();
        let name = name.into();
        assert!(self.symbols.insert(var, name.as_str()), "the atom {name} has two variables");
        var
    }
}
