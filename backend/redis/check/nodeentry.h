// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/check/checkstage.h"
#include "backend/redis/connection.h"

#include <QElapsedTimer>
#include <QPointer>

namespace lk {

class Transport;

/// Makes one attempt at one server and reports it stage by stage, from the name lookup to the
/// login. Never retries. Lives in the thread that made it.
class NodeEntry final : public QObject
{
    Q_OBJECT

public:
    NodeEntry(const ServerUrl& url, int timeoutMs, QObject* parent = nullptr);
    /// Marks the server as a Sentinel, which has users of its own.
    void setSentinel() { m_isSentinel = true; }

    void start();
    Connection& connection() { return m_connection; }

signals:
    void stageDone(const lk::CheckStage& stage);
    /// After the last stage: the connection is ready, or one has failed.
    void entered();
    void failed(const lk::Error& error);

private:
    void onStatus(const ConnectionStatus& status);
    void advanceTo(CheckStage::Id id);
    void onLost(const Error& error);
    CheckStage::Id stageOf(const Error& error) const;
    QString foundText(CheckStage::Id id) const;

    Connection m_connection;
    QPointer<Transport> m_transport;    ///< the connection's, while it connects
    std::vector<CheckStage::Id> m_left; ///< the next one first
    QElapsedTimer m_since;              ///< the end of the stage before
    bool m_isSentinel = false;
};

} // namespace lk
