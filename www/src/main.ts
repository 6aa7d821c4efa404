/** Starts the page. */
import { listen } from './shell/acts';
import './shell/juror-app';
import { store } from './state/store';
import { trustOwnScripts } from './engine/trusted';
import { AskUrls } from './components/picture/urls';

addEventListener('juror-ask-urls', (event) => {
  if (event instanceof AskUrls) event.answer(store.client);
});

listen();
trustOwnScripts();
void store.start();
