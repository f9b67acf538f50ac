// What this browser remembers of its person: language, theme, notifications, what is folded, whether the help was read.
import { en } from './words/en';
import { LANGUAGES, languageFor, type Language, type Words } from './words/words';

export type Theme = 'system' | 'dark' | 'light';
export const THEMES: readonly Theme[] = ['system', 'dark', 'light'];

const system = matchMedia('(prefers-color-scheme: light)');

class Preferences {
  language = $state<Language>(languageFor([read('language') ?? '', ...navigator.languages]));
  words = $state.raw<Words>(en);
  theme = $state<Theme>((read('theme') as Theme | null) ?? 'system');
  helpRead = $state(read('help') === 'read');
  /** Whether this browser is to show a notification when an agent needs the person. */
  notify = $state(read('notify') === 'on');
  /** Whether the queue of those who need the person is folded. */
  queueFolded = $state(read('queue') === 'folded');
  /** Which announcements spoke before all were silenced. */
  spoke: string[] = (read('spoke') ?? '').split(',').filter(Boolean);
  #systemLight = $state(system.matches);

  constructor() {
    system.addEventListener('change', () => (this.#systemLight = system.matches));
  }

  /** Loads the words of the language; the page is shown after that. */
  async load(): Promise<void> {
    this.words = await LANGUAGES[this.language].load();
  }

  /** The theme that is shown. */
  get shown(): 'dark' | 'light' {
    if (this.theme !== 'system') return this.theme;
    return this.#systemLight ? 'light' : 'dark';
  }

  async setLanguage(language: Language): Promise<void> {
    this.words = await LANGUAGES[language].load();
    this.language = language;
    write('language', language);
  }

  /** The words of a view that brings its own. A language that came after the view has them in its own file. */
  wordsOf<W>(view: string, own: { en: W } & { [Code in Language]?: NoInfer<W> }): W {
    return own[this.language] ?? (this.words as unknown as Record<string, W>)[view] ?? own.en;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    write('theme', theme);
  }

  setSpoke(names: string[]): void {
    this.spoke = names;
    write('spoke', names.join(','));
  }

  setNotify(on: boolean): void {
    this.notify = on;
    write('notify', on ? 'on' : '');
  }

  setQueueFolded(folded: boolean): void {
    this.queueFolded = folded;
    write('queue', folded ? 'folded' : '');
  }

  setHelpRead(read: boolean): void {
    this.helpRead = read;
    write('help', read ? 'read' : '');
  }
}

// A browser may refuse storage altogether; then everything is as on the first visit.
function read(name: string): string | null {
  try {
    return localStorage.getItem(`bellwether.${name}`);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`bellwether.${name}`, value);
  } catch {
    // It counts until the page is closed.
  }
}

export const prefs = new Preferences();
