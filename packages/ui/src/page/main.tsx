import './page.css';
import './profile.css';
import { createClient } from '@pilotlight/protocol';
import { render } from 'preact';
import { startSearch } from '../search/start-search.js';
import { browserAddressBar, View } from '../view/view.js';
import { Clock } from './clock.js';
import { Theme } from './color-scheme.js';
import { Page } from './page.js';
import { PageStore } from './page-store.js';

// The page may lie below a path of a proxy: the server is where the page came from.
const address = new URL('.', location.href).href.replace(/\/$/, '');
const store = new PageStore(
  createClient({ baseUrl: address }),
  new View(browserAddressBar(window)),
  new Clock(Date.now),
  startSearch(),
);
store.start(() => document.visibilityState === 'visible');
render(
  <Page store={store} theme={new Theme(window)} address={address} />,
  document.getElementById('page') as HTMLElement,
);
