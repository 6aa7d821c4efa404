//! VIBE: edits told by a drawn instruction and a text, judged by sub-scores in three runs.
