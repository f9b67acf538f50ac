//! Perl, Ruby, PHP, awk and Lua.

use super::{Row, check};
use crate::foreign::Language;

#[test]
fn perl() {
    const ROWS: &[Row] = &[
        ("system('rm -rf /')", "sh<rm -rf />"),
        ("system 'rm', '-rf', '/'", "exec<rm|-rf|/>"),
        ("my @a = ('rm','-rf','/'); system(@a)", "exec<rm|-rf|/>"),
        ("my @a = qw(rm -rf /); exec @a;", "exec<rm|-rf|/>"),
        ("`rm -rf /`", "sh<rm -rf />"),
        ("my $x = qx{rm -rf /};", "sh<rm -rf />"),
        (
            "my $d = '/'; system(\"rm -rf $d\") == 0 or die 'x';",
            "sh<rm -rf />",
        ),
        ("my $d = '/a'; system(\"rm -rf ${d}b\")", "sh<rm -rf /ab>"),
        ("system(\"rm -rf $ENV{HOME}/x\")", "sh<rm -rf ~/x>"),
        ("system(\"rm -rf $ARGV[0]\")", "sh<rm -rf $ARGV[0]>"),
        ("system('rm -rf ' . '/')", "sh<rm -rf />"),
        ("unlink glob \"*\"", "del<*>"),
        ("unlink <*.c>;", "del<*.c>"),
        ("unlink 'a', 'b'", "del<a> del<b>"),
        ("unlink for glob('/x/*')", "del</x/*>"),
        ("unlink $_ for ('a', 'b');", "del<a> del<b>"),
        ("for my $f (glob('/x/*')) { unlink $f }", "del</x/*>"),
        ("foreach ('a','b') { unlink($_) }", "del<a> del<b>"),
        ("use File::Path; rmtree('/x')", "tree</x>"),
        (
            "use File::Path qw(remove_tree); remove_tree('/x', {safe => 1})",
            "tree</x>",
        ),
        ("File::Path::rmtree('/x')", "tree</x>"),
        ("open(my $f, '>', '.env')", "write<.env>"),
        ("open F, '>>.env'", "append<.env>"),
        ("open(F, '<', '.env')", ""),
        ("open(F, '|-', 'rm -rf /')", "sh<rm -rf />"),
        ("open(F, 'rm -rf / |')", "sh<rm -rf />"),
        ("rename 'a', 'b'", "mv<a|b>"),
        ("chmod 0777, '/'", "mode<777|/>"),
        ("eval \"system('id')\"", "sh<id>"),
        ("eval { print 1 }", ""),
        ("eval $x", "run<$x>"),
        ("print \"rm -rf /\"; # system('x')", ""),
        ("s/system('rm')/x/; m{unlink 'a'}; tr/a/b/;", ""),
        ("=pod\n\nsystem('rm -rf /')\n\n=cut\nprint 1;", ""),
        ("print while <STDIN>", ""),
        ("$h{unlink} = 1; $o->unlink('x');", ""),
        ("system(<<EOT);\nrm -rf /\nEOT\nprint 1", "sh<rm -rf /\n>"),
    ];
    check(Language::Perl, ROWS);
}

#[test]
fn ruby() {
    const ROWS: &[Row] = &[
        ("system 'rm -rf /'", "sh<rm -rf />"),
        ("system('rm', '-rf', '/')", "exec<rm|-rf|/>"),
        ("`rm -rf /`", "sh<rm -rf />"),
        ("x = %x(rm -rf /)", "sh<rm -rf />"),
        ("d = '/'\nsystem \"rm -rf #{d}\"", "sh<rm -rf />"),
        ("exec \"rm -rf #{ENV['HOME']}\"", "sh<rm -rf ~>"),
        ("require 'fileutils'; FileUtils.rm_rf('/')", "tree</>"),
        ("FileUtils.rm_rf '/x'", "tree</x>"),
        ("FileUtils.rm_rf(Dir.home)", "tree<~>"),
        ("FileUtils.rm_r File.join(Dir.home, 'x')", "tree<~/x>"),
        ("include FileUtils\nrm_rf '/x'", "tree</x>"),
        ("FileUtils.rm_rf(Dir.glob('/x/*'))", "tree</x/*>"),
        ("Dir.glob('/x/*').each { |f| File.delete(f) }", "del</x/*>"),
        ("Dir['*.c'].each do |f|\n  File.unlink f\nend", "del<*.c>"),
        ("%w[a b].each { |d| Dir.rmdir(d) }", "del<a> del<b>"),
        ("Pathname.new('/x').rmtree", "tree</x>"),
        ("File.write('.env', 'x')", "write<.env>"),
        ("File.open('.env', 'a') { |f| f.puts 1 }", "append<.env>"),
        ("FileUtils.mv('/home', '/x')", "mv</home|/x>"),
        ("FileUtils.chmod_R(0777, '/')", "modes<777|/>"),
        ("IO.popen('rm -rf /')", "sh<rm -rf />"),
        (
            "require 'base64'; eval(Base64.decode64('c3lzdGVtICdpZCc='))",
            "sh<id>",
        ),
        ("puts 'rm -rf /'", ""),
        ("# system 'rm -rf /'\nputs 1", ""),
        ("=begin\nsystem 'x'\n=end\nputs 1", ""),
        ("list.delete('/'); h.delete(:a)", ""),
        ("File.read('/x'); File.open('/x')", ""),
        ("x =~ /system 'rm'/", ""),
    ];
    check(Language::Ruby, ROWS);
}

#[test]
fn php() {
    const ROWS: &[Row] = &[
        ("system('rm -rf /');", "sh<rm -rf />"),
        ("<?php shell_exec(\"rm -rf $d\");", "sh<rm -rf $d>"),
        ("$d = '/'; exec(\"rm -rf {$d}x\");", "sh<rm -rf /x>"),
        ("echo `rm -rf /`;", "sh<rm -rf />"),
        ("unlink('a'); rmdir('/x');", "del<a> del</x>"),
        ("array_map('unlink', glob('/x/*'));", "del</x/*>"),
        ("foreach (glob('/x/*') as $f) { unlink($f); }", "del</x/*>"),
        ("file_put_contents('.env', 'x');", "write<.env>"),
        ("fopen('a', 'r'); fopen('b', 'w');", "write<b>"),
        ("system('rm -rf ' . getenv('HOME'));", "sh<rm -rf ~>"),
        ("eval(base64_decode('c3lzdGVtKCdpZCcpOw=='));", "sh<id>"),
        ("rename('a', 'b'); chmod('/', 0777);", "mv<a|b> mode<777|/>"),
        ("echo 'rm -rf /'; // system('x')", ""),
        ("# system('x')\n/* unlink('/') */", ""),
        ("$this->unlink('/'); $q->exec('x');", ""),
        ("$x = <<<EOT\nsystem('rm')\nEOT;\necho 1;", ""),
    ];
    check(Language::Php, ROWS);
}

#[test]
fn awk_and_lua() {
    const AWK: &[Row] = &[
        ("BEGIN{system(\"rm -rf /\")}", "sh<rm -rf />"),
        ("{ system(\"rm -rf \" $1) }", "sh<rm -rf $1>"),
        ("BEGIN { cmd = \"rm -rf /\"; system(cmd) }", "sh<rm -rf />"),
        ("BEGIN { \"rm -rf /\" | getline }", "sh<rm -rf />"),
        ("{ print $1 | \"sh\" }", "sh<sh>"),
        ("{ print $1 > \"/etc/x\" }", "write</etc/x>"),
        ("{ print $1, $2 >> \"x\" }", "append<x>"),
        ("{ system(\"rm -rf \" ENVIRON[\"HOME\"]) }", "sh<rm -rf ~>"),
        ("{ print \"rm -rf /\" }", ""),
        ("/system(\"rm\")/ { print $1 }", ""),
        ("$1 > 3 { print $2 }", ""),
        ("# system(\"x\")\n{ n = $1 / 2 }", ""),
    ];
    const LUA: &[Row] = &[
        ("os.execute('rm -rf /')", "sh<rm -rf />"),
        ("os.execute 'rm -rf /'", "sh<rm -rf />"),
        ("os.execute('rm -rf ' .. os.getenv('HOME'))", "sh<rm -rf ~>"),
        ("io.popen([[rm -rf /]]):read()", "sh<rm -rf />"),
        ("os.remove('a'); os.rename('b', 'c')", "del<a> mv<b|c>"),
        (
            "for _, f in ipairs({'a', 'b'}) do os.remove(f) end",
            "del<a> del<b>",
        ),
        ("io.open('a', 'w')", "write<a>"),
        ("load(x)()", "run<x>"),
        ("print('rm -rf /') -- os.execute('x')", ""),
        ("--[[ os.execute('x') ]] print(1)", ""),
        ("table.remove(t, 1); t:remove('/')", ""),
    ];
    check(Language::Awk, AWK);
    check(Language::Lua, LUA);
}
