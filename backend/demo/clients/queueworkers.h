// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Producers and workers of two queues. Some workers crash with a job in progress; after a while a
/// janitor requeues it. Some jobs fail and are dead-lettered. Lives in the thread that made it.
class QueueWorkers final : public DemoClient
{
    Q_OBJECT

public:
    QueueWorkers(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    /// The settings of one queue. Durations in milliseconds.
    struct Queue
    {
        QByteArray ready;
        int workers = 1;
        int shortestWork = 0;
        int longestWork = 0;
        int dyingOneIn = 0; ///< one in so many jobs crashes its worker
        int deadOneIn = 0;  ///< one in so many jobs fails
        int maxReady = 0;   ///< producers pause above this length

        QByteArray processing() const { return ready + ":processing"; }
        QByteArray dead() const { return ready + ":dead"; }
    };

    void begin() override;
    void beginMail();
    void beginThumbs();
    void pushMail();
    void pushThumb();
    void push(const Queue& queue, const QByteArray& job);
    void take(const Queue& queue);
    void finish(const Queue& queue, const QByteArray& job);
    void abandon(const Queue& queue, const QByteArray& job);

    Queue m_mail;
    Queue m_thumbs;
    std::map<QByteArray, qint64> m_lengths; ///< length of the ready lists, from the last push
    int m_lastId = 0;
};

} // namespace lk
