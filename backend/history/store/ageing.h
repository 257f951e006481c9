// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/history/retention.h"
#include "backend/history/store/recordfile.h"

#include <functional>
#include <map>

namespace lk {

/// Makes what is old coarser, forgets what is too old or too much, and gives the room back to the
/// disk: one small step at a time, each a transaction of its own. Needs an open file.
class Ageing
{
public:
    /// recorder: as in the table of deployments. What another program records ages by that one.
    Ageing(RecordFile& file, QByteArray recorder);

    /// True: there was something to do, and it was done. False: nothing, or it failed: see error().
    /// localMs: this machine's time. A deployment's own is as far from it as it was when it was
    /// recorded last.
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
        qint64 toMs = 0; ///< not with it
    };

    struct Deployment
    {
        qint64 id = 0;
        qint64 offsetMs = 0; ///< server time minus local
    };

    bool exec(QSqlQuery& query);
    qint64 number(const QString& sql, std::initializer_list<qint64> values = {});
    std::vector<Deployment> deployments(qint64 localMs);
    /// Where the oldest block of one is, whole buckets aside.
    Window oldest(qint64 deployment);
    bool changed(const QString& sql, const std::vector<qint64>& values);
    bool ageSeconds(qint64 deployment, int stream, qint64 nowMs);
    bool ageTier(const Retention& retention, qint64 deployment, int stream, int tier, qint64 nowMs);
    /// mostStates: of the bucket; 0: as many as there are.
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
    /// By deployment and by how many are left: until then there is nothing to do.
    std::map<std::pair<qint64, qint64>, qint64> m_thinnedTo;
    /// How many states each bucket of a window may have; by deployment, the window that is at it.
    std::map<qint64, std::pair<qint64, size_t>> m_mostStates;
    std::map<qint64, qint64> m_packedTo; ///< by deployment: what ended before has been looked at
};

} // namespace lk
