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

/// The states of one session that are still to be recorded, the newest of each primitive.
using StateChangesPtr = std::shared_ptr<const std::vector<StateChange>>;

/// Converts one session's states into records: names and numbers, holds, spans. Lives in the
/// writer's thread, so that encoding and comparing slow down no other thread. A state without
/// changes costs no more than a comparison.
class RecordFeed final : public QObject
{
    Q_OBJECT

public:
    /// The writer outlives it, in the same thread.
    explicit RecordFeed(RecordWriter* writer);

public slots:
    /// Begins recording. atMs: server time, as all times here.
    void begin(const lk::RecordedDeployment& deployment, qint64 atMs);
    /// Ends recording. The states are kept for the next begin().
    void end(GapReason reason);
    void takeChanges(const lk::StateChangesPtr& changes, qint64 atMs);
    void takeFindings(const lk::LiveFindingsPtr& findings);
    void takeEvents(const std::vector<lk::RecordedEvent>& events);
    void takeServer(const lk::ServerFacts& server, const lk::ScanCounts& scan);
    /// Takes numbers of the deployment as a whole, by name.
    void takeTotals(const std::vector<std::pair<QByteArray, double>>& totals, qint64 atMs);
    /// places: journalPlacesOf().
    void takeJournal(const lk::JournalPtr& journal, const QStringList& places);
    /// Call it once a second with the server time.
    void tick(qint64 atMs);

signals:
    void taken(); ///< the changes were taken, the next may follow

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
    LeftOpen m_leftOpen;    ///< from the previous recording
    QSet<Handle> m_pending; ///< primitives with something to record later
    QHash<quint64, LiveFindingPtr> m_findings;
    struct Total
    {
        double value = 0;
        qint64 sentMs = 0;
    };
    QHash<QByteArray, Total> m_totals;
    QSet<QByteArray> m_receipts;              ///< receipts that are recorded already
    QHash<QByteArray, PrimitiveId> m_alerted; ///< the primitive by alert, until it is resolved
    QHash<QString, PrimitiveId> m_gone;       ///< gone ones by key: actions are reported later
    EventBudget m_tokenEnds{2000, 20}; ///< limits the ends of tokens that come and go in masses
    EventBudget m_moves{1000, 2};      ///< limits job events with masses of queues
    ServerFacts m_server;
    ScanCounts m_scan;
    qint64 m_atMs = 0;
    qint64 m_serverMs = 0;             ///< when the server was recorded last
    std::vector<RecordedEvent> m_late; ///< to be added when recording continues
    bool m_here = false;               ///< this program records it
    bool m_elsewhere = false;          ///< another program does
};

} // namespace lk

Q_DECLARE_METATYPE(lk::StateChangesPtr)
