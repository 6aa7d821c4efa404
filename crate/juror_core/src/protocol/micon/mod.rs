//! MICON-Bench: two or three references per case, judged by pass-or-fail checkpoints; stories also by answer sets.
