//! Pictures that questions are about: what is asked for a request, for all replies, or for a comparison of all pictures.

use juror_model::tree::FileId;
use wasm_bindgen::JsValue;

use super::lanes::Loop;
use super::superseded;

impl Loop {
    /// Brings the contents of pictures, one after another; one that cannot be read is an error.
    pub(super) async fn bring(&self, files: Vec<FileId>) -> Result<(), JsValue> {
        for file in files {
            let bytes = self.bytes(file).await?.to_vec();
            self.ask(|session| juror_session::provide_picture(session, file, &bytes))
                .ok_or_else(superseded)?;
        }
        Ok(())
    }
}

#[cfg(feature = "full")]
mod full {
    use std::collections::BTreeSet;

    use js_sys::Uint8Array;
    use juror_model::host::{Phase, Want};
    use juror_model::tree::FileId;
    use juror_session::error::Error;
    use juror_session::lint::Fingerprint;
    use juror_session::{provide_picture, provide_print};
    use juror_sources::backlog::TOGETHER;
    use wasm_bindgen::prelude::*;

    use crate::convert::message_of;
    use crate::loading::lanes::{Loop, PROGRESS_EVERY_MS};
    use crate::loading::superseded;
    use crate::loading::waiting::{now, pause};
    use crate::session::to_js;

    #[wasm_bindgen]
    extern "C" {
        /// What a picture looks like, as the module for pictures says.
        type Print;

        /// In hexadecimal digits.
        #[wasm_bindgen(method, getter, structural)]
        fn hash(this: &Print) -> String;

        #[wasm_bindgen(method, getter, structural)]
        fn cells(this: &Print) -> Uint8Array;
    }

    impl Loop {
        /// Brings the pictures that replies are held against, then holds them; one that cannot be read is left out.
        pub(in crate::loading) async fn check_replies(&self) -> Result<JsValue, JsValue> {
            let needs = self
                .ask(|session| juror_session::check_needs(&session.linked()))
                .ok_or_else(superseded)?;
            for some in needs.chunks(TOGETHER) {
                let wants: Vec<Want> = some.iter().map(|file| whole(*file)).collect();
                let got = self.read(&wants).await;
                for (file, bytes) in some.iter().zip(got) {
                    let Ok(bytes) = bytes else { continue };
                    self.ask(|session| provide_picture(session, *file, &bytes.to_vec()))
                        .ok_or_else(superseded)?;
                }
                pause().await;
            }
            let check = self
                .ask(juror_session::check_replies)
                .ok_or_else(superseded)?;
            to_js(&check)
        }

        /// Brings the session what pictures hold, and what they look like.
        pub(in crate::loading) async fn compare(&self) -> Result<(), JsValue> {
            let own = self.comparing.get() + 1;
            self.comparing.set(own);
            let needs = self.ask(|session| {
                (
                    juror_session::lint_needs(&session.linked()),
                    juror_session::print_needs(&session.linked()),
                )
            });
            let (contents, looks) = needs.ok_or_else(superseded)?;
            let looks: BTreeSet<FileId> = looks.into_iter().collect();
            let all: BTreeSet<FileId> = contents.into_iter().chain(looks.iter().copied()).collect();
            let total = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let mut told = f64::NEG_INFINITY;
            for (done, file) in (0..).zip(all) {
                if now() - told > PROGRESS_EVERY_MS {
                    told = now();
                    self.page.on_compared(done, total);
                    // Questions and a stop come in between.
                    pause().await;
                }
                let got = self.read(&[whole(file)]).await.pop();
                self.open().ok_or_else(superseded)?;
                if self.comparing.get() != own {
                    break;
                }
                let look = match got {
                    Some(Ok(bytes)) => {
                        self.ask(|session| provide_picture(session, file, &bytes.to_vec()));
                        if !looks.contains(&file) {
                            continue;
                        }
                        self.look_of(&bytes).await
                    }
                    _ if !looks.contains(&file) => continue,
                    Some(Err(unread)) => Err(unread.message),
                    None => continue,
                };
                self.ask(|session| provide_print(session, file, look.map_err(Error::Picture)))
                    .ok_or_else(superseded)?;
            }
            Ok(())
        }

        pub(in crate::loading) fn stop_compare(&self) {
            self.comparing.set(self.comparing.get() + 1);
        }

        async fn look_of(&self, bytes: &Uint8Array) -> Result<Fingerprint, String> {
            let print = self.page.print(bytes).await;
            let print: Print = print.map_err(|cause| message_of(&cause))?.unchecked_into();
            let hash = u64::from_str_radix(&print.hash(), 16).map_err(|cause| cause.to_string())?;
            Ok(Fingerprint {
                hash,
                cells: print.cells().to_vec().into(),
            })
        }
    }

    fn whole(file: FileId) -> Want {
        Want {
            file,
            head: None,
            phase: Phase::Pictures,
        }
    }
}
