// How far the window is scrolled into an element, told once a frame and only when it changed.
import type { Attachment } from 'svelte/attachments';

export class PageScroll {
  top = $state(0);
  height = $state(innerHeight);

  follow: Attachment<HTMLElement> = (element) => {
    let asked = false;
    const measure = () => {
      asked = false;
      const rect = element.getBoundingClientRect();
      this.top = Math.max(0, -rect.top);
      this.height = innerHeight;
    };
    const wish = () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(measure);
    };
    measure();
    addEventListener('scroll', wish, { passive: true });
    addEventListener('resize', wish, { passive: true });
    return () => {
      removeEventListener('scroll', wish);
      removeEventListener('resize', wish);
    };
  };
}
