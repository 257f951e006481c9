// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/duration.h"
#include "backend/findings/rules.h"

namespace lk {

namespace {

using Severity = Finding::Severity;

QString masterOf(const ServerFacts& server)
{
    return server.master.isEmpty() ? FindingText::tr("its master") : server.master;
}

Seen staleReplica(const ServerFacts& server)
{
    switch (server.masterLink) {
    case MasterLink::Unknown:
    case MasterLink::Up:
        return {};
    case MasterLink::Syncing:
        return {FindingText::tr("This replica is copying its data from %1 and is not complete.")
                    .arg(masterOf(server)),
                {},
                {},
                {},
                {}};
    case MasterLink::NeverUp:
        return {FindingText::tr("This replica has not reached %1 since it was started.")
                    .arg(masterOf(server)),
                {},
                {},
                Severity::Error,
                {}};
    case MasterLink::Down:
        break;
    }
    return {server.masterDownMs
                ? FindingText::tr("This replica lost %1 %2 ago; what it shows is as old.")
                      .arg(masterOf(server), formatDuration(*server.masterDownMs))
                : FindingText::tr("This replica lost %1; what it shows is old.").arg(masterOf(server)),
            {},
            {},
            {},
            {}};
}

Seen cannotSave(const ServerFacts& server)
{
    switch (server.diskError) {
    case DiskError::None:
        return {};
    case DiskError::Snapshot:
        return {FindingText::tr("The last snapshot failed; the server may refuse writes (MISCONF)."),
                {},
                {},
                {},
                {}};
    case DiskError::AppendOnlyFile:
        break;
    }
    return {FindingText::tr("The append-only file cannot be written; the server may refuse writes "
                            "(MISCONF)."),
            {},
            {},
            Severity::Error,
            {}};
}

constexpr ServerRule rules[] = {
    {{"replica-stale", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Locks, jobs and limits change on the master; here they look as they did "
                        "before."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Connect to the master, or find out why the replica does not follow it.")},
     staleReplica},
    {{"cannot-save", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "A restart loses what was written since, and programs that write may fail "
                        "now."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Free space on the server's disk and read its log; it saves by itself then.")},
     cannotSave},
};

} // namespace

std::span<const ServerRule> serverRules()
{
    return rules;
}

} // namespace lk
