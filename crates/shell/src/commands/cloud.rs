//! Tools that destroy things elsewhere: clusters, buckets, databases, repositories.

use super::database;
use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Does, Program, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

/// A row: names, options beside those that all have, and the calls that destroy.
macro_rules! row {
    ($names:literal, $options:literal, $calls:literal) => {
        program(
            $names,
            concat!("dry-run|dryrun|noop help ", $options),
            unknown,
        )
        .dry("--dry-run; --help; ..help")
        .does(&[Does::Remote($calls)])
    };
}

pub(super) const PROGRAMS: &[Program] = &[
    row!(
        "terraform tofu terragrunt",
        "destroy|-destroy replace|-replace=",
        "..destroy|run-all-destroy; ..apply --destroy; ..apply --replace; state rm; workspace delete; force-unlock"
    ),
    row!(
        "pulumi cdk",
        "s|stack= C|cwd=",
        "..destroy|down|dn; stack rm"
    ),
    row!(
        "aws",
        "delete recursive profile= region= output= endpoint-url= change-batch=",
        "s3 mv --recursive; ..delete-*|terminate-*|deregister-*|purge-*|remove-*|batch-delete-*|schedule-key-deletion; s3 rm|rb; s3 sync --delete"
    ),
    row!(
        "gcloud doctl az",
        "delete-unmatched-destination-objects",
        "..delete|destroy|purge|delete-*; ..storage ..rm; \
         ..storage ..rsync --delete-unmatched-destination-objects"
    ),
    program(
        "bq",
        "+ location|project_id|dataset_id|format|bigqueryrc= n|dry-run help",
        warehouse,
    )
    .dry("--dry-run; --help; ..help")
    .does(&[Does::Remote("rm")]),
    row!(
        "linode-cli hcloud scw vultr-cli civo exo oci ibmcloud openstack render koyeb upctl aliyun tccli yc ovhcloud",
        "",
        "..delete|rm|remove|destroy|terminate|delete-*|terminate-*"
    ),
    row!("sam amplify", "", "..delete"),
    row!("helmfile", "f|file= e|environment= l|selector=", "destroy|delete"),
    row!("flux", "n|namespace=", "delete; uninstall"),
    row!("minikube k3d kind colima limactl lima skaffold", "p|profile=", "delete; cluster delete; delete cluster|clusters|nodes"),
    row!("kops", "", "delete; ..delete"),
    row!("kubeadm", "", "reset"),
    row!("istioctl linkerd cilium velero tkn argo", "purge", "uninstall; ..delete; x uninstall"),
    row!("cdktf garden okteto", "volumes", "destroy; ..delete; ..destroy"),
    row!("talosctl rke rke2 kubespray", "", "reset|remove"),
    row!("k3s-uninstall.sh k3s-agent-uninstall.sh rke2-uninstall.sh k3s-killall.sh", "", ""),
    row!("tea forgejo", "", "delete; ..repos|repo ..delete|rm; ..delete"),
    row!("upstash auth0 stripe sentry-cli circleci contentful algolia launchdarkly ld ngrok tailscale datadog-ci", "", "..delete|remove|rm|*:delete|delete-*"),
    row!("cf", "", "delete|delete-*|ds"),
    row!("bw rbw gopass pass", "permanent", "delete|rm|remove|purge; ..delete"),
    row!("jenkins-cli", "", "..delete-*"),
    row!("duplicity", "", "remove-*; cleanup"),
    row!("kopia", "", "..delete|expire"),
    row!("rbd rados radosgw-admin ceph", "", "..rm|remove|purge|delete|destroy; ..purge"),
    row!("gluster", "", "..delete|remove-brick|detach"),
    row!("qm pct pvesh", "purge", "destroy|delete; ..rollback"),
    row!("vboxmanage", "delete", "unregistervm --delete; ..delete|deletevm|closemedium"),
    row!("prlctl", "", "delete"),
    row!("govc", "", "*.destroy|*.rm|*.delete"),
    row!("zkcli.sh zkcli zookeepercli", "", "..deleteall|rmr|delete|deleter"),
    row!("dropuser", "", ""),
    // What a tool of a service does that says so in its name.
    row!("remote-tool", "", "delete"),
    row!("pg_dropcluster", "", ""),
    row!("pg_restore", "c|clean d|dbname= l|list", "--clean !--list"),
    row!("mongorestore", "drop", "--drop"),
    row!("ldapdelete", "", ""),
    row!("hasura", "", "metadata clear"),
    row!("occ", "", "..*:delete"),
    row!("dolt", "hard d|delete D", "reset --hard; table rm; branch --delete; branch -D"),
    row!("rpk pulsar-admin", "", "..delete|*.delete"),
    row!("drizzle-kit", "", "drop"),
    row!("lakectl dvc", "", "..delete|gc|destroy; ..rm; branch reset"),
    row!("certbot acme.sh", "", "delete|revoke"),
    program("hdfs hadoop", "", hadoop),
    program("unison", "force|-force= prefer|-prefer= batch|-batch auto|-auto version|-version help|-help testserver|-testserver", unknown)
        .idle("--help; --version")
        .does(&[Does::Remote("--force; --batch; * *")]),
    row!("virsh", "c|connect=", "..undefine|vol-delete|pool-delete|pool-undefine|snapshot-delete|vol-wipe"),
    row!("gsutil", "d", "..rm|rb; ..rsync -d"),
    row!("s3cmd mc mcli s5cmd", "remove delete-removed delete", "..rm|rb|del; mirror --remove; ..sync --delete-removed; ..sync --delete"),
    row!("azcopy", "delete-destination=", "remove|rm; sync --delete-destination"),
    row!("b2", "", "..delete-bucket|delete-file-version|rm"),
    row!("restic", "r|repo= prune", "..forget --prune; ..prune"),
    row!("borg", "", "delete|prune|recreate; ..delete"),
    row!("railway", "", "down|delete"),
    row!("eksctl", "", "delete"),
    row!("argocd", "", "app|proj|cluster|repo delete|rm"),
    row!("vault", "", "delete; kv delete|destroy; kv metadata delete; secrets disable; ..revoke"),
    row!("consul", "recurse|-recurse", "kv delete"),
    row!("nomad", "purge|-purge", "job stop --purge; job purge; namespace|volume delete"),
    program("influx", "command|execute|-execute= help version", database::client)
        .dry("--help; --version")
        .does(&[Does::Remote("delete; bucket|org delete")]),
    row!(
        "rabbitmqctl rabbitmqadmin",
        "",
        "..reset|force_reset|delete_vhost|delete_queue|purge_queue|delete_user|delete|purge"
    ),
    row!("kafka-topics kafka-topics.sh", "delete", "--delete"),
    row!("celery", "A|app=", "..purge"),
    row!("nats", "", "stream|kv|object rm|purge|del; ..purge"),
    program(
        "gh glab",
        "R|repo= X|method= delete-branch d|draft force admin dry-run help",
        forge,
    )
    .dry("--dry-run; --help; ..help")
    .does(&[
        Does::Publish("release create"),
        Does::Remote(
            "repo delete|archive; repo sync --force; pr close --delete-branch; pr merge --admin; release|secret|variable|label|gist|run|cache|workflow|codespace delete; \
             api ..delete",
        ),
    ]),
    row!("dropdb", "", ""),
    row!("mysqladmin", "", "..drop"),
    row!("serverless sls", "", "..remove"),
    // What their statements do is told as a database's own client's.
    program(
        "wrangler turso pscale neonctl neon supabase",
        "command= file= y|yes local help version",
        hosted,
    )
    .dry("--help; --version")
    .does(&[Does::Remote(
        "..remove|rm|delete|destroy|terminate|reset|*:delete|*:disable|*:destroy|*:reset",
    )]),
    row!(
        "vercel netlify firebase eb",
        "",
        "..remove|rm|delete|terminate|reset|*:delete|*:disable|*:remove"
    ),
    row!(
        "sequelize sequelize-cli typeorm knex mikro-orm",
        "all",
        "..db:drop|schema:drop|db:drop:all|schema:fresh|migration:fresh; ..migrate:rollback --all; \
         ..db:migrate:undo:all"
    ),
    program("rails rake", "dry-run help e|execute=", rails)
    .dry("--dry-run; --help; ..help")
    .does(&[Does::Publish("release|release:*; ..gem:release"), Does::Remote(
        "..db:drop|db:drop:*|db:reset|db:purge|db:purge:*|db:migrate:reset|db:truncate_all|db:seed:replant|db:schema:load|db:structure:load"
    )]),
    row!("alembic", "c|config=", "downgrade ..base"),
    row!("flask", "A|app=", "db downgrade ..base"),
    row!("airflow superset", "", "db reset"),
    program("prisma", "force-reset file= schema= url= stdin dry-run help", executed)
        .dry("--dry-run; --help; ..help")
        .does(&[Does::Remote("migrate reset; db push --force-reset")]),
    row!("sqlx", "", "..database|db drop|reset; database|db drop|reset"),
    row!("diesel", "", "database|setup reset|drop"),
    row!("sea-orm-cli", "", "migrate fresh|refresh|reset"),
    row!(
        "migrate",
        "path|-path|source|-source|database|-database= all|-all",
        "..drop; ..down --all"
    ),
    row!("dbmate", "u|e|d|s|url|env=", "drop"),
    row!("flyway", "", "..clean"),
    row!("liquibase", "", "..drop-all|dropall"),
    row!("atlas", "", "schema clean"),
    row!("dotnet-ef", "", "database drop"),
    program("artisan sail", "dry-run help execute=", |runner, call, _| {
        spoken(runner, call)
    })
    .dry("--dry-run; --help; ..help")
    .does(&[Does::Remote(
        "..migrate:fresh|migrate:reset|migrate:refresh|db:wipe",
    )]),
    row!(
        "console symfony",
        "",
        "..doctrine:database:drop|doctrine:schema:drop|d:d:d"
    ),
    program("manage.py django-admin", "dry-run help c|command=", |runner, call, _| {
        spoken(runner, call)
    })
    .dry("--dry-run; --help; ..help")
    .does(&[Does::Remote("..flush|reset_db; migrate ..zero")]),
    row!("wp", "", "db reset|drop|clean; site empty|delete"),
    row!(
        "drush",
        "",
        "..sql:drop|sql-drop|site:install|site-install|entity:delete"
    ),
    row!("etcdctl", "", "..del"),
];

/// `rails runner 'User.delete_all'`.
fn rails(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    spoken(runner, call)
}

/// Code that works on the project's database stands in the words of the call, or on its input.
fn spoken(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let mut texts: Vec<String> = call.words.iter().map(Text::shown).collect();
    texts.push(call.stdin.text().shown());
    for text in texts {
        database::note_spoken(runner, call, &text);
    }
    Stream::Unknown(call.shown())
}

/// `prisma db execute --stdin`.
fn executed(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    database::client(runner, call, options)
}

/// `hdfs dfs -rm -r /data`: its verbs look like options.
fn hadoop(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    const VERBS: [&str; 5] = ["-rm", "-rmr", "-rmdir", "-expunge", "-format"];
    if call.words.iter().any(|word| VERBS.contains(&word.lead())) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    Stream::Unknown(call.shown())
}

/// `gh api --method DELETE …`.
fn forge(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let method = options.value("method").map(Text::shown);
    let is_api = options.operands.first().is_some_and(|word| word.is("api"));
    if is_api && method.is_some_and(|method| method.eq_ignore_ascii_case("DELETE")) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    Stream::Unknown(call.shown())
}

/// `wrangler d1 execute shop --command 'drop table orders'`, `turso db shell shop 'drop …'`. A local copy is the
/// agent's own to try.
fn hosted(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("local") {
        return Stream::Unknown(call.shown());
    }
    database::client(runner, call, options)
}

/// `bq query 'DROP TABLE …'`.
fn warehouse(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options
        .operands
        .first()
        .is_some_and(|verb| verb.is("query"))
    {
        let texts: Vec<String> = call.words.iter().map(Text::shown).collect();
        return database::stated(runner, call, &texts);
    }
    Stream::Unknown(call.shown())
}
