// The tab tells who waits: a count in the title and a mark on the icon.
import waitingIcon from './assets/favicon-waiting.svg';

export function sign(waiting: number, view: string): void {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${view} · bellwether`;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = waiting > 0 ? waitingIcon : '/favicon.svg';
  if (link && link.getAttribute('href') !== wanted) link.href = wanted;
}
