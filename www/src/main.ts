/** Starts the page. */
import './app/juror-app';
import { store } from './app/store';

void store.start();
