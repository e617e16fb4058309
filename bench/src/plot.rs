//! Time against size as a picture, from the rows of a race over [`crate::families`].

use crate::families::FAMILIES;
use crate::rows::Row;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::collections::BTreeMap;

/// The least time that is told apart from none, in seconds.
const LEAST: f64 = 0.01;
/// One picture of a family, in pixels.
const PICTURE: (u32, u32) = (420, 300);
/// Legible on white and apart from each other in all common kinds of colour blindness (Okabe and Ito, Color Universal Design,
/// 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// By solver, in the order of its first row: seconds by size.
type Series<'a> = Vec<(&'a str, BTreeMap<usize, Point>)>;

/// The runs of one solver at one size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Point {
    /// The sum of the seconds; of a run that decided nothing, its limit.
    seconds: f64,
    runs: usize,
    /// Whether each of them decided its formula.
    solved: bool,
}

impl Point {
    fn mean(self) -> f64 {
        (self.seconds / self.runs as f64).max(LEAST)
    }
}

/// One family's rows. The size is the number after the family's name in that of the file.
fn series<'a>(rows: &'a [Row], family: &str) -> Series<'a> {
    let mut series = Series::new();
    for row in rows.iter().filter(|row| row.family == family) {
        let rest = row.file.strip_prefix(family).and_then(|rest| rest.strip_prefix('-'));
        let Some(size) = rest.and_then(|rest| rest.split(['-', '.']).next()?.parse().ok()) else { continue };
        let index = series.iter().position(|(name, _)| *name == row.solver).unwrap_or_else(|| {
            series.push((&row.solver, BTreeMap::new()));
            series.len() - 1
        });
        let start = Point { solved: true, ..Point::default() };
        let point = series[index].1.entry(size).or_insert(start);
        point.seconds += if row.solved() { row.cpu } else { row.limit };
        point.runs += 1;
        point.solved &= row.solved();
    }
    series
}

/// An SVG picture with a diagram for each family that has rows: means of CPU seconds, on a logarithmic scale, against the size. A hollow
/// point has runs in it that did not decide their formula, which count with the limit.
///
/// # Errors
/// What is wrong with the picture, in words; none is known.
pub fn svg(rows: &[Row]) -> Result<String, String> {
    let shown: Vec<_> = FAMILIES.iter().map(|f| (f, series(rows, f.name))).filter(|(_, s)| !s.is_empty()).collect();
    let lines = shown.len().div_ceil(2).max(1);
    let limit = rows.iter().map(|row| row.limit).fold(1.0, f64::max);
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (2 * PICTURE.0, lines as u32 * PICTURE.1)).into_drawing_area();
        root.fill(&WHITE).map_err(|e| e.to_string())?;
        for (area, (family, series)) in root.split_evenly((lines, 2)).iter().zip(&shown) {
            diagram(area, &format!("{}: {}", family.name, family.unit), series, limit).map_err(|e| e.to_string())?;
        }
        root.present().map_err(|e| e.to_string())?;
    }
    Ok(text)
}

type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

fn diagram(area: &DrawingArea<SVGBackend<'_>, Shift>, title: &str, series: &Series<'_>, limit: f64) -> Drawn {
    let sizes = || series.iter().flat_map(|(_, points)| points.keys().copied());
    let (least, most) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(1));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 14))
        .margin(10)
        .x_label_area_size(24)
        .y_label_area_size(46)
        .build_cartesian_2d(least as f64..most as f64 + 0.01, (LEAST..limit * 1.5).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y} s"))
        .y_labels(5)
        .draw()?;
    for ((name, points), colour) in series.iter().zip(COLOURS.iter().cycle()) {
        let colour = *colour;
        let at: Vec<_> = points.iter().map(|(&size, point)| (size as f64, *point)).collect();
        chart
            .draw_series(LineSeries::new(at.iter().map(|&(x, point)| (x, point.mean())), colour.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        chart.draw_series(at.iter().map(|&(x, point)| {
            let style = if point.solved { colour.filled() } else { colour.stroke_width(1) };
            Circle::new((x, point.mean()), 3, style)
        }))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Verdict;

    fn row(file: &str, solver: &str, verdict: Verdict, cpu: f64) -> Row {
        let (family, _) = file.split_once('-').unwrap();
        Row {
            family: family.into(),
            file: file.into(),
            solver: solver.into(),
            verdict,
            cpu,
            wall: cpu,
            peak: 1.0,
            limit: 10.0,
            wrong: None,
            note: String::new(),
        }
    }

    #[test]
    fn runs_of_one_size_are_a_mean_and_a_run_without_answer_counts_its_limit() {
        let rows = [
            row("random-150-1.cnf", "putnam", Verdict::Sat, 2.0),
            row("random-150-2.cnf", "putnam", Verdict::Unknown, 10.1),
            row("random-200-1.cnf", "putnam", Verdict::Unsat, 3.0),
            row("peg-10-1.cnf", "putnam", Verdict::Unsat, 3.0),
        ];
        let [(name, points)] = &series(&rows, "random")[..] else { panic!() };
        let means: Vec<_> = points.iter().map(|(&size, point)| (size, point.mean(), point.solved)).collect();
        assert_eq!((*name, means), ("putnam", vec![(150, 6.0, false), (200, 3.0, true)]));
    }

    #[test]
    fn the_picture_names_families_and_solvers() {
        let rows =
            [row("random-150-1.cnf", "here", Verdict::Sat, 2.0), row("peg-10-1.cnf", "there", Verdict::Sat, 0.0)];
        let picture = svg(&rows).unwrap();
        for text in ["<svg", "random 3-SAT", "holes of a peg board", "here", "there", "10 s"] {
            assert!(picture.contains(text), "{text} is missing");
        }
        assert!(!picture.contains("pigeon") && svg(&[]).unwrap().contains("<svg"));
    }
}
