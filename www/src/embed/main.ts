/** `<juror-viewer>` on other people's pages: one script that registers the element. */
import { JurorViewer } from './viewer';

// The script that has no Wasm inside finds it beside itself.
const script = document.currentScript;
if (script instanceof HTMLScriptElement && script.src !== '') JurorViewer.wasm = new URL('juror-viewer.wasm', script.src).href;
