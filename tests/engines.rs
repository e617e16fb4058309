//! Both engines against a brute-force oracle.
