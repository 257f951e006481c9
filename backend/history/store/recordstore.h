// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordbatch.h"
#include "backend/history/retention.h"
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/eventbudget.h"
#include "backend/history/store/recordfile.h"

#include <QHash>

#include <map>

namespace lk {

/// What a RecordWriter does with the file, for one thread. Every method between begin() and
/// commit() answers whether it worked; what failed is in error().
class RecordStore final
{
public:
    explicit RecordStore(const QString& path);
    ~RecordStore();

    Result<void> open();
    RecordFile& file() { return m_file; }
    const QSqlError& error() const { return m_error; }
    const QByteArray& recorder() const { return m_recorder; }

    bool beginTransaction();
    bool commit();
    void rollback();

    /// Its number in the file; finds it by any of its names. 0: failed.
    qint64 deployment(const RecordedDeployment& deployment);
    /// True: this program records it now, for a few seconds more. offsetMs: server time minus
    /// local.
    bool claim(qint64 deployment, qint64 localMs, qint64 offsetMs, bool& worked);
    bool release(qint64 deployment, GapReason reason);
    /// Nobody recorded since what is recorded last: a new stretch begins at atMs.
    bool beginStretch(qint64 deployment, qint64 atMs);
    /// The stretch lasts until then.
    bool extend(qint64 deployment, qint64 atMs);
    bool write(qint64 deployment, const RecordBatch& batch);
    /// What was added by write() since, as one block each; and whole buckets where one is due.
    bool writeBlocks(qint64 deployment, qint64 atMs);
    /// What was kept in memory of it, as after a failed transaction.
    void forget(qint64 deployment);

private:
    /// The present states of a bucket's primitives.
    struct Bucket
    {
        std::map<qint64, QByteArray> states;
        bool changed = false; ///< since it was written as a whole
        qint64 dueMs = 0;
    };
    struct Live
    {
        qint64 stretch = 0; ///< row in recording
        QHash<PrimitiveId, qint64> primitives;
        std::map<int, Bucket> buckets;
        std::vector<StateFrame> states;
        std::vector<SampleFrame> samples;
        qint64 beganMs = 0;
        qint64 extendedMs = 0;       ///< as the file has it
        qint64 reachesMs = 0;        ///< as it has to have it in the end
        bool checkedLeft = false;    ///< what the last recorder left open is found again, or closed
        EventBudget returns{500, 2}; ///< of primitives that were gone
    };

    /// The flag of a finding that a recorder left open when it ended.
    static constexpr int leftOpen = 8;

    bool exec(QSqlQuery& query);
    bool exec(const QString& sql, std::initializer_list<QVariant> values);
    qint64 primitive(qint64 deployment, Live& live, const PrimitiveId& id, qint64 atMs,
                     const Primitive* known);
    bool tellReturn(qint64 deployment, Live& live, qint64 primitive, qint64 goneMs, qint64 atMs);
    bool isRecorded(qint64 deployment, const RecordedEvent& event, bool& told);
    bool insertEvent(qint64 deployment, qint64 primitive, const RecordedEvent& event);
    qint64 metric(const QByteArray& name);
    bool writeStates(qint64 deployment, Live& live, const RecordBatch& batch);
    bool writeEvents(qint64 deployment, Live& live, const RecordBatch& batch);
    bool writeEvent(qint64 deployment, Live& live, const RecordedEvent& event);
    bool writeHolds(qint64 deployment, Live& live, const RecordBatch& batch);
    bool writeFindings(qint64 deployment, Live& live, const RecordBatch& batch);
    bool closeFinding(qint64 deployment, Live& live, const FindingChange& change);
    bool writeBlock(qint64 deployment, int stream, int tier, int bucket, qint64 fromMs, qint64 toMs,
                    const QByteArray& data);
    bool writeBucket(qint64 deployment, int number, Bucket& bucket, qint64 atMs);

    RecordFile m_file;
    QSqlError m_error;
    QByteArray m_recorder; ///< tells this program's claims from others'
    std::map<qint64, Live> m_live;
    QHash<QByteArray, qint64> m_metrics;
};

/// What blocks hold.
enum BlockStream : int { StateBlocks = 0, SampleBlocks = 1, WholeBuckets = 2, HoldBlocks = 3 };
inline constexpr int secondsTier = -1;
/// A block of holds has those that ended within so long from its from_ms on; longer ones than the
/// longest are in no block.
inline constexpr qint64 holdBlockMs = 30 * Retention::minute;
inline constexpr qint64 longestPackedMs = 6 * Retention::hour;

} // namespace lk
