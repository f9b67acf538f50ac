// A project whose work is planned: turned on by a person at a terminal, moved along by hooks as a client starts them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PERSON = join(dirname(fileURLToPath(import.meta.url)), '../../tests/src/person.sh');
const CONFIG = 'workflow: {enabled: true, automation: full-auto}\n';

/** What a client does not hand on: marks of an agent whose tool may have started these tests. */
function clean() {
  const { AI_AGENT, CLAUDECODE, ...rest } = process.env;
  return rest;
}

const quoted = (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

export class Planned {
  session = crypto.randomUUID();

  /** The workflow `full-auto` of a project of this name, in a daemon's home. */
  constructor(daemon, name) {
    this.daemon = daemon;
    this.folder = mkdtempSync(join(homedir(), 'planned-'));
    this.project = join(this.folder, name);
    mkdirSync(join(this.project, '.claude'), { recursive: true });
    writeFileSync(join(this.project, '.claude/bellwether.yaml'), CONFIG);
    this.file = join(this.project, '.bellwether/workflow.json');
    this.person('init');
  }

  /** `bellwether workflow …` by a person. */
  person(...words) {
    const line = [this.daemon.path, '--home', this.daemon.home, 'workflow', '--project', this.project, ...words].map(quoted).join(' ');
    return execFileSync('bash', [PERSON, line], { encoding: 'utf8', env: clean() });
  }

  /** An event of the client in this project; gives what the hook answers. */
  hook(name, more = {}) {
    const event = { session_id: this.session, cwd: this.project, hook_event_name: name, ...more };
    const hook = join(dirname(this.daemon.path), 'bellwether-hook');
    const env = { ...clean(), CLAUDE_PROJECT_DIR: this.project };
    const answer = execFileSync(hook, ['--home', this.daemon.home], { input: JSON.stringify(event), encoding: 'utf8', env });
    return answer ? JSON.parse(answer) : null;
  }

  create(id, subject) {
    return this.hook('PostToolUse', { tool_name: 'TaskCreate', tool_input: { subject, description: 'd' }, tool_response: { task: { id, subject } } });
  }

  move(id, status, more = {}) {
    return this.hook('PostToolUse', {
      tool_name: 'TaskUpdate', tool_input: { taskId: id, status, ...more }, tool_response: { success: true, taskId: id, statusChange: { from: 'pending', to: status } },
    });
  }

  done(id, subject) {
    this.create(id, subject);
    return this.move(id, 'completed');
  }

  /** A check whose report states this rate. */
  check(id, feature, rate) {
    mkdirSync(join(this.project, 'docs/03-analysis'), { recursive: true });
    writeFileSync(join(this.project, `docs/03-analysis/${feature}.analysis.md`), `Match Rate: ${rate}%\n`);
    return this.done(id, `[Check] ${feature}`);
  }

  read() {
    return JSON.parse(readFileSync(this.file, 'utf8'));
  }

  end() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
