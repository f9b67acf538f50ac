// The planned work of every project, read anew when it has moved.
import { ask, send } from './api/ask';
import type { AgentView, WorkflowView } from './api/types';

const TOGETHER_MS = 150;

class Workflows {
  all = $state.raw<WorkflowView[]>([]);
  ready = $state(false);
  trouble = $state.raw<unknown>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  async read(): Promise<void> {
    try {
      this.all = (await ask('/api/workflow', {})).workflows;
      this.trouble = null;
    } catch (error) {
      this.trouble = error;
    }
    this.ready = true;
  }

  /** Something has moved; what comes together is read once. */
  moved(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.read();
    }, TOGETHER_MS);
  }

  /** Lets a feature go on from the phase that it is shown in. */
  async next(project: string, feature: string, phase: string, reason: string): Promise<void> {
    await send('POST', '/api/workflow/next', {}, { project, feature, phase, reason });
    await this.read();
  }

  /** The phase and the feature that an agent works on, if its tasks tell. */
  workOf(agent: AgentView): string | null {
    for (const { status } of this.all) {
      const tasks = (status?.tasks ?? []).filter((task) => task.session_id === agent.session_id && task.begun && task.feature);
      const own = agent.role === 'main' ? tasks.find((task) => !task.owner) : tasks.find((task) => task.owner === agent.display_name);
      if (own) return `${own.phase} · ${own.feature}`;
    }
    return null;
  }
}

export const workflows = new Workflows();
