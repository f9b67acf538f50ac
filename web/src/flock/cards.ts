// The cards of agents that are drawn right now.

export function cardOf(agent: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-agent="${CSS.escape(agent)}"]`);
}
