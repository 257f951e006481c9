// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/redis/redlock/redlockreport.h"
#include "backend/report/snapshot/statesequence.h"

#include <QStringList>

#include <map>
#include <vector>

class QIODevice;

namespace lk {

/// What was seen of the groups of servers that are declared.
struct CheckedGroups
{
    std::vector<RedlockReportPtr> reports; ///< one a group
    std::vector<Finding> findings;         ///< of all of them; the silenced ones are marked

    /// Every server answered, and every name was read.
    bool whole() const;
    /// Why not. Translated.
    QStringList missing() const;
};

/// A snapshot's findings, and those of groups of servers, in the order in which they are reported:
/// worst first, those of one code together. Keeps references to both.
class CheckReport final
{
public:
    /// groups: null: they are reported with another snapshot.
    explicit CheckReport(const Snapshot& snapshot, const CheckedGroups* groups = nullptr);

    const Snapshot& snapshot() const { return m_snapshot; }
    const CheckedGroups* groups() const { return m_groups; }
    bool hasCheckedGroups() const { return m_groups && !m_groups->reports.empty(); }
    const std::vector<const Finding*>& findings() const { return m_findings; }
    /// How many of each code the operator has silenced.
    const std::map<QByteArray, qint64>& silenced() const { return m_silenced; }
    qint64 silencedCount() const;
    /// Of those that are reported; nothing if there are none.
    std::optional<Finding::Severity> worst() const;

private:
    const Snapshot& m_snapshot;
    const CheckedGroups* m_groups;
    std::vector<const Finding*> m_findings;
    std::map<QByteArray, qint64> m_silenced;
};

/// For people: a part for each code with what was seen of each object, once why and what to do,
/// and the command that fixes it, by the states that the findings are about.
void writeCheckText(const CheckReport& report, const StateSequence& states, QIODevice& out,
                    Codes codes = Codes::Masked);
/// {"schema":2,"server":...,"scan":...,"findings":[...],"silenced":N,"silenced_codes":{...}}
void writeCheckJson(const CheckReport& report, QIODevice& out, Codes codes = Codes::Masked);

/// One of the deployments that were checked.
struct CheckedDeployment
{
    QString endpoint;
    const CheckReport* report; ///< null: it could not be read
};

/// Prometheus's text format 0.0.4, for the textfile collector of node_exporter: counts only, so
/// that no name of a key, which may be a secret, ends up in a monitoring system. Of several
/// deployments each sample says by a label of which it is; of one that could not be read there is
/// only that.
void writeCheckPrometheus(const std::vector<CheckedDeployment>& checked, QIODevice& out);

} // namespace lk
