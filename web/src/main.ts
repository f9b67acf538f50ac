import { mount } from 'svelte';
import App from './App.svelte';
import { prefs } from './prefs.svelte';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('page');
// Words that cannot be loaded are no reason to show nothing: English is always there.
await prefs.load().catch(() => undefined);
if (target) mount(App, { target });
