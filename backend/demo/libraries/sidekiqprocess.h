// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

#include <QJsonObject>

#include <map>

namespace lk {

/// A queue in the format of Sidekiq 6.4 with GitLab's reliable fetcher: a process with four
/// threads, jobs that fail and are retried, a few dead ones, and one that a lost process had taken.
/// Lives in the thread that made it.
class SidekiqProcess final : public DemoClient
{
    Q_OBJECT

public:
    SidekiqProcess(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    QJsonObject job();
    QJsonObject failed(QJsonObject job, int count);
    void beat();
    void push();
    void enqueue(QJsonObject job);
    void keep(const char* set, const QJsonObject& job, double atS);
    void poll(const char* set);
    void take(const QByteArray& thread);
    void work(const QByteArray& thread, const QByteArray& payload);
    void fail(const QByteArray& payload);

    std::map<QByteArray, QByteArray> m_working; ///< by thread, for the next heartbeat
    qint64 m_waiting = 0;                       ///< from the last push
};

} // namespace lk
