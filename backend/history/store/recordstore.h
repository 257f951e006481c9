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

/// The file operations of a RecordWriter, for one thread. Methods between beginTransaction() and
/// commit() report whether they succeeded; error() returns the failure.
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

    /// Returns the deployment's number in the file, looked up by any of its names; 0 if that
    /// failed.
    qint64 deployment(const RecordedDeployment& deployment);
    /// Claims the deployment for a few seconds. Returns true if this program records it now.
    /// offsetMs: server time minus local.
    bool claim(qint64 deployment, qint64 localMs, qint64 offsetMs, bool& worked);
    bool release(qint64 deployment, GapReason reason);
    /// Begins a new span at atMs, after a time in which no program recorded.
    bool beginStretch(qint64 deployment, qint64 atMs);
    /// Extends the span to atMs.
    bool extend(qint64 deployment, qint64 atMs);
    bool write(qint64 deployment, const RecordBatch& batch);
    /// Writes the data added by write() as one block per stream, and the whole buckets that are
    /// due.
    bool writeBlocks(qint64 deployment, qint64 atMs);
    /// Drops what is kept in memory of the deployment, for example after a failed transaction.
    void forget(qint64 deployment);

private:
    /// The current states of a bucket's primitives.
    struct Bucket
    {
        std::map<qint64, QByteArray> states;
        bool changed = false; ///< since it was last written as a whole
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
        qint64 extendedMs = 0;       ///< the span's end as stored in the file
        qint64 reachesMs = 0;        ///< the span's end that is still to be stored
        bool checkedLeft = false;    ///< findings left open before are continued or closed
        EventBudget returns{500, 2}; ///< limits the events of primitives that return
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
    QByteArray m_recorder; ///< distinguishes this program's claims from others
    std::map<qint64, Live> m_live;
    QHash<QByteArray, qint64> m_metrics;
};

/// The content of a block.
enum BlockStream : int { StateBlocks = 0, SampleBlocks = 1, WholeBuckets = 2, HoldBlocks = 3 };
inline constexpr int secondsTier = -1;
/// A block of holds contains those that ended within this time from its from_ms on. Holds longer
/// than longestPackedMs are in no block.
inline constexpr qint64 holdBlockMs = 30 * Retention::minute;
inline constexpr qint64 longestPackedMs = 6 * Retention::hour;

} // namespace lk
