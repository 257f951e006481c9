// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/clients/prefixes.h"
#include "tests/server/acting.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/clientprocess.h"

namespace lk::test {

/// One queue in a snapshot with nothing declared.
class QueueSnapshot final
{
public:
    QueueSnapshot(RedisServer& server, const QString& name, const Config& config = {})
        : m_taken(takeSnapshot(server.url(), config))
        , m_name(name.toUtf8())
        , m_queue(m_taken.named("queues", m_name))
    {}

    bool found() const { return !m_queue.isEmpty(); }
    const char* text() const { return m_taken.text.constData(); }
    const TakenSnapshot& taken() const { return m_taken; }
    QString layout() const { return m_queue[QLatin1String("layout")].toString(); }
    /// The count of one of the library's states; -1 if it is unknown or there is no such state.
    int count(const char* state) const
    {
        for (const QJsonValue& s : m_queue[QLatin1String("states")].toArray()) {
            if (s[QLatin1String("name")].toString() == QLatin1String(state))
                return s[QLatin1String("count")].toInt(-1);
        }
        return -1;
    }
    int sum(const char* role) const { return m_queue[QLatin1String(role)].toInt(-1); }
    int stuck() const { return m_queue[QLatin1String("stuck")].toInt(-1); }
    /// "name alive jobs", "?" for what is unknown.
    QStringList workers() const
    {
        QStringList all;
        for (const QJsonValue& w : m_queue[QLatin1String("workers")].toArray()) {
            const QJsonValue alive = w[QLatin1String("alive")];
            all << QStringLiteral("%1 %2 %3")
                       .arg(w[QLatin1String("name")].toString(),
                            alive.isBool() ? (alive.toBool() ? u"alive" : u"dead") : u"?",
                            QString::number(w[QLatin1String("jobs")].toInt(-1)));
        }
        return all;
    }
    QByteArrayList findings() const { return m_taken.findings(m_name); }
    /// The detected primitives of other kinds, as "locks: name".
    QByteArrayList others() const
    {
        QByteArrayList all;
        for (const char* kind : {"limiters", "locks", "tokens", "patterns"}) {
            for (const QByteArray& name : m_taken.names(kind))
                all << QByteArray(kind) + ": " + name;
        }
        return all;
    }
    PrimitivePtr primitive() const
    {
        if (!m_taken.snapshot)
            return nullptr;
        for (const StatePtr& state : m_taken.snapshot->states) {
            if (state->kind() == Kind::Queue && state->primitive->name() == m_name)
                return state->primitive;
        }
        return nullptr;
    }

private:
    TakenSnapshot m_taken;
    QByteArray m_name;
    QJsonObject m_queue;
};

/// One action on that queue as the console does it, planned and run; "succeeded" or why not.
inline QString actOn(RedisServer& server, const QueueSnapshot& queue, const QByteArray& action,
                     const Values& values)
{
    const PrimitivePtr primitive = queue.primitive();
    if (!primitive)
        return QStringLiteral("no such queue");
    Actor actor(server.url());
    if (!actor.open())
        return QStringLiteral("no connection");
    const Receipt receipt = actor.act(primitive, action, values);
    return receipt.outcome == Outcome::Succeeded ? QStringLiteral("succeeded") : receipt.text;
}

} // namespace lk::test
