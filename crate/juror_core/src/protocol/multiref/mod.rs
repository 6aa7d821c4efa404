//! MultiRef-Bench: synthetic samples with typed references, and real-world requests judged on three dimensions.
