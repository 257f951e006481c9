// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "app/cli/snapshot/scanprogress.h"
#include "backend/config/config.h"
#include "backend/core/clock.h"
#include "backend/report/snapshot/packedstates.h"
#include "backend/report/snapshot/statesequence.h"

#include <QObject>

#include <functional>
#include <memory>

namespace lk {

/// Whether jobs in progress are as old as this account's snapshots have seen them.
enum class Ages : quint8 {
    Unknown, ///< one snapshot alone does not know the past
    Kept,    ///< as the console and earlier snapshots kept them, and this one for the next
};

/// The result for one of the addresses.
struct TakenSnapshot
{
    ServerUrl url;
    std::shared_ptr<const Snapshot> snapshot; ///< null: it could not be taken
    std::shared_ptr<const StateSequence> states =
        nullptr;      ///< the snapshot's states, which take less memory here
    Error error = {}; ///< why
};

/// Takes a snapshot of each of an invocation's addresses, side by side in the thread that this
/// lives in. One that fails does not stop the others.
class SnapshotRuns final : public QObject
{
    Q_OBJECT

public:
    /// config and clock outlive this.
    SnapshotRuns(const Invocation& invocation, const Config& config, const Clock& clock, Ages ages,
                 PackedStates::Order order);
    ~SnapshotRuns() override;

    /// In the order of the addresses. Once finished() was emitted, all are there.
    const std::vector<TakenSnapshot>& taken() const { return m_taken; }
    void start();

signals:
    void finished();

private:
    struct Run;

    void take(size_t place, const std::shared_ptr<const Snapshot>& snapshot);
    void onFailed(size_t place, const Error& error);
    void end(size_t run);
    void showProgress();

    ScanProgress m_progress;
    std::vector<TakenSnapshot> m_taken;
    std::vector<std::unique_ptr<Run>> m_runs;
    std::function<void(size_t place)> m_makeTaker;
    size_t m_underWay = 0;
    bool m_keeps = false; ///< see Ages
};

} // namespace lk
