// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/helptext.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::HelpText)
};

QString programHelp()
{
    return Text::tr(
        "Lockkeeper shows the rate limiters, locks, queues and one-time tokens that live in a "
        "Redis.\n"
        "\n"
        "Usage:\n"
        "  lockkeeper [URL]                      the console\n"
        "  lockkeeper --demo                     the console on a private server with live "
        "traffic\n"
        "  lockkeeper snapshot URL               one look, printed; needs no display\n"
        "  lockkeeper check URL                  what is wrong in the data, printed; reads only\n"
        "  lockkeeper act URL KIND VERB NAME     a step, planned, guarded and journaled; act --help "
        "lists all\n"
        "  lockkeeper screenshots URL FOLDER     every board as a PNG; needs no display\n"
        "  lockkeeper screenshots --demo FOLDER  the same on the demo\n"
        "\n"
        "URL:\n"
        "  redis://[user][:password]@host[:port][/database]\n"
        "  rediss://...  over TLS, with ?ca=FILE for an authority of your own, and\n"
        "                ?cert=FILE&key=FILE for a certificate of your own; &sni=NAME where the\n"
        "                server's certificate is for another name than the host\n"
        "  unix:///path/to/redis.sock[?db=N]\n"
        "  The password may come in the variable LOCKKEEPER_PASSWORD instead.\n"
        "\n"
        "Options:\n"
        "  --config FILE          what Redis does not hold: limits, windows, which list is whose;\n"
        "                         ~/.config/lockkeeper/lockkeeper.toml unless given\n"
        "  --format text|json     of snapshot and check; text unless given\n"
        "  --format prometheus    of check: counts for node_exporter's textfile collector\n"
        "  --fail-on info|warning|error\n"
        "                         of check: exit code 1 from there on; warning unless given\n"
        "  --allow-partial        of check: what this user may not read does not make it fail\n"
        "  --timeout DURATION     of snapshot and check: give up after so long without progress; "
        "60s unless given\n"
        "  --reveal               of snapshot and check: token codes in full; masked unless given\n"
        "  --environment LABEL    shown on the window; \"production\" stands out\n"
        "  --theme system|light|dark\n"
        "  --print-snapshot       with screenshots: the text snapshot on stdout besides\n"
        "  --help, --version      or: lockkeeper help, lockkeeper help COMMAND\n"
        "\n"
        "Exit codes: 0 done, 1 found or refused, 2 wrong use or no connection.\n"
        "check: 0 nothing at or above --fail-on, 1 something, 2 it could not look at all of "
        "it.\n");
}

// Of every command that reads a server.
QString configHelp()
{
    return Text::tr(
        "  --config FILE          Read from this file what Redis does not hold: limits, windows,\n"
        "                         which list is whose.\n"
        "                         Default: ~/.config/lockkeeper/lockkeeper.toml, if it exists\n");
}

QString readingHelp()
{
    return configHelp()
           + Text::tr("  --timeout DURATION     Give up after so long without progress. Default: 60s\n"
                      "  --reveal               Print token codes in full. Default: masked\n"
                      "  --help                 Print this help.\n");
}

QString aboutUrl()
{
    return Text::tr("lockkeeper --help describes URL. Set LOCKKEEPER_PASSWORD to keep a password out "
                    "of it.\n");
}

QString snapshotHelp()
{
    return Text::tr(
               "Print the rate limiters, locks, queues and tokens of a server, once. Only reads; "
               "needs no display.\n"
               "\n"
               "Usage:\n"
               "  lockkeeper snapshot URL [OPTION...]\n"
               "\n"
               "Options:\n"
               "  --format text|json     Print text, or JSON for programs. Default: text\n")
           + readingHelp()
           + Text::tr(
               "\n"
               "Example:\n"
               "  lockkeeper snapshot --format json redis://127.0.0.1:6379/0\n"
               "\n")
           + aboutUrl()
           + Text::tr("Exit codes: 0 printed, 2 wrong use, no connection, or it cannot be written.\n");
}

QString checkHelp()
{
    return Text::tr(
               "Print what is wrong in the data of a server, for cron jobs and monitoring. Only reads; "
               "needs no display.\n"
               "\n"
               "Usage:\n"
               "  lockkeeper check URL [OPTION...]\n"
               "\n"
               "Options:\n"
               "  --format text|json|prometheus\n"
               "                         Print text, JSON, or counts for node_exporter's textfile\n"
               "                         collector. Default: text\n"
               "  --fail-on info|warning|error\n"
               "                         Exit with 1 from this severity on. Default: warning\n"
               "  --allow-partial        Accept that this user may not read everything. Default: that\n"
               "                         is exit code 2\n")
           + readingHelp()
           + Text::tr(
               "\n"
               "Example:\n"
               "  lockkeeper check --fail-on error --timeout 20s redis://127.0.0.1:6379/0\n"
               "\n")
           + aboutUrl()
           + Text::tr("Exit codes: 0 nothing at or above --fail-on, 1 something, 2 it could not look "
                      "at all of it.\n");
}

QString screenshotsHelp()
{
    return Text::tr(
               "Save every board as a PNG file. Only reads; needs no display.\n"
               "\n"
               "Usage:\n"
               "  lockkeeper screenshots URL FOLDER [OPTION...]\n"
               "  lockkeeper screenshots --demo FOLDER [OPTION...]\n"
               "\n"
               "Options:\n"
               "  --demo                 Take them of a private server with live traffic.\n"
               "  --theme light|dark     Take them in this theme only. Default: both\n"
               "  --environment LABEL    Show this label on the window. Default: none\n"
               "  --print-snapshot       Print the text snapshot as well.\n")
           + configHelp()
           + Text::tr(
               "  --help                 Print this help.\n"
               "\n"
               "Example:\n"
               "  lockkeeper screenshots --theme dark redis://127.0.0.1:6379/0 boards\n"
               "\n")
           + aboutUrl()
           + Text::tr("Exit codes: 0 saved, 2 wrong use, no connection, or they cannot be written.\n");
}

} // namespace

QStringList helpTopics()
{
    return {QStringLiteral("help"), QStringLiteral("snapshot"), QStringLiteral("check"),
            QStringLiteral("act"), QStringLiteral("screenshots")};
}

QString helpText(const QString& command)
{
    if (command == QLatin1String("snapshot"))
        return snapshotHelp();
    if (command == QLatin1String("check"))
        return checkHelp();
    if (command == QLatin1String("screenshots"))
        return screenshotsHelp();
    return programHelp();
}

} // namespace lk
