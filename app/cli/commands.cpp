// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/cli/commandoptions.h"
#include "app/cli/recordingspecs.h"
#include "app/cli/redlockwanted.h"
#include "app/process/consolespecs.h"
#include "app/process/sharedoptions.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct CommandsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Commands)
};

// Adds the options of all commands that print their reading.
void addReadingOptions(CommandSpec& spec)
{
    spec.options.push_back(configOption());
    spec.options.push_back(layoutsOption());
    spec.options.push_back(timeoutOption());
    spec.options.push_back(
        {"reveal", "", CommandsText::tr("Print token codes in full. Default: masked")});
    spec.addHelpOption();
}

QString aboutSeveral()
{
    return CommandsText::tr("With several URLs, text has a heading for each, JSON is {\"schema\":2,"
                            "\"deployments\":[...]}, and the\nhighest exit code is returned.\n");
}

CommandSpec snapshotSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper snapshot")};
    spec.summary = CommandsText::tr(
        "Print the rate limiters, locks, queues and tokens of a server, once, or of "
        "several\nside by side. Only reads; needs no display.");
    spec.usage = {spec.command + QStringLiteral(" URL... [OPTION...]")};
    spec.options = {
        formatOption(),
        {"sample", "KEYS",
         CommandsText::tr("Read about this many keys and estimate the rest. Default: all")},
        {"max-memory", "MB",
         CommandsText::tr("Stop reading once this much memory is used. Default: no limit")},
        paceOption(),
        {"at", "TIME",
         CommandsText::tr("Print the state as of this time, from the recording: "
                          "2026-03-01T03:12, 03:12 or -2h. Default: now")},
        storeOption()};
    addReadingOptions(spec);
    spec.examples = {spec.command + QStringLiteral(" --format json redis://127.0.0.1:6379/0"),
                     spec.command + QStringLiteral(" --sample 100000 redis://127.0.0.1:6379/0")};
    spec.notes =
        aboutUrl() + aboutSeveral() +
        CommandsText::tr(
            "Exit codes: 0 printed, 2 wrong use, no connection, or it cannot be written.\n");
    return spec;
}

CommandSpec checkSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper check")};
    spec.summary = CommandsText::tr(
        "Print the findings of a server, or of several side by side, for cron jobs and\n"
        "monitoring. Only reads; needs no display.");
    spec.usage = {spec.command + QStringLiteral(" URL... [OPTION...]")};
    spec.options = {
        {"format", "text|json|prometheus",
         CommandsText::tr(
             "Print text, JSON, or counts for node_exporter's textfile collector. Default: text")},
        {"fail-on", "info|warning|error",
         CommandsText::tr("Exit with 1 from this severity on. Default: warning")},
        {"allow-partial", "",
         CommandsText::tr(
             "Accept partial results where this user lacks permissions. Default: exit with 2")},
        {"connection", "",
         CommandsText::tr("Test the connection alone, stage by stage: name, SSH, TCP, TLS, login, "
                          "permissions, role, Sentinel, cluster")},
        paceOption()};
    addReadingOptions(spec);
    spec.examples = {spec.command +
                     QStringLiteral(" --fail-on error --timeout 20s redis://127.0.0.1:6379/0")};
    spec.notes =
        aboutUrl() + aboutSeveral() +
        CommandsText::tr("Exit codes: 0 no finding at or above --fail-on, 1 some, 2 not everything "
                         "could be read;\nwith --connection: 0 all is well, 1 a warning, 2 no "
                         "connection.\n");
    return spec;
}

CommandSpec jobsSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper jobs")};
    spec.summary =
        CommandsText::tr("Print the jobs of a queue by their states. Only reads; needs no "
                         "display.");
    spec.usage = {spec.command + QStringLiteral(" URL QUEUE [OPTION...]")};
    spec.options = {
        {"state",
         "NAME",
         CommandsText::tr(
             "Print only jobs of this state, by the library's name or by its role: ready, "
             "processing, delayed, dead, done, paused. Default: all states"),
         {"ready", "processing", "delayed", "dead", "done", "paused"}},
        {"grep", "TEXT",
         CommandsText::tr(
             "Print jobs with this text in their ID, name, worker, error or payload, of the "
             "first 100,000 of each state. Default: the first jobs")},
        {"limit", "N",
         CommandsText::tr("Print at most this many jobs of each state, up to 1000. Default: 50")},
        formatOption(),
        configOption(),
        layoutsOption(),
        timeoutOption(),
        paceOption(),
        {"reveal", "", CommandsText::tr("Print payloads, up to 64 kB each. Default: their sizes")}};
    spec.addHelpOption();
    spec.examples = {spec.command +
                     QStringLiteral(" redis://127.0.0.1:6379 email --state failed --grep timeout")};
    spec.notes =
        aboutUrl() +
        CommandsText::tr(
            "QUEUE is the library's own name for it, as snapshot prints it, or one of its "
            "keys.\n") +
        CommandsText::tr(
            "Exit codes: 0 printed, 1 no such queue or state, 2 wrong use, no connection, or "
            "it cannot be written.\n");
    return spec;
}

CommandSpec layoutsSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper layouts")};
    spec.summary =
        CommandsText::tr("Print the layouts that Lockkeeper can detect, and where each comes from; "
                         "check layout\nfiles of your own; or print what one finds on a server, "
                         "and why not more. Only reads; needs no display.");
    spec.usage = {spec.command + QStringLiteral(" [OPTION...]"),
                  spec.command + QStringLiteral(" --check FILE..."),
                  spec.command + QStringLiteral(" --try FILE URL")};
    spec.options = {
        {"check", "",
         CommandsText::tr("Check these files and print what is wrong in them, and where.")},
        {"try", "FILE",
         CommandsText::tr("Print what this file finds on the server, and why not more.")},
        formatOption(),
        layoutsOption(),
        timeoutOption()};
    spec.addHelpOption();
    spec.examples = {spec.command + QStringLiteral(" --check shop-checkout.toml"),
                     spec.command +
                         QStringLiteral(" --try shop-checkout.toml redis://127.0.0.1:6379")};
    spec.notes =
        CommandsText::tr("Exit codes: 0 printed, valid or something found, 1 a file is invalid or "
                         "finds nothing, 2 wrong\nuse, no connection, or a file cannot be "
                         "read.\n");
    return spec;
}

CommandSpec aclSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper acl")};
    spec.summary =
        CommandsText::tr("Print the ACL SETUSER lines that give Lockkeeper a user of its own; "
                         "or, with a URL, what\nits user lacks and what that hides. Only reads; "
                         "needs no display.");
    spec.usage = {spec.command + QStringLiteral(" [--act | --sentinel] [--format text|json]"),
                  spec.command + QStringLiteral(" URL [OPTION...]")};
    spec.options = {
        {"act", "", CommandsText::tr("Include what actions need. Default: a user who only reads")},
        {"sentinel", "",
         CommandsText::tr("Print the line for Sentinels, which have users of their own")},
        formatOption(),
        timeoutOption()};
    spec.addHelpOption();
    spec.examples = {spec.command + QStringLiteral(" | redis-cli"),
                     spec.command + QStringLiteral(" --act redis://lockkeeper@127.0.0.1:6379")};
    spec.notes =
        CommandsText::tr(
            "Replace PASSWORD with a password. A server may reject some of the last lines\n"
            "because its version lacks those commands; this is harmless.\n") +
        aboutUrl() +
        CommandsText::tr(
            "Exit codes: 0 printed or nothing is missing, 1 something is missing, 2 wrong use "
            "or no\nconnection.\n");
    return spec;
}

QString programHelp()
{
    return CommandsText::tr(
        "Lockkeeper shows the rate limiters, locks, queues and one-time tokens stored in Redis.\n"
        "\n"
        "Usage:\n"
        "  lockkeeper [URL]                       open the console (lockkeeper-console)\n"
        "  lockkeeper --demo [--cluster]          open it on a private server with live traffic,\n"
        "                                         or on a cluster\n"
        "  lockkeeper snapshot URL...             print all that is detected, once\n"
        "  lockkeeper check URL...                print the findings of a server\n"
        "  lockkeeper jobs URL QUEUE              print the jobs of a queue\n"
        "  lockkeeper record URL...               record what happens, until stopped\n"
        "  lockkeeper history NAME                print the recorded history of one lock, "
        "limiter,\n"
        "                                         queue or token\n"
        "  lockkeeper act URL KIND VERB NAME      run one action: planned, guarded, journaled\n"
        "  lockkeeper layouts                     print the layouts that Lockkeeper can detect\n"
        "  lockkeeper redlock                     print locks held by a quorum of servers\n"
        "  lockkeeper redlock release NAME        release one on all of them\n"
        "  lockkeeper acl [URL]                   print the permissions that it needs, or lacks\n"
        "  lockkeeper screenshots URL FOLDER      save every board as a PNG file\n"
        "  lockkeeper help COMMAND                print the options of a command, with an example\n"
        "\n"
        "Only the console needs a display.\n"
        "\n"
        "URL:\n"
        "  redis://[user][:password]@host[:port][/database]\n"
        "  rediss://...  over TLS, with ?ca=FILE for an authority of your own, and\n"
        "                ?cert=FILE&key=FILE for a certificate of your own; &sni=NAME if the\n"
        "                server's certificate is for another name than the host\n"
        "  unix:///path/to/redis.sock[?db=N]\n"
        "  redis-sentinel://[user][:password]@host[:port][,host...]/MASTER[/database]\n"
        "                with ?sentinel_user=NAME&sentinel_password=TEXT for the Sentinels' own\n"
        "                login; rediss-sentinel:// over TLS\n"
        "  redis-cluster://[user][:password]@host[:port][,host...]\n"
        "                rediss-cluster:// over TLS; redis://...?cluster=no shows one node alone\n"
        "  ssh://[user@]jump[:port]/ADDRESS  any of these through a jump host, by the system's\n"
        "                ssh; or with ?ssh=[user@]jump[:port]\n"
        "  ?map=ANNOUNCED=REACHED[,...]  where servers are reached that announce an address\n"
        "                which is not reachable from here, each as host:port\n"
        "  The password can be in the environment variable LOCKKEEPER_PASSWORD instead.\n"
        "\n"
        "Options:\n"
        "  --help, -h             Print this help.\n"
        "  --version              Print the version.\n"
        "\n"
        "Exit codes: 0 done, 1 found or refused, 2 wrong use or no connection.\n");
}

} // namespace

QStringList commandNames()
{
    return {QStringLiteral("help"),    QStringLiteral("snapshot"),   QStringLiteral("check"),
            QStringLiteral("jobs"),    QStringLiteral("act"),        QStringLiteral("layouts"),
            QStringLiteral("acl"),     QStringLiteral("redlock"),    QStringLiteral("record"),
            QStringLiteral("history"), QStringLiteral("screenshots")};
}

std::vector<CommandSpec> commandSpecs()
{
    return {snapshotSpec(), checkSpec(),  jobsSpec(),    layoutsSpec(),     aclSpec(),
            redlockSpec(),  recordSpec(), historySpec(), screenshotsSpec(), windowSpec()};
}

CommandSpec commandSpec(const QString& command)
{
    for (const CommandSpec& spec : commandSpecs()) {
        if (spec.command == QStringLiteral("lockkeeper ") + command)
            return spec;
    }
    return {};
}

CommandSpec programSpec()
{
    CommandSpec program{QStringLiteral("lockkeeper")};
    for (const CommandSpec& command : commandSpecs()) {
        for (const CommandOption& option : command.options) {
            if (!program.option(option.name))
                program.options.push_back(option);
        }
    }
    return program;
}

QString commandHelp(const QString& command)
{
    return command.isEmpty() ? programHelp() : helpText(commandSpec(command));
}

} // namespace lk
