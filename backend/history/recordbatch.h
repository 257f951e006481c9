// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <memory>

namespace lk {

/// A finding that was opened or closed.
struct FindingChange
{
    RecordedFinding finding;
    std::optional<qint64> closedMs; ///< empty if it was opened
};

/// The changes in one deployment since the last batch. Immutable once sent.
struct RecordBatch
{
    QByteArray deployment;
    qint64 atMs = 0; ///< server time; everything up to then is in this batch or an earlier one
    std::vector<RecordedState> states;
    std::vector<RecordedSample> samples;
    std::vector<RecordedEvent> events;
    std::vector<RecordedHold> holds; ///< begun or changed; key: primitive, fromMs, owner
    std::vector<FindingChange> findings;
    std::optional<ServerFacts> server; ///< empty if unchanged
    ScanCounts scan;                   ///< valid if server is set

    bool isEmpty() const
    {
        return states.empty() && samples.empty() && events.empty() && holds.empty() &&
               findings.empty() && !server;
    }
};
using RecordBatchPtr = std::shared_ptr<const RecordBatch>;

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordBatchPtr)
