// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journalreader.h"
#include "backend/findings/livefindings.h"
#include "backend/history/recordwriter.h"
#include "backend/history/store/eventbudget.h"
#include "backend/session/board/summary.h"
#include "backend/session/recording/leftopen.h"

#include <QSet>

namespace lk {

/// States of one session that are still to be recorded, the newest of each primitive.
using StateChangesPtr = std::shared_ptr<const std::vector<StateChange>>;

/// Makes of what one session sees what is recorded of it: names and numbers, holds, spans. Lives in
/// the writer's thread, so that encoding and comparing cost nobody else. What did not change costs
/// nothing more than a comparison.
class RecordFeed final : public QObject
{
    Q_OBJECT

public:
    /// The writer outlives it, in the same thread.
    explicit RecordFeed(RecordWriter* writer);

public slots:
    /// From here on it is recorded. atMs: server time, as all times here.
    void begin(const lk::RecordedDeployment& deployment, qint64 atMs);
    /// What was seen is kept for the next begin().
    void end(GapReason reason);
    void takeChanges(const lk::StateChangesPtr& changes, qint64 atMs);
    void takeFindings(const lk::LiveFindingsPtr& findings);
    void takeEvents(const std::vector<lk::RecordedEvent>& events);
    void takeServer(const lk::ServerFacts& server, const lk::ScanCounts& scan);
    /// Numbers of the deployment as a whole, by their names.
    void takeTotals(const std::vector<std::pair<QByteArray, double>>& totals, qint64 atMs);
    /// places: journalPlacesOf().
    void takeJournal(const lk::JournalPtr& journal, const QStringList& places);
    /// Once a second: server time.
    void tick(qint64 atMs);

signals:
    void taken(); ///< the changes: the next may come

private:
    struct Known
    {
        PrimitiveId id;
        KeptState state;
        std::vector<double> samples; ///< by metric, then by job state
        Life life;
    };

    void onResumed(const QByteArray& deployment);
    void take(Handle handle, const StateChange& change, RecordBatch& batch);
    bool isTooMuch(const RecordedEvent& event);
    void forget(Handle handle, qint64 atMs, RecordBatch& batch);
    void addSamples(Known& known, const State& state, bool all, RecordBatch& batch);
    void findPrimitives(std::vector<RecordedEvent>& events);
    void sendOwn(std::vector<RecordedEvent> events);
    void addFinding(const LiveFinding& live, std::optional<qint64> closedMs, RecordBatch& batch);
    RecordBatch newBatch(qint64 atMs) const;
    void send(RecordBatch batch);

    RecordWriter* m_writer;
    RecordedDeployment m_deployment;
    HandleTable<Known> m_known;
    LeftOpen m_leftOpen;    ///< by whoever recorded before
    QSet<Handle> m_pending; ///< with something to tell that needs time
    QHash<quint64, LiveFindingPtr> m_findings;
    struct Total
    {
        double value = 0;
        qint64 sentMs = 0;
    };
    QHash<QByteArray, Total> m_totals;
    QSet<QByteArray> m_receipts;              ///< recorded already
    QHash<QByteArray, PrimitiveId> m_alerted; ///< by the alert, until it is resolved
    QHash<QString, PrimitiveId> m_gone; ///< by its keys: actions on it are reported afterwards
    EventBudget m_tokenEnds{2000, 20};  ///< where they come and go in masses
    EventBudget m_moves{1000, 2};       ///< of jobs, where there are masses of queues
    ServerFacts m_server;
    ScanCounts m_scan;
    qint64 m_atMs = 0;
    qint64 m_serverMs = 0;             ///< when the server was recorded last
    std::vector<RecordedEvent> m_late; ///< to be added when it is recorded again
    bool m_here = false;               ///< this program records it
    bool m_elsewhere = false;          ///< another program does
};

} // namespace lk

Q_DECLARE_METATYPE(lk::StateChangesPtr)
