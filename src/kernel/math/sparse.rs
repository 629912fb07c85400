//! Sparse symmetric positive definite systems: A x = b by Cholesky, A = P L Lᵀ Pᵀ (faer).
//!
//! The factorisation is kept, so that further right-hand sides cost only two triangular solves.
//! faer itself runs on one thread here, because its splitting over threads changes the last bits;
//! blocks of columns are solved in parallel instead.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par, Side};
use rayon::prelude::*;

use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::{Cancelled, Progress};

/// Columns that one task solves together: enough to use the factor's cache lines well.
const BLOCK: usize = 4;

/// A symmetric matrix under construction; entries of the same place add up.
#[derive(Debug, Clone)]
pub struct SymmetricMatrix {
    order: usize,
    lower: Vec<Triplet<u32, u32, f64>>,
}

/// Why a system cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SparseError {
    /// Not positive definite, or not finite.
    #[error("the system of {order} equations is not positive definite")]
    NotPositiveDefinite {
        /// Number of equations.
        order: usize,
    },
    /// Indices out of range, or not enough memory.
    #[error("the system of {order} equations could not be set up")]
    Setup {
        /// Number of equations.
        order: usize,
    },
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl SymmetricMatrix {
    /// A zero matrix of `order` rows and columns.
    pub fn zeros(order: usize) -> Self {
        Self { order, lower: Vec::new() }
    }

    /// Adds `value` at (i, k) and, off the diagonal, at (k, i).
    pub fn add(&mut self, i: usize, k: usize, value: f64) {
        self.lower.push(Triplet::new(i.max(k) as u32, i.min(k) as u32, value));
    }

    /// Adds the spring energy ½ `stiffness` (x_i − x_k)².
    pub fn add_spring(&mut self, i: usize, k: usize, stiffness: f64) {
        self.add(i, i, stiffness);
        self.add(k, k, stiffness);
        self.add(i, k, -stiffness);
    }
}

/// The factor of a symmetric positive definite matrix.
#[derive(Debug, Clone)]
pub struct Cholesky {
    symbolic: Arc<SymbolicCholesky<u32>>,
    values: Vec<f64>,
}

impl Cholesky {
    /// Factors the matrix; leaves early when cancelled.
    pub fn factor(matrix: SymmetricMatrix, progress: &dyn Progress) -> Result<Self, SparseError> {
        unless_cancelled(progress, move || factor_now(&matrix))?
    }

    /// Number of equations.
    pub fn order(&self) -> usize {
        self.symbolic.nrows()
    }

    /// Solves for every column in place. Columns are `order()` long. The same bits on any number
    /// of threads.
    pub fn solve_columns(
        &self,
        columns: &mut [Vec<f64>],
        progress: &dyn Progress,
    ) -> Result<(), SparseError> {
        let order = self.order();
        if columns.iter().any(|column| column.len() != order) {
            return Err(SparseError::Setup { order });
        }
        columns.par_chunks_mut(BLOCK).try_for_each(|block| {
            progress.check()?;
            let count = block.len();
            let mut dense: Vec<f64> = block.iter().flatten().copied().collect();
            let scratch = self.symbolic.solve_in_place_scratch::<f64>(count, Par::Seq);
            let mut memory = MemBuffer::try_new(scratch).map_err(|_| SparseError::Setup { order })?;
            LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
                Conj::No,
                MatMut::from_column_major_slice_mut(&mut dense, order, count),
                Par::Seq,
                MemStack::new(&mut memory),
            );
            for (column, solved) in block.iter_mut().zip(dense.chunks_exact(order.max(1))) {
                column.copy_from_slice(solved);
            }
            Ok(())
        })
    }
}

fn factor_now(matrix: &SymmetricMatrix) -> Result<Cholesky, SparseError> {
    let order = matrix.order;
    let setup = SparseError::Setup { order };
    if matrix.lower.iter().any(|entry| !entry.val.is_finite()) {
        return Err(SparseError::NotPositiveDefinite { order });
    }
    let sparse = SparseColMat::<u32, f64>::try_new_from_triplets(order, order, &matrix.lower)
        .map_err(|_| setup.clone())?;
    let symbolic = factorize_symbolic_cholesky(
        sparse.symbolic(),
        Side::Lower,
        SymmetricOrdering::Amd,
        Default::default(),
    )
    .map_err(|_| setup.clone())?;
    let mut values = vec![0.0; symbolic.len_val()];
    let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
    let mut memory = MemBuffer::try_new(scratch).map_err(|_| setup)?;
    symbolic
        .factorize_numeric_llt(
            &mut values,
            sparse.as_ref(),
            Side::Lower,
            Default::default(),
            Par::Seq,
            MemStack::new(&mut memory),
            Default::default(),
        )
        .map_err(|_| SparseError::NotPositiveDefinite { order })?;
    Ok(Cholesky { symbolic: Arc::new(symbolic), values })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::progress::Silent;

    /// A chain of springs whose ends are held: its solutions are straight lines.
    fn chain(order: usize) -> SymmetricMatrix {
        let mut matrix = SymmetricMatrix::zeros(order);
        (1..order).for_each(|i| matrix.add_spring(i - 1, i, 1.0));
        matrix.add(0, 0, 1.0);
        matrix.add(order - 1, order - 1, 1.0);
        matrix
    }

    #[test]
    fn a_hanging_chain_is_straight() {
        let order = 50;
        let factor = Cholesky::factor(chain(order), &Silent).expect("positive definite");
        let mut columns = vec![vec![0.0; order]; 6];
        for (k, column) in columns.iter_mut().enumerate() {
            column[order - 1] = k as f64;
        }
        factor.solve_columns(&mut columns, &Silent).expect("solves");
        for (k, column) in columns.iter().enumerate() {
            for (i, x) in column.iter().enumerate() {
                let straight = k as f64 * (i + 1) as f64 / (order + 1) as f64;
                assert!((x - straight).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn singular_and_infinite_systems_are_refused() {
        let mut free = SymmetricMatrix::zeros(2);
        free.add_spring(0, 1, 1.0);
        free.add(0, 0, -0.5);
        assert_eq!(
            Cholesky::factor(free, &Silent).expect_err("indefinite"),
            SparseError::NotPositiveDefinite { order: 2 }
        );
        let mut nan = SymmetricMatrix::zeros(1);
        nan.add(0, 0, f64::NAN);
        assert!(Cholesky::factor(nan, &Silent).is_err());
    }
}
