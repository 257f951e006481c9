// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/serverinfo.h"

#include <cstdlib>

namespace lk {

ServerInfo ServerInfo::fromReply(const Reply& info)
{
    ServerInfo result;
    if (!info.isText())
        return result;
    const QList<QByteArray> lines = info.text.split('\n');
    for (const QByteArray& line : lines) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && !line.startsWith('#'))
            result.m_fields.insert(line.left(colon), line.mid(colon + 1).trimmed());
    }
    return result;
}

void ServerInfo::addConfig(const Reply& config)
{
    for (size_t i = 0; i + 1 < config.items.size(); i += 2) {
        m_fields.insert(config.items[i].text, config.items[i + 1].text);
        m_fields.insert(config.items[i].text + "_known", QByteArrayLiteral("yes"));
    }
}

void ServerInfo::addRole(const Reply& role)
{
    if (role.items.empty() || !role.items[0].isText() || m_fields.contains("role"))
        return;
    m_fields.insert("role", role.items[0].text);
    if (role.items[0].text != "slave" || role.items.size() < 4)
        return;
    m_fields.insert("master_host", role.items[1].text);
    m_fields.insert("master_port", QByteArray::number(role.items[2].integer));
    m_fields.insert("master_link_status", role.items[3].text == "connected" ? "up" : "down");
}

// "slave" is what the protocol says; no person reads it.
QString ServerInfo::role() const
{
    const QByteArray told = m_fields.value("role");
    return told == "slave" ? QStringLiteral("replica") : QString::fromUtf8(told);
}

QString ServerInfo::masterEndpoint() const
{
    const QString host = text("master_host");
    if (host.isEmpty())
        return {};
    const bool v6 = host.contains(QLatin1Char(':'));
    return (v6 ? QLatin1Char('[') + host + QLatin1Char(']') : host) + QLatin1Char(':')
           + text("master_port");
}

bool ServerInfo::mayBeSameProcess(const ServerInfo& other) const
{
    const QString own = text("run_id");
    const QString others = other.text("run_id");
    return own.isEmpty() || others.isEmpty() || own == others;
}

QString ServerInfo::text(const char* field) const
{
    return QString::fromUtf8(m_fields.value(field));
}

std::optional<qint64> ServerInfo::number(const char* field) const
{
    bool ok = false;
    const qint64 value = m_fields.value(field).toLongLong(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

bool ServerInfo::atLeast(int major, int minor) const
{
    const QList<QByteArray> parts = m_fields.value("redis_version").split('.');
    bool ok = false;
    const int ownMajor = parts.first().toInt(&ok);
    const int ownMinor = parts.size() > 1 ? parts[1].toInt() : 0;
    return ok && (ownMajor > major || (ownMajor == major && ownMinor >= minor));
}

std::optional<qint64> timeFromReply(const Reply& time)
{
    if (time.items.size() != 2)
        return {};
    bool secondsOk = false;
    bool microsecondsOk = false;
    const qint64 seconds = time.items[0].text.toLongLong(&secondsOk);
    const qint64 microseconds = time.items[1].text.toLongLong(&microsecondsOk);
    constexpr qint64 farthest = 100'000'000'000; // seconds; keeps the product inside 64 bits
    if (!secondsOk || !microsecondsOk || seconds < 0 || seconds > farthest || microseconds < 0 ||
        microseconds >= 1'000'000)
        return {};
    return seconds * 1000 + microseconds / 1000;
}

ServerClock betterClock(const ServerClock& known, qint64 sentMs, qint64 receivedMs, qint64 serverMs)
{
    const qint64 roundTrip = receivedMs - sentMs;
    if (roundTrip < 0) // the local clock was set back in between
        return known;
    const ServerClock fresh{serverMs - (sentMs + roundTrip / 2), roundTrip};
    // The truth is within half a round trip of the fresh offset, and each clock is read to 1 ms.
    const qint64 doubt = roundTrip / 2 + 2;
    const bool contradicted = std::llabs(fresh.offsetMs - known.offsetMs) > doubt;
    return !known.known() || roundTrip <= known.roundTripMs || contradicted ? fresh : known;
}

} // namespace lk
