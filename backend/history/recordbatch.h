// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <memory>

namespace lk {

/// A finding that appeared, or is gone.
struct FindingChange
{
    RecordedFinding finding;
    std::optional<qint64> closedMs; ///< empty: it appeared
};

/// What happened in one deployment since the last batch. Immutable once sent.
struct RecordBatch
{
    QByteArray deployment;
    qint64 atMs = 0; ///< server time: everything until then is in it or before it
    std::vector<RecordedState> states;
    std::vector<RecordedSample> samples;
    std::vector<RecordedEvent> events;
    std::vector<RecordedHold> holds; ///< begun or changed; the same by primitive, fromMs and owner
    std::vector<FindingChange> findings;
    std::optional<ServerFacts> server; ///< empty: as before
    ScanCounts scan;                   ///< with server

    bool isEmpty() const
    {
        return states.empty() && samples.empty() && events.empty() && holds.empty() &&
               findings.empty() && !server;
    }
};
using RecordBatchPtr = std::shared_ptr<const RecordBatch>;

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordBatchPtr)
