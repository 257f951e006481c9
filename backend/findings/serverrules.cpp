// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/rules.h"
#include "backend/text/duration.h"

namespace lk {

namespace {

using Severity = Finding::Severity;

QString masterOf(const ServerFacts& server)
{
    return server.master.isEmpty() ? FindingText::tr("its master") : server.master;
}

RuleMatch staleReplica(const ServerFacts& server)
{
    switch (server.masterLink) {
    case MasterLink::Unknown:
    case MasterLink::Up:
        return {};
    case MasterLink::Syncing:
        return {FindingText::tr("This replica is still copying its data from %1.")
                    .arg(masterOf(server)),
                {},
                {},
                {},
                {}};
    case MasterLink::NeverUp:
        return {FindingText::tr("This replica has not reached %1 since it started.")
                    .arg(masterOf(server)),
                {},
                {},
                Severity::Error,
                {}};
    case MasterLink::Down:
        break;
    }
    return {server.masterDownMs
                ? FindingText::tr("This replica lost %1 %2 ago; its data is that old.")
                      .arg(masterOf(server), formatDuration(*server.masterDownMs))
                : FindingText::tr("This replica lost %1; its data is stale.").arg(masterOf(server)),
            {},
            {},
            {},
            {}};
}

RuleMatch cannotSave(const ServerFacts& server)
{
    switch (server.diskError) {
    case DiskError::None:
        return {};
    case DiskError::Snapshot:
        return {
            FindingText::tr("The last snapshot failed; the server may reject writes (MISCONF)."),
            {},
            {},
            {},
            {}};
    case DiskError::AppendOnlyFile:
        break;
    }
    return {FindingText::tr("The append-only file cannot be written; the server may reject writes "
                            "(MISCONF)."),
            {},
            {},
            Severity::Error,
            {}};
}

constexpr ServerRule rules[] = {
    {{"replica-stale", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Locks, jobs and limits change on the master; this replica shows old "
                        "values."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Connect to the master, or find out why replication has stopped.")},
     staleReplica},
    {{"cannot-save", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "A restart loses everything written since, and writes may fail now."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Free disk space on the server and read its log; it then saves "
                        "automatically.")},
     cannotSave},
};

} // namespace

std::span<const ServerRule> serverRules()
{
    return rules;
}

} // namespace lk
