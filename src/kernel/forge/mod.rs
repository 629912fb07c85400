//! Built-in characters and teaching shapes, made by formula.
