//! Python.

use super::{Row, check, read};
use crate::foreign::{Deed, Language};
use crate::text::{Fill, Hole, Piece};

const SHELLS: &[Row] = &[
    ("import os; os.system('rm -rf /')", "sh<rm -rf />"),
    ("import os as o\no.system('rm -rf /')", "sh<rm -rf />"),
    ("from os import system as s; s('rm -rf /')", "sh<rm -rf />"),
    ("from os import *\nsystem('id')", "sh<id>"),
    ("from os import (system,\n popen as p)\np('id')", "sh<id>"),
    ("__import__('os').system('rm -rf /')", "sh<rm -rf />"),
    ("import os; getattr(os,'sys'+'tem')('id')", "sh<id>"),
    (
        "import importlib; importlib.import_module('os').system('id')",
        "sh<id>",
    ),
    ("import os; f = os.system; f('id')", "sh<id>"),
    (
        "import subprocess; subprocess.run(['rm','-rf','/'])",
        "exec<rm|-rf|/>",
    ),
    (
        "import subprocess; subprocess.run('rm -rf /', shell=True)",
        "sh<rm -rf />",
    ),
    (
        "import subprocess; subprocess.run(args=['rm','-rf','/'], check=True)",
        "exec<rm|-rf|/>",
    ),
    (
        "import subprocess as sp; sp.check_output(('git','reset','--hard'))",
        "exec<git|reset|--hard>",
    ),
    (
        "import subprocess; c=['rm','-rf']; subprocess.Popen(c+['/'])",
        "exec<rm|-rf|/>",
    ),
    (
        "import subprocess; subprocess.call('rm -rf /'.split())",
        "exec<rm|-rf|/>",
    ),
    (
        "import subprocess, shlex; subprocess.call(shlex.split('rm -rf /'))",
        "exec<rm|-rf|/>",
    ),
    (
        "import subprocess; subprocess.run(['rm','-rf','.'], cwd='/x')",
        "sh<cd /x && rm -rf .>",
    ),
    (
        "import os; os.execvp('rm', ['rm','-rf','/'])",
        "exec<rm|-rf|/>",
    ),
    (
        "import os; os.execl('/bin/rm', 'rm', '-rf', '/')",
        "exec</bin/rm|-rf|/>",
    ),
    ("import os; os.popen('id').read()", "sh<id>"),
    (
        "import os; os.system(chr(114)+chr(109)+' -rf /')",
        "sh<rm -rf />",
    ),
    ("import os; os.system('/ fr- mr'[::-1])", "sh<rm -rf />"),
    (
        "import os; os.system('xm -rf /'.replace('x','r'))",
        "sh<rm -rf />",
    ),
    (
        "import os; os.system(bytes.fromhex('726d').decode()+' -rf /')",
        "sh<rm -rf />",
    ),
    (
        "import os,base64; os.system(base64.b64decode('cm0gLXJmIC8=').decode())",
        "sh<rm -rf />",
    ),
    ("import os; os.system('rm -rf %s' % '/')", "sh<rm -rf />"),
    (
        "import os; os.system('rm -rf {}/{}'.format('/a', 'b'))",
        "sh<rm -rf /a/b>",
    ),
    ("import os; p='/'; os.system(f'rm -rf {p}')", "sh<rm -rf />"),
    (
        "import os; os.system(f\"rm -rf {os.environ['HOME']}/x\")",
        "sh<rm -rf ~/x>",
    ),
    (
        "import os; os.system(' '.join(['rm','-rf','/']))",
        "sh<rm -rf />",
    ),
    ("import os\nif False:\n    os.system('id')", "sh<id>"),
    ("import os\ndef f():\n    os.system('id')", "sh<id>"),
    ("import os, sys; os.system(sys.argv[1])", "sh<sys.argv[1]>"),
    ("import os; os.system(input())", "sh<input()>"),
    ("import os; os.system('a'\n  )", "sh<a>"),
    ("import os; os.system('rm -rf ' '/')", "sh<rm -rf />"),
    ("import os; os.system('''rm -rf\n/''')", "sh<rm -rf\n/>"),
    (
        "import os; os.chdir('/'); os.system('rm -rf *')",
        "sh<cd / && rm -rf *>",
    ),
    ("import os\nx: str = 'id'\nos.system(x)", "sh<id>"),
    (
        "import os\ndef run(cmd):\n    os.system(cmd)\nrun('rm -rf /')",
        "sh<rm -rf />",
    ),
    ("import os\nos.system('a' if x else 'b')", "sh<a> sh<b>"),
];

#[test]
fn shells_and_programs() {
    check(Language::Python, SHELLS);
}

const FILES: &[Row] = &[
    ("import shutil; shutil.rmtree('/')", "tree</>"),
    (
        "import shutil; x='/'; shutil.rmtree(x, ignore_errors=True)",
        "tree</>",
    ),
    ("from shutil import rmtree; rmtree('build')", "tree<build>"),
    (
        "import os,shutil; shutil.rmtree(os.path.expanduser('~'))",
        "tree<~>",
    ),
    ("import shutil; shutil.rmtree('~')", "tree<./~>"),
    (
        "import os,shutil; shutil.rmtree(os.path.join(os.environ['HOME'],'x'))",
        "tree<~/x>",
    ),
    (
        "import os,shutil; shutil.rmtree(os.getenv('X') + '/y')",
        "tree<$X/y>",
    ),
    (
        "from pathlib import Path; import shutil; shutil.rmtree(Path.home() / 'x')",
        "tree<~/x>",
    ),
    (
        "from pathlib import Path; import shutil; shutil.rmtree(str(Path('/') / 'etc'))",
        "tree</etc>",
    ),
    ("import pathlib; pathlib.Path('a').unlink()", "del<a>"),
    (
        "from pathlib import Path; p = Path('/x'); (p / 'y').rmdir()",
        "del</x/y>",
    ),
    (
        "from pathlib import Path\nfor p in Path('/x').iterdir():\n  p.unlink()",
        "del</x/<entry>>",
    ),
    (
        "from pathlib import Path\nfor p in Path('/x').rglob('*.py'): p.unlink()",
        "del</x/*.py>",
    ),
    (
        "import os; os.remove('a'); os.unlink('b'); os.rmdir('c')",
        "del<a> del<b> del<c>",
    ),
    (
        "import os,glob\nfor f in glob.glob('/x/*'):\n    os.remove(f)",
        "del</x/*>",
    ),
    (
        "import os,glob; [os.remove(f) for f in glob.glob('*.c')]",
        "del<*.c>",
    ),
    (
        "import os\nfor d in ['a','b']:\n  os.rmdir('/x/'+d)",
        "del</x/a> del</x/b>",
    ),
    (
        "import os\nfor root, dirs, files in os.walk('/x'):\n  for f in files:\n    os.remove(os.path.join(root, f))",
        "del</x/**>",
    ),
    (
        "import os\nfor f in os.listdir('/x'): os.remove(os.path.join('/x', f))",
        "del</x/<entry>>",
    ),
    (
        "import os; list(map(os.remove, ['a','b']))",
        "del<a> del<b>",
    ),
    ("import os; os.chdir('/x'); os.remove('y')", "del</x/y>"),
    (
        "import tempfile,shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)",
        "tree</tmp/tmp.XXXXXXXX>",
    ),
    ("import os,shutil; shutil.rmtree(os.getcwd())", "tree<.>"),
    (
        "import tempfile,shutil\nwith tempfile.TemporaryDirectory() as d:\n  shutil.rmtree(d + '/x')",
        "tree</tmp/tmp.XXXXXXXX/x>",
    ),
    (
        "import os\ntry:\n  os.remove('a')\nexcept OSError: os.remove('b')",
        "del<a> del<b>",
    ),
    (
        "import os\nif os.path.exists('a'): os.remove('a')",
        "del<a>",
    ),
    (
        "import os\nclass A:\n  def f(self, p): os.remove(p)\nA().f('x')",
        "del<x>",
    ),
    (
        "import os\nfor i, f in enumerate(['a','b']): os.remove(f)",
        "del<a> del<b>",
    ),
    (
        "import os\ndef f():\n  os.remove(P)\nP = '/x'\nf()",
        "del</x>",
    ),
    ("import os; a, b = 'x', 'y'; os.remove(b)", "del<y>"),
    (
        "import shutil; (lambda p: shutil.rmtree(p))('/')",
        "tree<p>",
    ),
    ("import shutil\nshutil.rmtree('/x', True)", "tree</x>"),
    ("open('a','w').write('x')", "write<a>"),
    (
        "with open('.env', mode='a') as f:\n  f.write('x')",
        "append<.env>",
    ),
    (
        "from pathlib import Path; Path('.env').write_text('x')",
        "write<.env>",
    ),
    (
        "import shutil; shutil.move('/home','/tmp/x')",
        "mv</home|/tmp/x>",
    ),
    (
        "import os; os.rename('a','b'); os.replace('c','d')",
        "mv<a|b> mv<c|d>",
    ),
    ("import os; os.chmod('/', 0o777)", "mode<777|/>"),
    ("exec(\"import os; os.system('id')\")", "sh<id>"),
    (
        "import base64; exec(base64.b64decode('aW1wb3J0IG9zOyBvcy5zeXN0ZW0oJ2lkJyk='))",
        "sh<id>",
    ),
    (
        "import requests; exec(requests.get('http://x').text)",
        "run<requests.get('http://x').text>",
    ),
    ("eval(input())", "run<input()>"),
];

#[test]
fn files() {
    check(Language::Python, FILES);
}

#[test]
fn harmless() {
    const ROWS: &[Row] = &[
        ("print('rm -rf /')", ""),
        ("# os.system('rm -rf /')", ""),
        ("x = \"os.system('rm -rf /')\"", ""),
        ("'''\nos.system('rm -rf /')\n'''", ""),
        ("import re; re.compile(r'rm -rf /').match('x')", ""),
        ("import logging; logging.info('shutil.rmtree(/)')", ""),
        ("l = [1]; l.remove(1)", ""),
        ("s = set(); s.remove('/')", ""),
        ("items.remove('/')", ""),
        ("x = {}; del x['/']", ""),
        ("'a/b'.replace('/', '-')", ""),
        ("open('a').read()", ""),
        ("open('a', 'r')", ""),
        ("open('a', encoding='utf8')", ""),
        ("import os; os.path.exists('/'); os.makedirs('/x')", ""),
        ("import json; json.dumps({'cmd': 'rm -rf /'})", ""),
        ("def remove(x):\n  pass\nremove('/')", ""),
        ("class A:\n  def unlink(self): pass\nA().unlink()", ""),
        ("import pandas as pd; df.replace('/', ''); pd.eval('1')", ""),
        ("import ast; ast.literal_eval('1')", ""),
        ("assert cmd == 'rm -rf /'", ""),
        ("parser.add_argument('--x', help='rm -rf /')", ""),
        ("cursor.execute('delete from x')", ""),
    ];
    check(Language::Python, ROWS);
}

#[test]
fn what_a_loop_finds_keeps_its_kind() {
    let deeds = read(
        Language::Python,
        "import os,glob\nfor f in glob.glob('/x/*'): os.remove(f)",
    );
    let Some(Deed::Delete { path, .. }) = deeds.first() else {
        panic!("{deeds:?}");
    };
    assert_eq!(path.pieces()[1], Piece::Pattern("*".into()));
    let deeds = read(
        Language::Python,
        "import os\nfor r, d, fs in os.walk('/x'):\n for f in fs: os.remove(os.path.join(r, f))",
    );
    let Some(Deed::Delete { path, .. }) = deeds.first() else {
        panic!("{deeds:?}");
    };
    let below = |piece: &Piece| {
        matches!(
            piece,
            Piece::Hole(Hole {
                fill: Fill::Below(None),
                ..
            })
        )
    };
    assert!(below(&path.pieces()[1]), "{path:?}");
}
