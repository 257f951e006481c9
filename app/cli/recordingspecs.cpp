// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/recordingspecs.h"

#include "app/cli/commandoptions.h"
#include "app/process/sharedoptions.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct RecordingSpecsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Commands)
};

} // namespace

CommandSpec recordSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper record")};
    spec.summary =
        RecordingSpecsText::tr("Record what happens in deployments until stopped: states, holders, "
                               "findings, actions,\nfailovers. Only reads them; needs no display.");
    spec.usage = {spec.command + QStringLiteral(" URL... [OPTION...]")};
    spec.options = {
        storeOption(),
        {"for",
         "DURATION",
         RecordingSpecsText::tr("Stop after this long, such as 10m. Default: at SIGTERM or Ctrl+C"),
         {"10m", "1h", "24h"}},
        {"listen",
         "ADDRESS:PORT",
         RecordingSpecsText::tr("Serve /metrics for Prometheus, and /healthz. Default: nothing"),
         {"127.0.0.1:9877"}},
        {"listen-password-file", "FILE",
         RecordingSpecsText::tr("Answer --listen only with the password in this file of mode 600 "
                                "(Basic authentication, any user name). Default: no password")},
        {"test-notify", "NAME",
         RecordingSpecsText::tr(
             "Send a test notification to this target of the configuration, and exit")},
        {"pace", "polite|normal|fast",
         RecordingSpecsText::tr("Limit the load of the scan on the servers. Default: normal")},
        configOption(),
        layoutsOption()};
    spec.addHelpOption();
    spec.examples = {spec.command + QStringLiteral(" redis://10.0.0.1:6379 "
                                                   "redis-sentinel://10.0.0.5,10.0.0.6/mymaster")};
    spec.notes =
        aboutUrl() +
        RecordingSpecsText::tr(
            "SIGHUP reloads the configuration file. Several programs may use one recording; "
            "one of them\nrecords a deployment at a time.\n") +
        RecordingSpecsText::tr(
            "Exit codes: 0 stopped, 2 wrong use, or no deployment could be reached.\n");
    return spec;
}

CommandSpec historySpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper history")};
    spec.summary = RecordingSpecsText::tr(
        "Print the recorded history of one lock, limiter, queue or token: who held it, "
        "when it was\nfull or stuck, and the actions on it. Connects to no server; needs "
        "no display.");
    spec.usage = {spec.command + QStringLiteral(" NAME [OPTION...]")};
    spec.options = {
        storeOption(),
        {"from", "TIME",
         RecordingSpecsText::tr(
             "Begin at this time: 2026-03-01T03:12, 03:12 or -2h. Default: 24 hours before "
             "the end")},
        {"to", "TIME",
         RecordingSpecsText::tr("End at this time. Default: now, or the end of the recording")},
        {"deployment", "URL",
         RecordingSpecsText::tr(
             "Search only this deployment, by its address or its title. Default: all")},
        {"format", "text|json|csv",
         RecordingSpecsText::tr(
             "Print text, JSON for programs, or CSV for tables. Default: text")}};
    spec.addHelpOption();
    spec.examples = {spec.command + QStringLiteral(" lock:invoice --from 03:00 --to 03:30")};
    spec.notes =
        RecordingSpecsText::tr(
            "NAME is what the library calls it, as snapshot prints it, or one of its keys. "
            "TIME is in this\nmachine's zone unless it names another, and by the server's "
            "clock.\n") +
        RecordingSpecsText::tr(
            "Exit codes: 0 printed, 1 nothing is recorded under that name, 2 wrong use, or "
            "there is no\nrecording.\n");
    return spec;
}

} // namespace lk
