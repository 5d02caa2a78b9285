//! What the paths of a situation are in each graph.

use super::{Explorer, Found, Path, Reached};
use crate::dice::Weight;
use crate::exact::TooLarge;
use crate::exact::graph::{Beginning, Edge, Label, To, merged};
use crate::sim::Clock;

/// Paths of one situation after which the memory that their edges take is looked at again.
const MANY_PATHS: usize = 4096;

impl<P: Clock> Explorer<'_, P> {
    /// The class in each graph of a situation with these paths.
    pub(super) fn classes(&mut self, fallen: u64, paths: &[Path]) -> Result<[u32; 2], TooLarge> {
        let mut numbers = [0; 2];
        for (graph, number) in (0..self.graphs.len()).zip(&mut numbers) {
            let edges = self.edges(paths, graph)?;
            *number = self.graphs[graph].of(fallen, edges);
        }
        Ok(numbers)
    }

    /// Ends a Round: all that may come of its beginning has its class.
    pub(super) fn close_round(
        &mut self,
        beginning: u32,
        timeout: Path,
        cut: f32,
    ) -> Result<(), TooLarge> {
        let paths = std::mem::take(&mut self.open[0].paths);
        let fallen = self.open[0].past.fallen;
        for graph in 0..self.graphs.len() {
            let edges = self.edges(&paths, graph)?;
            let (to, blows, gains) = self.label(timeout, graph);
            let timeout = Edge {
                chance: 1.0,
                to,
                blows,
                gains,
            };
            let graph = &mut self.graphs[graph].graph;
            let node = graph.add(fallen, &edges);
            graph.beginnings[beginning as usize] = Some(Beginning { node, timeout, cut });
        }
        Ok(())
    }

    /// The edges of a situation in one graph.
    fn edges(&mut self, paths: &[Path], graph: usize) -> Result<Vec<Label>, TooLarge> {
        let mut labels: Vec<((To, u32, u32), Weight)> = Vec::with_capacity(paths.len());
        for some in paths.chunks(MANY_PATHS) {
            for path in some {
                labels.push((self.label(*path, graph), path.weight));
            }
            if some.len() == MANY_PATHS {
                self.check_memory(size_of_val(paths) + size_of_val(&labels[..]))?;
            }
        }
        Ok(merged(labels))
    }

    /// What a path is in one graph.
    fn label(&mut self, path: Path, graph: usize) -> (To, u32, u32) {
        let classes = &mut self.graphs[graph];
        let gains = classes.kept(path.gains, &mut self.labels.gains);
        match path.to {
            Reached::End(end) => (To::End(end), path.blows, gains),
            Reached::Lost => (To::Lost, path.blows, gains),
            Reached::Situation(Found::Now(numbers, _)) => {
                (To::Now(numbers[graph]), path.blows, gains)
            }
            Reached::Situation(Found::Next {
                beginning,
                gains: more,
            }) => {
                let more = classes.kept(more, &mut self.labels.gains);
                let gains = classes.both(gains, more, &mut self.labels.gains);
                (To::Next(beginning), path.blows, gains)
            }
        }
    }
}
