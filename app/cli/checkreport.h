// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/redactedname.h"
#include "backend/findings/findings.h"

#include <map>
#include <vector>

class QIODevice;

namespace lk {

/// A snapshot's findings in the order in which they are reported: worst first, those of one code
/// together. Keeps a reference to the snapshot.
class CheckReport final
{
public:
    explicit CheckReport(const Snapshot& snapshot);

    const Snapshot& snapshot() const { return m_snapshot; }
    const std::vector<const Finding*>& findings() const { return m_findings; }
    /// How many of each code the operator has silenced.
    const std::map<QByteArray, qint64>& silenced() const { return m_silenced; }
    qint64 silencedCount() const;
    /// Of those that are reported; nothing if there are none.
    std::optional<Finding::Severity> worst() const;

private:
    const Snapshot& m_snapshot;
    std::vector<const Finding*> m_findings;
    std::map<QByteArray, qint64> m_silenced;
};

/// For people: a group for each code with what was seen of each object, once why and what to do,
/// and the command that fixes it.
void writeCheckText(const CheckReport& report, QIODevice& out, Codes codes = Codes::Masked);
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
