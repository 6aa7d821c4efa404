//! multiref: vectors got by running the authors' functions.
