// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/history/retention.h"
#include "backend/history/store/recordfile.h"

#include <functional>
#include <map>

namespace lk {

/// Makes old data coarser, deletes data that is too old or exceeds the size limit, and returns the
/// space to the disk. Works in small steps, each in its own transaction. Requires an open file.
class Ageing
{
public:
    /// recorder: as in the table of deployments. Deployments that another program records are aged
    /// by that program.
    Ageing(RecordFile& file, QByteArray recorder);

    /// Performs one step. Returns false if there was nothing to do or the step failed; see error().
    /// localMs: this machine's time. The server time of a deployment is derived from it by the
    /// offset of the last record.
    bool step(const Retention& retention, qint64 localMs);
    const QSqlError& error() const { return m_error; }

    RecordingSize measure(const Retention& retention);

private:
    struct Window
    {
        qint64 deployment = 0;
        int stream = 0;
        int tier = 0;
        qint64 fromMs = 0;
        qint64 toMs = 0; ///< exclusive
    };

    struct Deployment
    {
        qint64 id = 0;
        qint64 offsetMs = 0; ///< server time minus local
    };

    bool exec(QSqlQuery& query);
    qint64 number(const QString& sql, std::initializer_list<qint64> values = {});
    std::vector<Deployment> deployments(qint64 localMs);
    /// Finds the oldest block of a deployment, ignoring whole buckets.
    Window oldest(qint64 deployment);
    bool changed(const QString& sql, const std::vector<qint64>& values);
    bool ageSeconds(qint64 deployment, int stream, qint64 nowMs);
    bool ageTier(const Retention& retention, qint64 deployment, int stream, int tier, qint64 nowMs);
    /// mostStates: the most states of the bucket; 0: no limit.
    template<typename Frame>
    bool merge(const Window& window, int bucket, qint64 stepMs, size_t mostStates = 0);
    size_t mostStatesOf(const Retention& retention, const Window& window);
    bool packHolds(qint64 deployment, qint64 nowMs);
    bool packBucket(qint64 deployment, int bucket, qint64 fromMs);
    bool thinWhole(qint64 deployment, qint64 nowMs);
    bool thinServer(qint64 deployment, qint64 nowMs, qint64 beforeMs);
    bool forgetOld(const Retention& retention, qint64 deployment, qint64 nowMs);
    bool shrink(const Retention& retention);
    bool forgetOldest();
    bool transaction(const std::function<bool()>& work);

    RecordFile& m_file;
    QByteArray m_recorder;
    QSqlError m_error;
    qint64 m_thinnedMs = 0;
    /// By deployment and step: up to that time the whole buckets are thinned.
    std::map<std::pair<qint64, qint64>, qint64> m_thinnedTo;
    /// By deployment: the current window and the most states that each of its buckets may have.
    std::map<qint64, std::pair<qint64, size_t>> m_mostStates;
    std::map<qint64, qint64> m_packedTo; ///< by deployment: earlier ends have been processed
};

} // namespace lk
