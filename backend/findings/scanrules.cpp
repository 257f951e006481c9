// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findings.h"
#include "backend/findings/rules.h"
#include "backend/text/errortext.h"
#include "backend/text/kindtitles.h"

#include <QLocale>

namespace lk {

namespace {

using Severity = Finding::Severity;

QString scanCount(qint64 n)
{
    return QLocale().toString(n);
}

// "queues 3, locks 1, other keys 12"
QString hiddenBy(const Missing& missing)
{
    QStringList parts;
    for (const Kind kind : allKinds) {
        if (const qint64 n = missing.primitives[size_t(kind)])
            parts << FindingText::tr("%1 %2", "queues 3").arg(kindPluralWord(kind), scanCount(n));
    }
    if (missing.keys > 0)
        parts << FindingText::tr("keys not recognized: %1").arg(scanCount(missing.keys));
    return parts.join(QStringLiteral(", "));
}

class NotReadable final : public CrossStateJudge
{
public:
    NotReadable(const ServerFacts&, const CheckThresholds&) {}

    std::vector<RuleMatch> matches(const ScanCounts& scan) override
    {
        std::vector<RuleMatch> found;
        for (const Missing& missing : scan.missing) {
            const QByteArray key = missingKey(missing);
            found.push_back({missingText(missing, scan), key, key, {}, {}});
        }
        return found;
    }
};

// Which of them a node evicts, only its slots tell: they are counted all together.
class MayBeEvicted final : public CrossStateJudge
{
public:
    MayBeEvicted(const ServerFacts& server, const CheckThresholds&)
        : m_server(server)
    {}

    void take(const State& state) override
    {
        m_counts.at(size_t(state.kind())) += state.present ? 1 : 0;
    }

    std::vector<RuleMatch> matches(const ScanCounts&) override
    {
        QStringList nodes;
        for (const NodeFacts& node : m_server.nodes) {
            if (node.takesWrites() && node.durability.maxMemory.value_or(0) > 0 &&
                evictsOf(node.durability.eviction) == Evicts::AnyKey)
                nodes << QStringLiteral("%1 (%2)").arg(node.endpoint, node.durability.eviction);
        }
        std::vector<RuleMatch> found;
        for (const Kind kind : {Kind::Lock, Kind::Queue, Kind::Token}) {
            const qint64 number = m_counts.at(size_t(kind));
            if (nodes.isEmpty() || number == 0)
                continue;
            RuleMatch seen;
            seen.message =
                FindingText::tr("%1: %2. When its memory is full, any key may be evicted by %3.")
                    .arg(kindPluralTitle(kind), scanCount(number),
                         nodes.join(QStringLiteral(", ")));
            seen.key = seen.name = QByteArrayLiteral("*");
            seen.kind = kind;
            seen.group = true;
            found.push_back(std::move(seen));
        }
        return found;
    }

private:
    const ServerFacts& m_server;
    std::array<qint64, allKinds.size()> m_counts{};
};

constexpr SnapshotRule scanRuleTable[] = {
    {{"may-be-evicted", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "A lock that is evicted is free while its owner works; jobs and tokens "
                        "are lost without a trace."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set maxmemory-policy noeviction, or keep locks, queues and tokens on "
                        "another server than caches."),
      false, Finding::About::Settings},
     beginAcross<MayBeEvicted>},
    {{"not-readable", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Unread keys may hide anything: stuck jobs, locks without TTL, limiters "
                        "at their limit."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Grant this user the permission (ACL SETUSER), or check the other nodes "
                        "as well; check --allow-partial accepts partial results."),
      false, Finding::About::Unread},
     beginAcross<NotReadable>},
};

} // namespace

std::span<const SnapshotRule> scanSnapshotRules()
{
    return scanRuleTable;
}

QString missingText(const Missing& missing, const ScanCounts& scan)
{
    const QString hidden = hiddenBy(missing);
    switch (missing.cause) {
    case Missing::Cause::Command:
    case Missing::Cause::Database:
        return hidden.isEmpty() ? FindingText::tr("Permission %1 is missing: %2.")
                                      .arg(QString::fromLatin1(missing.permission), missing.detail)
                                : FindingText::tr("Cannot be read: %1. Permission %2 is missing.")
                                      .arg(hidden, QString::fromLatin1(missing.permission));
    case Missing::Cause::KeyPatterns: {
        qint64 primitives = 0;
        for (const qint64 n : missing.primitives)
            primitives += n;
        if (primitives > 0)
            return FindingText::tr("Outside this user's key patterns: %1 (keys scanned %2).")
                .arg(hidden, scanCount(scan.scanned));
        return FindingText::tr("%1 of %2 keys are outside this user's key patterns.")
            .arg(scanCount(missing.keys), scanCount(scan.scanned));
    }
    case Missing::Cause::OtherNodes:
        if (missing.detail.isEmpty())
            return FindingText::tr("On other nodes of the cluster: %1.").arg(hidden);
        return FindingText::tr("This is one node of a cluster: %1.").arg(missing.detail);
    case Missing::Cause::NodeDown:
        return FindingText::tr("Cluster node %1 does not answer: its keys were not read.")
            .arg(missing.detail);
    case Missing::Cause::Migrating:
        if (missing.detail.isEmpty())
            return FindingText::tr("Slots kept moving between nodes during the scan: "
                                   "some keys may have been missed.");
        return FindingText::tr("Cannot be read: %1. Their slot is being migrated to %2 (ASK).")
            .arg(hidden, missing.detail);
    case Missing::Cause::TooLarge:
        return FindingText::tr("Cannot be read: %1. A reply is too large.").arg(hidden);
    case Missing::Cause::Endless:
        return FindingText::tr("SCAN did not finish after %1 keys; the server reports %2.")
            .arg(scanCount(scan.scanned), scanCount(scan.expected));
    case Missing::Cause::Stopped:
        return missing.detail.isEmpty()
                   ? FindingText::tr("The scan was stopped after %1 of %2 keys.")
                         .arg(scanCount(scan.scanned), scanCount(scan.expected))
                   : FindingText::tr("The scan was stopped after %1 of %2 keys: %3.")
                         .arg(scanCount(scan.scanned), scanCount(scan.expected), missing.detail);
    case Missing::Cause::NotRecorded:
        return missing.detail.isEmpty()
                   ? FindingText::tr("Nothing was recorded at that time.")
                   : FindingText::tr("Nothing was recorded at that time: this is as of %1.")
                         .arg(missing.detail);
    case Missing::Cause::Refused:
        break;
    }
    return !missing.error
               ? FindingText::tr("Cannot be read: %1. The server answers with errors.").arg(hidden)
               : FindingText::tr("Cannot be read: %1. %2.").arg(hidden, errorText(*missing.error));
}

QByteArray missingKey(const Missing& missing)
{
    return missing.permission.isEmpty() ? causeId(missing.cause) : missing.permission;
}

std::vector<Missing> missingOf(std::span<const StatePtr> states, std::span<const Missing> scanned)
{
    MissingTally tally;
    for (const Missing& missing : scanned)
        tally.add(missing);
    for (const StatePtr& state : states) {
        if (state->problem && isUnread(*state->problem))
            tally.addPrimitive(*state->problem, state->kind());
    }
    return tally.all();
}

} // namespace lk
