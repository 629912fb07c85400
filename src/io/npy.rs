//! Matrices as NumPy files (NPY version 1.0): what other programs read weights from.

/// An f32 matrix, row after row, as the bytes of a file; `values` has `rows * columns` numbers.
pub fn matrix(rows: usize, columns: usize, values: impl Iterator<Item = f32>) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}").into_bytes();
    // Magic, version, length, header and a line feed fill a multiple of 64 bytes.
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.resize(length - 1, b' ');
    header.push(b'\n');
    let mut bytes = Vec::with_capacity(10 + length + 4 * rows * columns);
    bytes.extend_from_slice(b"\x93NUMPY\x01\x00");
    bytes.extend_from_slice(&(length as u16).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend(values.flat_map(f32::to_le_bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_what_numpy_writes_and_the_numbers_follow_it() {
        let bytes = matrix(2, 3, (0..6).map(|k| k as f32));
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = std::str::from_utf8(&bytes[10..128]).expect("text");
        assert!(header.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } "));
        assert!(header.ends_with(" \n"));
        assert_eq!(bytes.len(), 128 + 24);
        assert_eq!(&bytes[128 + 20..], 5.0_f32.to_le_bytes());
    }
}
