//! JavaScript and TypeScript.

use super::{Row, check};
use crate::foreign::Language;

#[test]
fn shells_and_programs() {
    const ROWS: &[Row] = &[
        (
            "require('child_process').execSync('rm -rf /')",
            "sh<rm -rf />",
        ),
        (
            "const {execSync: x} = require('child_process'); x('id')",
            "sh<id>",
        ),
        (
            "const { exec } = require('node:child_process');\nexec('id', (e) => {})",
            "sh<id>",
        ),
        (
            "const cp = require('child_process')\ncp.spawn('rm', ['-rf', '/'])",
            "exec<rm|-rf|/>",
        ),
        (
            "import { spawnSync } from 'child_process'; spawnSync('rm', ['-rf', '/'], {stdio: 'inherit'})",
            "exec<rm|-rf|/>",
        ),
        (
            "import * as cp from 'child_process'; cp.spawn('rm -rf /', {shell: true})",
            "sh<rm -rf />",
        ),
        (
            "import cp from 'child_process'; cp.spawn('rm', ['-rf','/'], {shell: true})",
            "sh<rm -rf />",
        ),
        (
            "child_process.execFileSync('rm', ['-rf', '/'])",
            "exec<rm|-rf|/>",
        ),
        (
            "const d = '/'; require('child_process').execSync(`rm -rf ${d}`)",
            "sh<rm -rf />",
        ),
        (
            "require('child_process').exec('rm -rf ' + process.env.HOME)",
            "sh<rm -rf ~>",
        ),
        (
            "require('child_process').exec(`rm -rf ${process.argv[2]}`)",
            "sh<rm -rf process.argv[2]>",
        ),
        ("require('child_process')['exec'+'Sync']('id')", "sh<id>"),
        (
            "require('child_process').execSync(atob('cm0gLXJmIC8='))",
            "sh<rm -rf />",
        ),
        (
            "require('child_process').execSync(Buffer.from('cm0gLXJmIC8=','base64').toString())",
            "sh<rm -rf />",
        ),
        (
            "require('child_process').execSync(String.fromCharCode(105,100))",
            "sh<id>",
        ),
        (
            "require('child_process').execSync('/ fr- mr'.split('').reverse().join(''))",
            "sh<rm -rf />",
        ),
        (
            "require('child_process').execSync(['rm','-rf','/'].join(' '))",
            "sh<rm -rf />",
        ),
        (
            "require('child_process').execSync('rm -rf .', {cwd: '/x'})",
            "sh<cd /x && rm -rf .>",
        ),
        (
            "(async () => { const {execSync} = await import('child_process'); execSync('id') })()",
            "sh<id>",
        ),
        (
            "import('child_process').then(c => c.execSync('id'))",
            "sh<id>",
        ),
        ("await $`rm -rf /x`", "sh<rm -rf /x>"),
        ("Bun.spawn(['rm','-rf','/'])", "exec<rm|-rf|/>"),
        (
            "new Deno.Command('rm', { args: ['-rf', '/'] }).outputSync()",
            "exec<rm|-rf|/>",
        ),
        (
            "function run(c) { require('child_process').execSync(c) }\nrun('rm -rf /')",
            "sh<rm -rf />",
        ),
        (
            "eval(\"require('child_process').execSync('id')\")",
            "sh<id>",
        ),
        ("eval(code)", "run<code>"),
        ("new Function(atob('YQ==') + x)()", "run<ax>"),
    ];
    check(Language::JavaScript, ROWS);
}

#[test]
fn files() {
    const ROWS: &[Row] = &[
        (
            "require('fs').rmSync('/', {recursive:true, force:true})",
            "tree</>",
        ),
        ("require('fs')['rmSync']('/', {recursive:true})", "tree</>"),
        ("const fs=require('fs');fs.rmSync('a')", "del<a>"),
        ("fs.rmdirSync('/x', { recursive: true })", "tree</x>"),
        ("fs.promises.rm('/x', { recursive: true })", "tree</x>"),
        (
            "const fsp = require('fs/promises'); await fsp.rm('/x', {recursive: true})",
            "tree</x>",
        ),
        (
            "const { promises: f } = require('fs'); f.unlink('a')",
            "del<a>",
        ),
        (
            "import { rmSync as r } from 'node:fs'; r('/x', {recursive: true})",
            "tree</x>",
        ),
        (
            "import fs, { rmSync } from 'fs';\nrmSync('/x')\nfs.unlinkSync('y')",
            "del</x> del<y>",
        ),
        ("require('fs-extra').removeSync('/x')", "tree</x>"),
        ("require('rimraf').sync('/x')", "tree</x>"),
        (
            "const rimraf = require('rimraf'); rimraf('/x', () => {})",
            "tree</x>",
        ),
        (
            "const os=require('os'),path=require('path'),fs=require('fs'); fs.rmSync(path.join(os.homedir(),'x'),{recursive:true})",
            "tree<~/x>",
        ),
        ("fs.rmSync(process.cwd(), {recursive: true})", "tree<.>"),
        (
            "const d = fs.mkdtempSync('/tmp/x'); fs.rmSync(d, {recursive: true})",
            "tree</tmp/tmp.XXXXXXXX>",
        ),
        (
            "['/a','/b'].forEach(d => fs.rmSync(d, {recursive: true}))",
            "tree</a> tree</b>",
        ),
        (
            "['/a','/b'].forEach(function (d) { fs.unlinkSync(d) })",
            "del</a> del</b>",
        ),
        ("['/a','/b'].forEach(fs.unlinkSync)", "del</a> del</b>"),
        (
            "for (const d of ['a', 'b']) { fs.unlinkSync(`/x/${d}`) }",
            "del</x/a> del</x/b>",
        ),
        (
            "for (const f of fs.readdirSync('/x')) fs.unlinkSync(path.join('/x', f))",
            "del</x/<entry>>",
        ),
        (
            "if (fs.existsSync('/x')) fs.rmSync('/x', {recursive: true})",
            "tree</x>",
        ),
        (
            "async function main() {\n  await fs.promises.rm('/x', {\n    recursive: true,\n  });\n}\nmain()",
            "tree</x>",
        ),
        (
            "const rm = (p) => fs.rmSync(p, {recursive: true}); rm('/x')",
            "tree<p>",
        ),
        (
            "class A { async clean() { fs.unlinkSync('/x') } }",
            "del</x>",
        ),
        (
            "try { fs.unlinkSync('a') } catch (e) { fs.unlinkSync('b') }",
            "del<a> del<b>",
        ),
        ("let a = '/x', b = a + '/y'; fs.unlinkSync(b)", "del</x/y>"),
        ("fs.writeFileSync('.env', 'x')", "write<.env>"),
        ("fs.appendFileSync('.env', 'x')", "append<.env>"),
        ("fs.createWriteStream('a', {flags: 'a'})", "append<a>"),
        ("fs.renameSync('/home', '/x')", "mv</home|/x>"),
        ("fs.chmodSync('/', 0o777)", "mode<777|/>"),
        (
            "process.chdir('/'); fs.rmSync('etc', {recursive: true})",
            "tree<//etc>",
        ),
        ("Deno.removeSync('/x', { recursive: true })", "tree</x>"),
        ("const x: string = '/x';\nfs.unlinkSync(x)", "del</x>"),
        (
            "const d = cond ? '/a' : '/b'; fs.unlinkSync(d)",
            "del</a> del</b>",
        ),
        (
            "const d = process.env.X || '/'; fs.unlinkSync(d)",
            "del<$X> del</>",
        ),
        ("fs\n  .rmSync('/x')", "del</x>"),
    ];
    check(Language::JavaScript, ROWS);
}

#[test]
fn harmless() {
    const ROWS: &[Row] = &[
        ("console.log('rm -rf /')", ""),
        ("// fs.rmSync('/')\n/* execSync('rm -rf /') */", ""),
        ("const s = `fs.rmSync('/')`", ""),
        ("/rm -rf/.exec('x')", ""),
        ("re.exec('rm -rf /')", ""),
        ("const m = x.match(/execSync('a')/)", ""),
        ("a / b; fs.readFileSync('/x') / 2", ""),
        ("list.remove('/'); el.remove()", ""),
        ("arr.unlink('/'); store.rm('/')", ""),
        ("delete x['/']", ""),
        ("fs.readFileSync('/etc/passwd'); fs.existsSync('/')", ""),
        ("'a'.replace('/', '')", ""),
        ("$('#id').remove()", ""),
        ("function del(id) { return id }\ndel('/')", ""),
        ("class A { rmSync(p) { return p } }", ""),
        ("const o = { cmd: 'rm -rf /', exec: true }", ""),
        ("db.exec('delete from x')", ""),
    ];
    check(Language::JavaScript, ROWS);
}
