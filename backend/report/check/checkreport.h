// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/redis/redlock/redlock.h"
#include "backend/report/snapshot/statesequence.h"

#include <QStringList>

#include <map>
#include <vector>

class QIODevice;

namespace lk {

/// The results for the declared groups of servers.
struct CheckedGroups
{
    std::vector<RedlockReportPtr> reports; ///< one per group
    std::vector<Finding> findings;         ///< of all groups; silenced ones are marked

    /// True if every server answered and every name was read.
    bool whole() const;
    /// Returns why the results are not whole. Translated.
    QStringList missing() const;
};

/// The findings of a snapshot and of groups of servers, in reporting order: worst first, those of
/// one code together. Keeps references to both.
class CheckReport final
{
public:
    /// groups: null if they are reported with another snapshot.
    explicit CheckReport(const Snapshot& snapshot, const CheckedGroups* groups = nullptr);

    const Snapshot& snapshot() const { return m_snapshot; }
    const CheckedGroups* groups() const { return m_groups; }
    bool hasCheckedGroups() const { return m_groups && !m_groups->reports.empty(); }
    const std::vector<const Finding*>& findings() const { return m_findings; }
    /// Returns the number of silenced findings per code.
    const std::map<QByteArray, qint64>& silenced() const { return m_silenced; }
    qint64 silencedCount() const;
    /// Returns the worst severity of the reported findings; nothing if there are none.
    std::optional<Finding::Severity> worst() const;

private:
    const Snapshot& m_snapshot;
    const CheckedGroups* m_groups;
    std::vector<const Finding*> m_findings;
    std::map<QByteArray, qint64> m_silenced;
};

/// Writes text for people: a section per code with the message of each object, once the reason and
/// the advice, and the command that fixes it, which depends on the states of the findings.
void writeCheckText(const CheckReport& report, const StateSequence& states, QIODevice& out,
                    Codes codes = Codes::Masked);
/// {"schema":2,"server":...,"scan":...,"findings":[...],"silenced":N,"silenced_codes":{...}}
void writeCheckJson(const CheckReport& report, QIODevice& out, Codes codes = Codes::Masked);

/// One checked deployment.
struct CheckedDeployment
{
    QString endpoint;
    const CheckReport* report; ///< null if it could not be read
};

/// Writes Prometheus's text format 0.0.4, for the textfile collector of node_exporter. Contains
/// counts only, so that no key's name, which may be a secret, ends up in a monitoring system. With
/// several deployments each sample has a label with its deployment. For a deployment that could not
/// be read, only that fact is written.
void writeCheckPrometheus(const std::vector<CheckedDeployment>& checked, QIODevice& out);

} // namespace lk
