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
        "destroy|-destroy",
        "..destroy|run-all-destroy; ..apply --destroy; state rm; workspace delete"
    ),
    row!(
        "pulumi cdk",
        "s|stack= C|cwd=",
        "..destroy; stack rm"
    ),
    row!(
        "aws",
        "delete profile= region= output= endpoint-url=",
        "..delete-*|terminate-*|deregister-*|purge-*|remove-*|batch-delete-*|schedule-key-deletion; s3 rm|rb; s3 sync --delete"
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
    row!("minikube k3d", "p|profile=", "delete; cluster delete"),
    row!("virsh", "c|connect=", "..undefine|vol-delete|pool-delete|pool-undefine|snapshot-delete|vol-wipe"),
    row!("gsutil", "d", "..rm|rb; ..rsync -d"),
    row!("s3cmd mc s5cmd", "", "..rm|rb|del"),
    row!("azcopy", "", "remove|rm"),
    row!("b2", "", "..delete-bucket|delete-file-version|rm"),
    row!("restic", "r|repo= prune", "..forget --prune; ..prune"),
    row!("borg", "", "delete|prune|recreate; ..delete"),
    row!("railway", "", "down|delete"),
    row!("eksctl", "", "delete"),
    row!("argocd", "", "app|proj|cluster|repo delete|rm"),
    row!("vault", "", "delete; kv delete|destroy; kv metadata delete; secrets disable; ..revoke"),
    row!("consul", "recurse|-recurse", "kv delete"),
    row!("nomad", "purge|-purge", "job stop --purge; job purge; namespace|volume delete"),
    row!("influx", "", "delete; bucket|org delete"),
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
        "R|repo= X|method= d|draft dry-run help",
        forge,
    )
    .dry("--dry-run; --help; ..help")
    .does(&[
        Does::Publish("release create"),
        Does::Remote(
            "repo delete|archive; release|secret|variable|label|gist|run|cache|workflow|codespace delete; \
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
    row!(
        "rails rake",
        "",
        "..db:drop|db:drop:*|db:reset|db:purge|db:purge:*|db:migrate:reset|db:truncate_all|db:seed:replant"
    ),
    row!("alembic", "c|config=", "downgrade ..base"),
    row!("flask", "A|app=", "db downgrade ..base"),
    row!("airflow superset", "", "db reset"),
    row!(
        "prisma",
        "force-reset",
        "migrate reset; db push --force-reset"
    ),
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
    row!(
        "artisan sail",
        "",
        "..migrate:fresh|migrate:reset|migrate:refresh|db:wipe"
    ),
    row!(
        "console symfony",
        "",
        "..doctrine:database:drop|doctrine:schema:drop|d:d:d"
    ),
    row!("manage.py django-admin", "", "..flush|reset_db"),
    row!("wp", "", "db reset|drop|clean; site empty|delete"),
    row!(
        "drush",
        "",
        "..sql:drop|sql-drop|site:install|site-install|entity:delete"
    ),
    row!("etcdctl", "", "..del"),
];

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
