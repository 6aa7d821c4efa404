/** Unpacks the page of the single file and starts it: an inline script, which the policy knows by its hash. */
import { scriptText } from '../trusted';
import { payloadText } from './payload';

declare global {
  /** This document before the page changed anything: what a report is put into when it is exported. */
  var jurorShell: HTMLElement | undefined;
}

const shell = document.documentElement.cloneNode(true) as HTMLElement;
shell.removeAttribute('data-theme');
globalThis.jurorShell = shell;

payloadText('page').then(
  (code) => {
    const script = document.createElement('script');
    script.textContent = scriptText('juror-page', code);
    document.head.append(script);
    script.remove();
  },
  (error: unknown) => {
    const words = document.createElement('p');
    words.className = 'noscript';
    words.setAttribute('role', 'alert');
    words.textContent =
      typeof DecompressionStream === 'undefined'
        ? 'This browser is too old for Juror: it cannot unpack the file. Chromium 103, Firefox 113 and Safari 16.4 can, and later ones.'
        : `Juror could not be started. ${String(error)}`;
    document.body.prepend(words);
  },
);
