/** Starts the page. */
import './app/juror-app';
import { store } from './app/store';
import { trustOwnScripts } from './app/trusted';
import { AskUrls } from './components/picture/urls';

addEventListener('juror-ask-urls', (event) => {
  if (event instanceof AskUrls) event.answer(store.client);
});

trustOwnScripts();
void store.start();
