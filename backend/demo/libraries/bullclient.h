// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

#include <initializer_list>
#include <utility>

namespace lk {

/// What producers and workers of one queue share: keys, events and wake-ups as BullMQ 5 writes
/// them. Its scripts are taken apart into commands, as the demo does nothing but what it decides
/// itself. Lives in the thread that made it.
class BullClient : public DemoClient
{
    Q_OBJECT

protected:
    using DemoClient::DemoClient;
    using Fields = std::initializer_list<std::pair<const char*, QByteArray>>;

    static QByteArray key(const QByteArray& part);
    static Command event(const char* name, const QByteArray& id, Fields fields = {});

    /// To the end of those who wait, or of the paused ones while the queue is.
    void enqueue(const QByteArray& id, const char* from = nullptr, Answer answer = {});
    void delay(const QByteArray& id, qint64 delayMs);
    void end(const QByteArray& id, const QByteArray& error);
    /// Two lines, as of an exception's stack.
    static QByteArray stackTrace(const QByteArray& error);

private:
    void forgetBeyond(const char* set);
};

} // namespace lk
