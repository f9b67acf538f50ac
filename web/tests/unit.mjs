// Builds the unit tests with the same tool as the page and runs them with node's own runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(join(here, 'unit')).filter((name) => name.endsWith('.test.ts'));
const outDir = mkdtempSync(join(here, '../node_modules/.unit-'));
try {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: true, outDir, rolldownOptions: { input: files.map((name) => join(here, 'unit', name)) } },
  });
  const built = files.map((name) => join(outDir, name.replace('.ts', '.js')));
  process.exitCode = spawnSync(process.execPath, ['--test', ...built], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
