// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

#include <initializer_list>
#include <utility>

namespace lk {

/// The common part of a queue's producers and workers: keys, events and wake-ups as BullMQ 5 writes
/// them. Sends single commands instead of BullMQ's scripts, because the demo makes all decisions
/// itself. Lives in the thread that made it.
class BullClient : public DemoClient
{
    Q_OBJECT

protected:
    using DemoClient::DemoClient;
    using Fields = std::initializer_list<std::pair<const char*, QByteArray>>;

    static QByteArray key(const QByteArray& part);
    static Command event(const char* name, const QByteArray& id, Fields fields = {});

    /// Appends the job to the waiting list, or to the paused list while the queue is paused.
    void enqueue(const QByteArray& id, const char* from = nullptr, Answer answer = {});
    void delay(const QByteArray& id, qint64 delayMs);
    void end(const QByteArray& id, const QByteArray& error);
    /// Two lines like an exception's stack trace.
    static QByteArray stackTrace(const QByteArray& error);

private:
    void forgetBeyond(const char* set);
};

} // namespace lk
