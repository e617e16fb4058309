//! Solves the problems of a batch: what is in the file of rows already, then what falls to a short reason, then the rest by
//! search, those that were hardest the last time first. The order of the rows never depends on that.

use super::BatchArgs;
use super::progress::Progress;
use crate::failure::Failure;
use crate::peg::batch::table::row_json;
use crate::peg::resume::Resume;
use putnam_formula::Limits;
use putnam_peg::{Clauses, Goal, Hole, Problem, Row, Verdict, solve_start};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// One problem: a board with a goal, and the hole that is empty at the start.
pub(super) type Task = (Problem, Hole);

/// What the problems of a batch have in common.
pub(super) struct Run<'a> {
    pub(super) args: &'a BatchArgs,
    pub(super) resume: Option<&'a Resume>,
    pub(super) terminate: Arc<AtomicBool>,
}

impl Run<'_> {
    /// The rows of the tasks, in their order. Those for which `skip` holds have none: others stand for them.
    pub(super) fn solve(
        &self,
        tasks: &[Task],
        skip: impl Fn(usize) -> bool + Sync,
        progress: &Progress,
    ) -> Result<Vec<Option<Row>>, Failure> {
        let mut rows: Vec<Option<Row>> = vec![None; tasks.len()];
        let mut open: Vec<usize> = Vec::new();
        for index in (0..tasks.len()).filter(|&index| !skip(index)) {
            let (problem, start) = &tasks[index];
            rows[index] = self.resume.map(|resume| resume.row(problem, *start)).transpose()?.flatten();
            match &rows[index] {
                Some(row) => progress.count(&row.verdict),
                None => open.push(index),
            }
        }
        let pool = self.pool(open.len())?;
        let reasons: Vec<Option<Row>> = pool.install(|| {
            open.par_iter().map(|&index| self.by_reason(&tasks[index], progress)).collect::<Result<_, _>>()
        })?;
        open.iter().zip(reasons).for_each(|(&index, row)| rows[index] = row);
        open.retain(|&index| rows[index].is_none());
        let mut queue: Vec<(usize, Option<f64>)> =
            open.into_iter().map(|index| (index, self.seconds(&tasks[index]))).collect();
        hardest_first(&mut queue);
        progress.expect(
            pool.current_num_threads(),
            self.args.limits.time_limit,
            queue.iter().map(|&(_, seconds)| seconds).collect(),
        );
        // A bridge hands the tasks out one by one, in their order.
        let searched: Vec<(usize, Row)> = pool.install(|| {
            let search = |(index, seconds): (usize, Option<f64>)| {
                progress.begin(seconds);
                let row = self.by_search(&tasks[index])?;
                progress.end(seconds, row.time);
                progress.count(&row.verdict);
                Ok::<_, Failure>((index, row))
            };
            queue.into_iter().par_bridge().map(search).collect::<Result<_, _>>()
        })?;
        searched.into_iter().for_each(|(index, row)| rows[index] = Some(row));
        Ok(rows)
    }

    /// The row of a problem that falls to a short reason. Who asks for certain clauses gets no other.
    fn by_reason(&self, (problem, start): &Task, progress: &Progress) -> Result<Option<Row>, Failure> {
        if problem.clauses != Clauses::Auto {
            return Ok(None);
        }
        let began = Instant::now();
        let Some(reason) = problem.with_vacancy(*start).reason() else { return Ok(None) };
        let verdict = Verdict::NoPlan(Some(reason));
        let row = Row { start: *start, verdict, conflicts: 0, time: began.elapsed(), same_as: None };
        self.append(problem, &row)?;
        progress.count(&row.verdict);
        Ok(Some(row))
    }

    fn by_search(&self, (problem, start): &Task) -> Result<Row, Failure> {
        let mut engine = self.args.engine.make()?;
        let deadline = self.args.limits.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let terminate = Some(Arc::clone(&self.terminate));
        let limits = Limits { deadline, terminate, ..self.args.limits.counted() };
        let row = solve_start(problem, *start, &mut *engine, &limits).map_err(|error| failed(*start, error))?;
        self.append(problem, &row)?;
        Ok(row)
    }

    fn append(&self, problem: &Problem, row: &Row) -> Result<(), Failure> {
        let Some(resume) = self.resume else { return Ok(()) };
        let mut json = row_json(row);
        if let Some(finish) = finish(problem) {
            json["finish"] = finish.into();
        }
        resume.append(problem, row, &json)
    }

    /// How many seconds the problem took the last time, with whatever limits, if the file of rows tells.
    fn seconds(&self, (problem, start): &Task) -> Option<f64> {
        self.resume?.seconds(problem.board.name(), *start, finish(problem))
    }

    /// As many threads as are useful: each is busy all the time.
    fn pool(&self, tasks: usize) -> Result<rayon::ThreadPool, Failure> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if self.args.threads == 0 { processors } else { self.args.threads };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(wanted.min(processors).min(tasks).max(1)).build();
        pool.map_err(|error| Failure::Usage(format!("--threads {}: {error}", self.args.threads)))
    }
}

/// The hole of the last peg, where the goal says one.
fn finish(problem: &Problem) -> Option<Hole> {
    match problem.goal {
        Goal::PegIn(finish) => Some(finish),
        _ => None,
    }
}

/// Those that took longest come first, so that none of them is left for the end, when it would run alone; those of which nothing is
/// known are taken for average.
fn hardest_first(queue: &mut [(usize, Option<f64>)]) {
    let known: Vec<f64> = queue.iter().filter_map(|(_, seconds)| *seconds).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    // Stable, so that nothing is left to chance.
    queue.sort_by_key(|(_, seconds)| Reverse(Duration::try_from_secs_f64(seconds.unwrap_or(mean)).unwrap_or_default()));
}

/// An engine's wrong answer.
pub(super) fn failed(start: Hole, error: putnam_api::Error) -> Failure {
    Failure::Check(format!("start {start}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hardest_come_first() {
        let mut queue = vec![(0, None), (1, Some(5.0)), (2, None), (3, Some(1.0)), (4, Some(9.0))];
        hardest_first(&mut queue);
        assert_eq!(queue.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [4, 0, 1, 2, 3]);
        let mut queue = vec![(0, None), (1, None), (2, None)];
        hardest_first(&mut queue);
        assert_eq!(queue.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
